import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../core/money.ts';
import { currencies, items, orderForm } from './form-schemas.ts';
import { actionsOf, noticeOf } from './order-model.ts';
import { amountFault } from './products.ts';

const order = { item: 'bowls', amount: '84.50', currency: 'EUR' };

describe('the order form', () => {
  it('takes what the shop offers', () => {
    for (const { id, amount, currency } of items) {
      expect(orderForm.safeParse({ item: id, amount, currency }).success).toBe(true);
      expect(parseAmount(amount, currency).ok).toBe(true);
      expect(currencies).toContain(currency);
    }
  });

  it('fills in what was not chosen', () => {
    expect(orderForm.parse({ ...order, amount: ' 84.50 ' })).toEqual({
      ...order,
      auth: false,
      recurring_init: false,
      req_token: false,
      language: '',
    });
  });

  it('lets zero pass for an authorisation and for a first recurring payment', () => {
    expect(orderForm.safeParse({ ...order, amount: '0.00' }).success).toBe(false);
    expect(orderForm.safeParse({ ...order, amount: '0.00', auth: true }).success).toBe(true);
    expect(orderForm.safeParse({ ...order, amount: '0.00', recurring_init: true }).success).toBe(true);
  });

  it('names each faulty field', () => {
    const parsed = orderForm.safeParse({ item: 'car', amount: '', currency: 'XXX', language: 'tlh' });
    const fields = parsed.error?.issues.map((issue) => issue.path.join('.'));
    expect(fields).toEqual(expect.arrayContaining(['item', 'amount', 'currency', 'language']));
  });
});

describe('what is wrong with an amount', () => {
  it.each([
    ['84.50', 'EUR', null],
    ['10000', 'EUR', null],
    ['10000.01', 'EUR', 'The shop sells nothing above 10,000.'],
    ['10001', 'JPY', 'The shop sells nothing above 10,000.'],
    ['1.5', 'JPY', 'JPY has no decimals.'],
    ['1.5001', 'KWD', 'KWD has 3 decimals.'],
    ['1,50', 'EUR', 'Write the amount as 84.50.'],
    ['1e3', 'KWD', 'Write the amount as 8.450.'],
    ['0', 'EUR', 'Only an authorisation or a first recurring payment may be zero.'],
  ])('%s %s: %s', (amount, currency, error) => {
    expect(amountFault(amount, currency, false)).toBe(error);
  });
});

describe('what a state allows', () => {
  it.each([
    ['pending', 8450n, 0n, ['capture', 'void']],
    ['settled', 8450n, 0n, ['refund', 'void']],
    ['settled', 6450n, 2000n, ['refund']],
    ['settled', 0n, 8450n, []],
    ['refund', 0n, 8450n, []],
    ['decline', 0n, 0n, []],
    [null, 0n, 0n, []],
  ] as const)('%s with %s left and %s refunded', (state, left, refunded, allowed) => {
    expect(actionsOf(state, left, refunded)).toEqual(allowed);
  });
});

describe('what a callback says', () => {
  // fields | type status state amount
  const table = `
    type=sale status=success order_status=settled order_amount=84.50            | sale success settled 84.50
    type=refund status=success order_status=refund order_amount=84.50           | refund success refund 84.50
    action=SALE result=SUCCESS status=SETTLED amount=84.50                      | sale success settled 84.50
    action=SALE result=SUCCESS status=PENDING amount=84.50                      | sale success pending 84.50
    action=SALE result=DECLINED status=DECLINED amount=84.50                    | sale fail decline 84.50
    action=SALE result=REDIRECT status=3DS amount=84.50                         | 3ds success 3ds 84.50
    action=SALE result=UNDEFINED status=PREPARE amount=84.50                    | sale undefined prepare 84.50
    action=RECURRING_SALE result=SUCCESS status=SETTLED amount=6.50             | recurring success settled 6.50
    action=CAPTURE result=SUCCESS status=SETTLED amount=50.00                   | capture success settled 50.00
    action=CREDITVOID result=SUCCESS status=REVERSAL amount=84.50               | refund success reversal 84.50
    action=VOID result=DECLINED status=SETTLED amount=84.50                     | void fail settled 84.50
    action=CHARGEBACK result=SUCCESS status=CHARGEBACK amount=84.50             | chargeback success chargeback 84.50
  `;
  const rows = table.trim().split('\n');
  it.each(rows)('%s', (row) => {
    const [fieldTexts = '', meant = ''] = row.split('|');
    const fields = fieldTexts
      .trim()
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]);
    expect(Object.values(noticeOf(fields)).join(' ')).toBe(meant.trim());
  });
});
