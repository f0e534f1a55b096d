import { describe, expect, it } from 'vitest';
import type { DueCallback } from '../../callbacks/queue.ts';
import {
  type CallbackSubject,
  callbackBody,
  callbackFields,
  callbackSecret,
  renderCallback,
} from '../../callbacks/render.ts';
import type { Payment, Transaction } from '../../core/payment.ts';
import { states } from '../../core/states.ts';
import { captureResponse, voidResponse } from '../checkout/modifications.ts';
import { statusResponse } from '../checkout/status.ts';
import type { KnownCaller } from '../pipeline/handle.ts';
import { checkoutStatus, fullName, namesOf, optionalFields, s2sStatus, signedReturnUrl } from './wire-fields.ts';

const paymentId = '0190a1b2-0000-7000-8000-000000000001';
const attemptId = '0190a1b2-0000-7000-8000-000000000002';
const refundId = '0190a1b2-0000-7000-8000-000000000003';
const noon = new Date('2026-03-01T12:00:05.678Z');

const payment: Payment = {
  id: paymentId,
  merchantId: 'm',
  keyId: 'k',
  protocol: 'checkout',
  operation: 'purchase',
  state: 'settled',
  version: 3,
  current: true,
  orderNumber: 'order-7',
  orderAmount: '84.50',
  currency: 'EUR',
  amountMinor: 8450n,
  description: 'Zwei Schüsseln & more',
  settledMinor: 8450n,
  refundedMinor: 0n,
  refundingMinor: 0n,
  chargedBackMinor: 0n,
  authorizeOnly: false,
  recurringInit: false,
  requestToken: false,
  keepsCard: false,
  payer: { name: 'Ana Maria Petrović', email: 'ana@example.com', ip: '203.0.113.7', country: 'US', state: 'CA' },
  payee: {},
  parameters: {},
  customData: null,
  notificationUrl: null,
  channelId: null,
  scheduleId: null,
  scheduleStart: null,
  scheduleAmount: null,
  attemptId,
  inFlightId: null,
  attempts: 1,
  declines: 0,
  method: 'card',
  card: { id: 'c', first6: '411111', last4: '1111', brand: 'visa', expMonth: 1, expYear: 2038, holder: null },
  cardToken: null,
  returnUrl: null,
  returnTarget: null,
  firstRecurring: null,
  routingLog: [],
  recurringToken: null,
  recurringFirstId: null,
  subscriptionId: null,
  digitalWallet: null,
  panType: null,
  reason: null,
  createdAt: noon,
  updatedAt: noon,
  settledAt: noon,
};

const attempt: Transaction = {
  id: attemptId,
  paymentId,
  kind: 'sale',
  status: 'success',
  amountMinor: 8450n,
  currency: 'EUR',
  midId: 'mid-1',
  method: 'card',
  attemptId: null,
  providerData: {
    rrn: '606012345678',
    arn: '74537606060123456789012',
    approvalCode: 'A1B2C3',
    providerRef: 'prov-1',
    threeDS: { eci: '05', transStatus: 'Y' },
    extended: { issuer_country: 'DE' },
  },
  action: null,
  browser: { colorDepth: 24, javaEnabled: false, language: 'de' },
  declineCode: null,
  declineReason: null,
  declineClass: null,
  declineSoft: null,
  cancelReason: null,
  initiator: null,
  source: null,
  sequence: null,
  polls: 0,
  responseDueAt: null,
  overdueSeconds: null,
  receivedByProviderAt: null,
  settingsVersion: 1,
  testingKeys: null,
  rejectedCancels: 0,
  dueAt: null,
  createdAt: noon,
  finishedAt: noon,
};

const caller = {
  merchant: { id: 'm', name: 'Orme Ceramics' },
  key: { id: 'k', environment: 'sandbox', key: 'key', password: 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e' },
  mapping: { digest: 'md5', callbackFields: [], statusFields: [], redirectParameters: false },
  mids: [{ id: 'mid-1', name: 'Main', connector: 'http' }],
} as unknown as KnownCaller;

function mapped(changes: Partial<KnownCaller['mapping']>): KnownCaller {
  return { ...caller, mapping: { ...caller.mapping, ...changes } };
}

const callback: DueCallback = {
  id: '0190a1b2-0000-7000-8000-00000000000c',
  paymentId,
  transactionId: attemptId,
  merchantId: 'm',
  sequence: 3,
  outcome: 'success',
  type: 'sale',
  orderState: 'settled',
  reason: null,
  amountMinor: 8450n,
  url: 'https://shop.example/callbacks',
  address: 'https://shop.example',
  attempts: 0,
  createdAt: noon,
};

const subject: CallbackSubject = { callback, payment, attempt, movement: attempt, caller };

describe('wire names', () => {
  it('exist for every state in both notations', () => {
    expect(states.map((state) => `${state} ${checkoutStatus[state]} ${s2sStatus[state]}`)).toEqual([
      'prepare prepare PREPARE',
      'threeds 3ds 3DS',
      'redirect redirect REDIRECT',
      'pending pending PENDING',
      'settled settled SETTLED',
      'declined decline DECLINED',
      'refund refund REFUND',
      'reversal reversal REVERSAL',
      'void void VOID',
      'chargeback chargeback CHARGEBACK',
    ]);
  });

  it('split and join names', () => {
    expect(namesOf({ name: 'Ana Maria Petrović' })).toEqual({ first: 'Ana', last: 'Maria Petrović' });
    expect(namesOf({ name: 'Ana' })).toEqual({ first: 'Ana', last: undefined });
    expect(namesOf({ first_name: 'Ana', name: 'Other Name' })).toEqual({ first: 'Ana', last: undefined });
    expect(namesOf({})).toEqual({ first: undefined, last: undefined });
    expect(fullName({ first_name: 'Ana', last_name: 'Petrović' })).toBe('Ana Petrović');
    expect(fullName({})).toBeUndefined();
  });

  it('have exactly the optional fields of the contract', () => {
    const names = Object.keys(optionalFields);
    expect(names.filter((name) => name.startsWith('payer_'))).toHaveLength(15);
    expect(names.filter((name) => name.startsWith('browser_'))).toHaveLength(10);
    expect(names).toEqual(
      expect.arrayContaining(['threeDSServerTransID', 'authenticationFlow', 'ARN', 'extended_data']),
    );
    expect(names).toHaveLength(15 + 9 + 10 + 10);
  });
});

describe('a callback', () => {
  it('of a settled sale has these fields, in this order', () => {
    expect(Object.entries(callbackFields(subject))).toEqual([
      ['id', paymentId],
      ['payment_id', paymentId],
      ['trans_id', attemptId],
      ['order_id', 'order-7'],
      ['order_number', 'order-7'],
      ['order_amount', '84.50'],
      ['order_currency', 'EUR'],
      ['order_description', 'Zwei Schüsseln & more'],
      ['order_status', 'settled'],
      ['type', 'sale'],
      ['status', 'success'],
      ['date', '2026-03-01 12:00:05'],
      ['customer_name', 'Ana Maria Petrović'],
      ['customer_email', 'ana@example.com'],
      ['customer_ip', '203.0.113.7'],
      ['customer_country', 'US'],
      ['customer_state', 'CA'],
      ['card', '411111****1111'],
      ['card_expiration_date', '01/2038'],
      // Computed with Python's hashlib from the contract's sentence.
      ['hash', '13188cfca6468465934a7a3bb84a66a52e5dcd04'],
    ]);
  });

  it('is hashed by the digest of the mapping', () => {
    const fields = callbackFields({ ...subject, caller: mapped({ digest: 'sha256' }) });
    expect(fields.hash).toBe('3db12b00bc43037d7222cfa243ca256b708ccc4d');
  });

  it('of a partial refund has the refunded amount and the transaction of the attempt', () => {
    const movement = { ...attempt, id: refundId, kind: 'refund' as const, attemptId, providerData: { arn: '7' } };
    const fields = callbackFields({
      ...subject,
      movement,
      callback: { ...callback, transactionId: refundId, type: 'refund', amountMinor: 450n },
      caller: mapped({ callbackFields: ['ARN', 'RRN'] }),
    });
    expect(fields).toMatchObject({
      order_amount: '4.50',
      trans_id: attemptId,
      type: 'refund',
      order_status: 'settled',
      ARN: '7',
      hash: '06d07e86e43891c2e55de9020e89d6068ee9f88f',
    });
    expect(fields).not.toHaveProperty('RRN');
  });

  it('has a reason only for a failure', () => {
    const failed = { ...callback, outcome: 'fail' as const, orderState: 'declined' as const, reason: 'Declined' };
    expect(callbackFields({ ...subject, callback: failed })).toMatchObject({
      status: 'fail',
      order_status: 'decline',
      reason: 'Declined',
    });
    const waiting = { ...failed, outcome: 'waiting' as const };
    expect(callbackFields({ ...subject, callback: waiting })).not.toHaveProperty('reason');
  });

  it('has the optional fields of the mapping', () => {
    const enabled = Object.keys(optionalFields);
    expect(callbackFields({ ...subject, caller: mapped({ callbackFields: enabled }) })).toMatchObject({
      payer_first_name: 'Ana',
      payer_last_name: 'Maria Petrović',
      payer_country: 'US',
      transStatus: 'Y',
      eci: '05',
      browser_color_depth: '24',
      browser_java_enabled: 'false',
      browser_language: 'de',
      brand: 'visa',
      RRN: '606012345678',
      ARN: '74537606060123456789012',
      checkout_payment_method: 'card',
      extended_data: {
        connector_name: 'http',
        rrn: '606012345678',
        approval_code: 'A1B2C3',
        gateway_id: 'prov-1',
        merchant_name: 'Orme Ceramics',
        mid_name: 'Main',
        issuer_country: 'DE',
      },
    });
  });

  it('has an empty ARN if the requested ARN is unknown', () => {
    const unknown = { ...attempt, providerData: {} };
    const requested = { ...subject, movement: unknown, attempt: unknown, caller: mapped({ callbackFields: ['ARN'] }) };
    expect(callbackFields(requested).ARN).toBe('');
    expect(callbackFields(subject)).not.toHaveProperty('ARN');
  });

  it('is sent as a form with bracket keys and signed headers', () => {
    const custom = { ...payment, customData: { cart: { id: 7, items: ['a', 'b c'] }, none: null, flag: true } };
    const stored = callbackBody({ ...subject, payment: custom });
    const { body, hash, headers } = renderCallback(subject, stored, new Date('2026-03-01T12:00:06Z'));
    expect(body).toBe(stored);
    expect(hash).toBe(callbackFields(subject).hash);
    const fields = [...new URLSearchParams(body)].filter(([name]) => name.startsWith('custom_data'));
    expect(fields).toEqual([
      ['custom_data[cart][id]', '7'],
      ['custom_data[cart][items][0]', 'a'],
      ['custom_data[cart][items][1]', 'b c'],
      ['custom_data[flag]', 'true'],
    ]);
    expect(new URLSearchParams(body).get('order_description')).toBe('Zwei Schüsseln & more');
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'florin-sequence': '3',
      'webhook-id': callback.id,
      'webhook-timestamp': '1772366406',
    });
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('derives the secret of its headers from the password', () => {
    // Python: hmac.new(password, b'florin callbacks', sha256), base64.
    expect(callbackSecret(caller.key.password)).toBe('whsec_nlDvtaRON/s8mgaJ77ESAPTQcBEjR+hagraFz94eZ9o=');
  });
});

describe('a return URL', () => {
  const query = `payment_id=${paymentId}&trans_id=${attemptId}&order_id=order-7&hash=13188cfca6468465934a7a3bb84a66a52e5dcd04`;
  const table = [
    ['https://shop.example/done', `https://shop.example/done?${query}`],
    ['https://shop.example/done?lang=de&x=%20y', `https://shop.example/done?lang=de&x=%20y&${query}`],
    ['https://shop.example/done?', `https://shop.example/done?${query}`],
    ['https://shop.example/done?a=b&', `https://shop.example/done?a=b&${query}`],
    ['https://shop.example/done#part', `https://shop.example/done?${query}#part`],
    ['https://shop.example/#/app?x=y', `https://shop.example/?${query}#/app?x=y`],
    ['https://shop.example', `https://shop.example?${query}`],
  ] as const;
  it.each(table)('%s', (url, address) => {
    expect(signedReturnUrl(url, payment, caller)).toBe(address);
    expect(URL.canParse(address)).toBe(true);
  });

  it('has no trans_id if there was no attempt', () => {
    expect(signedReturnUrl('https://shop.example/', { ...payment, attemptId: null, card: null }, caller)).toBe(
      `https://shop.example/?payment_id=${paymentId}&order_id=order-7&hash=13188cfca6468465934a7a3bb84a66a52e5dcd04`,
    );
  });

  it('has method and brand if the mapping option is on', () => {
    const requested = mapped({ redirectParameters: true });
    expect(signedReturnUrl('https://shop.example/', payment, requested)).toMatch(/&payment_method=card&brand=visa$/);
    const wallet: Payment = { ...payment, digitalWallet: 'applepay', card: null };
    expect(signedReturnUrl('https://shop.example/', wallet, requested)).toMatch(/&payment_method=applepay$/);
  });
});

describe('responses', () => {
  it('show a status', () => {
    expect(statusResponse(payment, null, caller)).toEqual({
      payment_id: paymentId,
      date: '2026-03-01 12:00:05',
      status: 'settled',
      order: { number: 'order-7', amount: '84.50', currency: 'EUR', description: 'Zwei Schüsseln & more' },
      customer: { name: 'Ana Maria Petrović', email: 'ana@example.com' },
    });
  });

  it('contain the reason of a decline and no unknown ARN', () => {
    const declined = {
      ...payment,
      state: 'declined' as const,
      reason: 'Declined by processing',
      cardToken: 'f'.repeat(64),
    };
    const requested = mapped({ statusFields: ['ARN', 'card', 'card_expiration_date', 'brand', 'initiator'] });
    expect(statusResponse(declined, { ...attempt, providerData: {} }, requested)).toEqual({
      payment_id: paymentId,
      date: '2026-03-01 12:00:05',
      status: 'decline',
      reason: 'Declined by processing',
      card_token: 'f'.repeat(64),
      order: { number: 'order-7', amount: '84.50', currency: 'EUR', description: 'Zwei Schüsseln & more' },
      customer: { name: 'Ana Maria Petrović', email: 'ana@example.com' },
      card: '411111****1111',
      card_expiration_date: '01/2038',
      brand: 'visa',
    });
  });

  it('report the outcome of a capture', () => {
    const capture = { ...attempt, kind: 'capture' as const };
    expect(captureResponse(payment, capture)).toEqual({
      payment_id: paymentId,
      status: 'settled',
      trans_status: 'SUCCESS',
      date: '2026-03-01 12:00:05',
      operation_id: attempt.id,
    });
    // Later changes of the payment are not in the response, so that a repeat gets the same one.
    expect(captureResponse({ ...payment, state: 'refund' }, capture)).toEqual(captureResponse(payment, capture));
    const failed = { ...capture, status: 'fail' as const, declineReason: 'No' };
    expect(captureResponse({ ...payment, state: 'pending' }, failed)).toMatchObject({
      status: 'pending',
      trans_status: 'FAIL',
      reason: 'No',
    });
  });

  it('report the outcome of a void', () => {
    const order = { number: 'order-7', amount: '84.50', currency: 'EUR', description: 'Zwei Schüsseln & more' };
    expect(
      voidResponse({ ...payment, state: 'void' }, { ...attempt, kind: 'void' }, { reversalWord: 'reversal' }),
    ).toEqual({
      payment_id: paymentId,
      status: 'void',
      payment_status: 'void',
      trans_status: 'SUCCESS',
      date: '2026-03-01 12:00:05',
      operation_id: attempt.id,
      order,
    });
    const unclear = { ...attempt, kind: 'void' as const, status: 'unknown' as const, finishedAt: null };
    expect(voidResponse(payment, unclear, { reversalWord: 'reversal' })).toMatchObject({
      status: 'settled',
      trans_status: 'UNDEFINED',
    });
  });
});
