// How an approval may differ from the request in amount and currency.
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../e2e/support/text-table.ts';
import { parseAmount } from '../../core/money.ts';
import type { PaymentWithTransaction } from '../../core/payment.ts';
import type { Presentation } from '../../core/presentation.ts';
import { findDiscrepancy } from './outcome.ts';

const coins = { kind: 'crypto', address: 'G'.repeat(34), network: 'BTG', currency: 'BTG' } as const;

const presented: Record<string, { method: string; present?: Presentation }> = {
  card: { method: 'card' },
  transfer: { method: 'webpaygate' },
  'fixed coins': { method: 'awcc', present: { ...coins, amount: '1.5' } },
  'any coins': { method: 'crypto-btg', present: coins },
};

function both(shown: string): PaymentWithTransaction {
  const { method, present } = presented[shown] ?? { method: 'none' };
  const amounts = { amountMinor: 8450n, currency: 'EUR' };
  const transaction = { kind: 'sale', method, ...amounts, providerData: { ...(present && { present }) } };
  return { payment: { ...amounts, state: 'pending' }, transaction } as unknown as PaymentWithTransaction;
}

// What the payer saw, the approved amount of 84.50 EUR, and the difference.
const table = rowsOf(`
  card        | 84.50 EUR | none
  card        | 84.49 EUR | amount_mismatch
  card        | 84.50 USD | amount_mismatch
  transfer    | 84.49 EUR | underpaid
  transfer    | 84.51 EUR | overpaid
  transfer    | 84.50 USD | amount_mismatch
  fixed coins | 80.00 EUR | underpaid
  any coins   | 84.50 EUR | none
  any coins   | 0.01 EUR  | none
  any coins   | 99.00 EUR | none
  any coins   | 84.50 USD | amount_mismatch
  any coins   | 8450 JPY  | amount_mismatch`);

describe('findDiscrepancy', () => {
  it.each(table)('%s: %s is %s', (shown = '', text = '', wanted = '') => {
    const [decimal = '', currency = ''] = text.split(' ');
    const parsed = parseAmount(decimal, currency);
    if (!parsed.ok) throw new Error(text);
    const amount = { minor: parsed.minor, currency };
    const found = findDiscrepancy(both(shown), { kind: 'approved', amount, facts: {} });
    expect(found?.kind ?? 'none').toBe(wanted);
    if (wanted === 'amount_mismatch') expect(found?.amount).toEqual(amount);
  });
});
