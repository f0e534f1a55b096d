import { describe, expect, it } from 'vitest';
import { bodyTextOf } from '../../http/index.ts';
import { answerOf } from '../routes.ts';
import { parseOrder, paymentShape, proceedShape, say, writeAnswer } from './wire.ts';

const payment = {
  reference: 'r-1',
  operation: 'sale',
  method: 'ips',
  amount: '84.50',
  currency: 'RSD',
  order: { number: '10428', description: '' },
  return_url: 'https://pay.example/return/1',
};

const present = { kind: 'qr', scheme: 'text', payload: 'x' } as const;
const operation = {
  id: 'o-1',
  key: 'r-1',
  kind: 'payment',
  decline: null,
  facts: { present, received: '20.00', extended: { a: 'b' } },
  currency: 'RSD',
  amountMinor: 8450n,
} as const;

/** What `parsed` returns, or the status and the code of its rejection. */
async function read(parsed: () => object): Promise<unknown> {
  let value: unknown;
  const answer = await answerOf(() => {
    value = parsed();
    return say({});
  });
  return answer.status === 200 ? value : [answer.status, JSON.parse(await bodyTextOf(answer)).error.code];
}

describe('an order', () => {
  it('keeps what a method needs, and names no value of what is wrong', async () => {
    const more = { payer: { identifier: 'mia' }, parameters: { sandbox: 'late' }, credentials: { fee_bearer: 'x' } };
    expect(await read(() => parseOrder(paymentShape, { ...payment, ...more }))).toMatchObject({
      ...more,
      minor: 8450n,
    });
    const refused = await answerOf(() => say(parseOrder(paymentShape, { ...payment, credentials: 'the-secret' })));
    expect(refused.status).toBe(400);
    const text = await bodyTextOf(refused);
    expect(text).toContain('credentials');
    expect(text).not.toContain('the-secret');
  });
});

describe('an answer of the payer', () => {
  it.each<[unknown, unknown]>([
    [
      { reference: 'p', code: ' 123456 ' },
      { reference: 'p', code: '123456', minor: null },
    ],
    [
      { reference: 'p', renew: true, unheard: 'of' },
      { reference: 'p', renew: true, minor: null },
    ],
    [{ reference: 'p', renew: false }, [400, 'invalid_request']],
    [{ reference: 'p', code: '' }, [400, 'invalid_request']],
    [{ reference: 'p', code: 'x'.repeat(33) }, [400, 'invalid_request']],
    [{ code: '1' }, [400, 'invalid_request']],
    [undefined, [400, 'invalid_request']],
  ])('%o', async (body, expected) => {
    expect(await read(() => parseOrder(proceedShape, body))).toEqual(expected);
  });
});

describe('the answer about an operation', () => {
  it('has the amount that moved, voids and keys without an order excepted', () => {
    const moved = (change: object) => {
      const { amount, currency } = writeAnswer({ ...operation, status: 'approved', ...change }, '');
      return [amount, currency];
    };
    expect(moved({})).toEqual(['84.50', 'RSD']);
    expect(moved({ amountMinor: 1200n, currency: 'JPY' })).toEqual(['1200', 'JPY']);
    expect(moved({ facts: { amount: '80.00' } })).toEqual(['80.00', 'RSD']);
    expect(moved({ kind: 'void' })).toEqual([undefined, undefined]);
    expect(moved({ currency: 'XXX', amountMinor: 0n })).toEqual([undefined, undefined]);
  });

  it('shows something only while the payment is processing', () => {
    const answerOf = (status: Parameters<typeof writeAnswer>[0]['status']) =>
      writeAnswer({ ...operation, status }, 'https://pay.example');
    expect(answerOf('processing')).toEqual({
      reference: 'r-1',
      provider_reference: 'o-1',
      status: 'processing',
      amount: '84.50',
      currency: 'RSD',
      received: '20.00',
      extended: { a: 'b' },
      present,
    });
    for (const status of ['approved', 'authorized', 'declined', 'redirect'] as const) {
      expect(answerOf(status)).not.toHaveProperty('present');
      expect(answerOf(status)).not.toHaveProperty('received');
    }
    expect(answerOf('redirect').action?.url).toBe('https://pay.example/sandbox/redirect/o-1');
  });
});
