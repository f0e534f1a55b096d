// The status of a payment of S2S CARD or S2S APM, and the callbacks that its shop received.
import { expect } from '@playwright/test';
import type { ApmMerchant } from './apm-merchant.ts';
import type { CardMerchant } from './card-merchant.ts';
import { conformCallback } from './conformance.ts';
import type { Body } from './merchant.ts';
import { type Delivery, messagesOf, patienceSeconds } from './shop-server.ts';

export type S2sMerchant = ApmMerchant | CardMerchant;

/** The values that requests about a payment are signed with. */
type Followed = Parameters<CardMerchant['follow']>[1];

/** The status of a payment. Fails if the payment does not exist. */
export async function s2sStatusOf(merchant: S2sMerchant, sold: Followed): Promise<Body> {
  const { status, body } = await merchant.follow('GET_TRANS_STATUS', sold);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Polls until the payment has the expected status; fails with the last answer after `seconds`. */
export async function untilS2sStatus(
  merchant: S2sMerchant,
  sold: Followed,
  wanted: string,
  seconds = patienceSeconds,
): Promise<Body> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const body = await s2sStatusOf(merchant, sold);
    if (body.status === wanted) return body;
    if (Date.now() > until) throw new Error(`expected ${wanted} within ${seconds} s: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits for exactly these callbacks, each written `action result status`; checks the hash and the sequence of each. */
export async function expectS2sCallbacks(
  merchant: S2sMerchant,
  { orderId, ...signed }: { orderId: string; email?: string; crypto?: boolean },
  wanted: string[],
  seconds = patienceSeconds,
): Promise<Delivery[]> {
  const { shopServer } = merchant;
  const arrived = await shopServer
    .waitFor(orderId, (all) => messagesOf(all).length >= wanted.length, seconds)
    .catch(() => shopServer.arrived(orderId));
  const messages = messagesOf(arrived);
  expect(messages.map(describeS2sCallback)).toEqual(wanted);
  let last = -1;
  for (const message of messages) {
    const { fields, headers, sequence } = message;
    expect(merchant.isSigned(fields, signed), JSON.stringify(fields)).toBe(true);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded; charset=utf-8');
    expect(sequence, 'Florin-Sequence increases').toBeGreaterThan(last);
    await conformCallback(merchant.baseUrl, merchant.protocol, message);
    last = sequence;
  }
  return messages;
}

/** `SALE SUCCESS SETTLED`. */
export function describeS2sCallback({ fields }: Delivery): string {
  return [fields.action, fields.result, fields.status].join(' ');
}
