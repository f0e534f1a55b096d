import { describe, expect, it, vi } from 'vitest';
import { type LoggedRequest, textMax, toRequestRow } from './record.ts';

function noted(body: unknown, changes: Partial<LoggedRequest> = {}) {
  return toRequestRow({
    protocol: 's2s_card',
    url: 'http://florin.test/s2s/card/post',
    address: '203.0.113.9',
    mediaType: null,
    userAgent: 'shop/1',
    merchantId: '0193ac5d-0000-7000-8000-000000000001',
    paymentId: null,
    unreadable: undefined,
    isFromAnyone: false,
    at: new Date('2026-11-20T12:00:00Z'),
    durationMs: 12.4,
    body,
    status: 200,
    answer: { result: 'SUCCESS' },
    errorCode: null,
    refusedAt: null,
    ...changes,
  });
}

const fieldsOf = (text: string) => Object.fromEntries(new URLSearchParams(text));

const sale = {
  action: 'SALE',
  client_key: 'k',
  order_id: '20261120155501222400',
  card_number: '4111 1111 1111 1111',
  card_cvv2: '123',
  payment_token: '{"data":"sealed"}',
  card_token: 'f'.repeat(64),
  payer_email: 'ana@example.com',
  parameters: { payer_account_number: '4242424242424242', ERS: { note: '5555555555554444' } },
  custom_data: { password: 'open sesame', basket: '7' },
  hash: 'abc123',
};

describe('a request in the log', () => {
  it('keeps signed values and nothing that can be used to pay or sign', () => {
    expect(fieldsOf(noted(sale).request)).toEqual({
      action: 'SALE',
      client_key: 'k',
      order_id: '20261120155501222400',
      card_number: '411111******1111',
      card_cvv2: '[scrubbed]',
      payment_token: '[scrubbed]',
      card_token: 'f'.repeat(64),
      payer_email: 'ana@example.com',
      'parameters[payer_account_number]': '[scrubbed]',
      'parameters[ERS][note]': '555555******4444',
      'custom_data[password]': '[scrubbed]',
      'custom_data[basket]': '7',
      hash: '[scrubbed]',
    });
  });

  it('keeps a hash only if it was rejected', () => {
    const rejected = { status: 400, errorCode: 100000, refusedAt: 'signature' };
    expect(fieldsOf(noted(sale, rejected).request).hash).toBe('abc123');
    expect(fieldsOf(noted(sale, { ...rejected, refusedAt: 'run' }).request).hash).toBe('[scrubbed]');
  });

  it('keeps a rejected hash with many digits, but no card number in its place', () => {
    const rejected = { status: 400, errorCode: 100000, refusedAt: 'signature' };
    const hashOf = (hash: string) => fieldsOf(noted({ ...sale, hash }, rejected).request).hash;
    for (const hash of ['94111111111111111abcdefabcdefabc', 'ABCDEF94111111111111111ABCDEFABCDEFABCDE'])
      expect(hashOf(hash)).toBe(hash);
    expect(hashOf('4111111111111111abcdefabcdefabcd')).not.toContain('4111111111111111');
    expect(hashOf('4111111111111111')).toBe('411111******1111');
  });

  it('does not keep an unknown key: it may be a password', () => {
    const { request, merchantId } = noted({ ...sale, client_key: 'a'.repeat(32) }, { merchantId: null });
    expect(fieldsOf(request).client_key).toBe('[unknown, 32 characters]');
    expect(merchantId).toBeNull();
  });

  it('has the length of a body that could not be read, and none of its text', () => {
    const refused = { unreadable: 213, refusedAt: 'body', status: 400, errorCode: 100000 };
    expect(noted(undefined, refused).request).toBe('[unreadable body of 213 bytes]');
    expect(noted(undefined, { ...refused, unreadable: undefined }).request).toBe('');
  });

  it.each([
    ['JSON', '{"card_number":"4111111111111111","card_cvv2":"987"}'],
    ['XML', '<card_number>4111111111111111</card_number><card_cvv2>987</card_cvv2>'],
    ['lines', 'card_number:4111111111111111\ncard_cvv2:987'],
  ])('has no text of %s that was sent as a form: it is the name of a field', (_format, text) => {
    expect(fieldsOf(noted({ [text]: '' }).request)).toEqual({ [`[name of ${text.length} characters]`]: '[scrubbed]' });
  });

  it.each(['s2s_card', 'checkout'] as const)(
    'has no card number with control characters in a value of %s',
    (protocol) => {
      for (const separator of ['\0', '\u0001', '\ufffd', '\ud800']) {
        const note = [...'4111111111111111'].join(separator);
        const { request } = noted({ note, [note]: 'x' }, { protocol });
        expect(decodeURIComponent(request).replace(/\\u[0-9a-f]{4}|\P{ASCII}|\p{Cc}/gu, '')).not.toContain(
          '4111111111',
        );
      }
    },
  );

  it.each([
    ['answered', { isFromAnyone: true }, true],
    ['without a known merchant', { isFromAnyone: true, merchantId: null, refusedAt: 'merchant' }, true],
    ['refused, so that the merchant finds the reason', { isFromAnyone: true, refusedAt: 'signature' }, false],
  ])('that anyone can have sent has a short text, or the whole one: %s', (_, changes, isShort) => {
    const long = { order_description: 'x'.repeat(2000) };
    const { request, response } = noted(long, { answer: long, ...changes });
    for (const text of [request, response])
      isShort ? expect(text).toHaveLength(1025) : expect(text).toContain(long.order_description);
  });

  it.each(['4111.1111.1111.1111', '4111/1111/1111/1111', '4111  1111  1111  1111', '4111,1111,1111,1111'])(
    'masks %s in any text, as the payment does',
    (number) => {
      expect(fieldsOf(noted({ order_description: `Card ${number}`, foo: number }).request)).toEqual({
        order_description: 'Card 411111******1111',
        foo: '411111******1111',
      });
    },
  );

  it('masks a card number but no other digits in an order number', () => {
    expect(noted({ order_id: '4111111111111111' }).orderNumber).toBe('[card]');
    expect(noted({ order_id: '20261120155501222400' }).orderNumber).toBe('20261120155501222400');
  });

  it('cuts long texts and hides payment links', () => {
    const body = { order: { number: 'N-1' }, custom_data: { long: 'x'.repeat(10_000) }, note: ['y'.repeat(9_000)] };
    const answer = { redirect_url: 'https://pay.test/pay/abc.def-1?x=1', redirect_method: 'GET' };
    const row = noted(body, { protocol: 'checkout', answer });
    expect(row.request.length).toBeLessThanOrEqual(textMax + 1);
    expect(JSON.parse(row.request).order).toEqual({ number: 'N-1' });
    expect(row).toMatchObject({ action: '/s2s/card/post', orderNumber: 'N-1', opened: true });
    expect(JSON.parse(row.response).redirect_url).toBe('https://pay.test/pay/[scrubbed]?x=1');
  });

  it('cuts the texts of a response before they are scrubbed, and no card number in half', () => {
    const response = (text: string) => JSON.parse(noted({}, { answer: { text } }).response).text;
    expect(response('x'.repeat(8_000))).toBe(`${'x'.repeat(4_096)}…`);
    expect(response(`${'x'.repeat(4_085)} 4111 1111 1111 1111`)).toBe(`${'x'.repeat(4_085)}…`);
  });

  it('scrubs the beginning of a long response only', () => {
    const replace = vi.spyOn(String.prototype, 'replace');
    try {
      noted({}, { answer: { texts: Array(1_000).fill('4111 1111 1111 1111 '.repeat(200)) } });
      const searched = replace.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
      // Each of the four million characters is searched several times otherwise.
      expect(searched).toBeLessThan(2_000_000);
    } finally {
      replace.mockRestore();
    }
  });

  it('finds the payment by an attempt only if the request succeeded', () => {
    const id = '0193ac5d-4a10-7c3b-8e22-51f0c8a4d7e3';
    expect(noted({ trans_id: id }).transactionId).toBe(id);
    expect(noted({ trans_id: id }, { refusedAt: 'signature' }).transactionId).toBeNull();
  });
});

it('a body that is cut before its order is recorded, with the order number of one that is not', () => {
  const a = Array.from({ length: 20 }, () => 'x'.repeat(4_200));
  const checkout = { protocol: 'checkout' as const, url: 'http://florin.test/api/v1/session' };
  const order = { number: '4111111111111111' };
  expect(noted({ merchant_key: 'k', parameters: { q: { a } }, order }, checkout).request).toContain('…');
  expect(noted({ merchant_key: 'k', order }, checkout).request).toContain('"order":{"number":"');
});
