// The status of an S2S APM payment, and the callbacks that its shop received.
import { expect } from '@playwright/test';
import { type ApmMerchant, describeApmCallback, isSignedApmCallback } from './apm-merchant';
import { conformCallback } from './conformance';
import type { Body } from './merchant';
import { type Delivery, messagesOf } from './shop-server';

/** The status of a payment. Fails if the payment does not exist. */
export async function apmStatusOf(merchant: ApmMerchant, sold: { transId: string }): Promise<Body> {
  const { status, body } = await merchant.follow('GET_TRANS_STATUS', sold);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Polls until the payment has the expected status; fails with the last answer after `seconds`. */
export async function untilApmStatus(
  merchant: ApmMerchant,
  sold: { transId: string },
  wanted: string,
  seconds = 15,
): Promise<Body> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const body = await apmStatusOf(merchant, sold);
    if (body.status === wanted) return body;
    if (Date.now() > until) throw new Error(`expected ${wanted} within ${seconds} s: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits for exactly these callbacks, each written `action result status`; checks the hash and the sequence of each. */
export async function expectApmCallbacks(
  merchant: ApmMerchant,
  { orderId, ...signed }: { orderId: string; email?: string; crypto?: boolean },
  wanted: string[],
  seconds = 10,
): Promise<Delivery[]> {
  const { shopServer } = merchant;
  const arrived = await shopServer
    .waitFor(orderId, (all) => messagesOf(all).length >= wanted.length, seconds)
    .catch(() => shopServer.arrived(orderId));
  const messages = messagesOf(arrived);
  expect(messages.map(describeApmCallback)).toEqual(wanted);
  let last = -1;
  for (const message of messages) {
    const { fields, headers, sequence } = message;
    expect(isSignedApmCallback(fields, signed, merchant.credentials), JSON.stringify(fields)).toBe(true);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded; charset=utf-8');
    expect(sequence, 'Florin-Sequence increases').toBeGreaterThan(last);
    await conformCallback(merchant.baseUrl, 's2s-apm', message);
    last = sequence;
  }
  return messages;
}
