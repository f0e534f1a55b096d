import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../e2e/support/text-table.ts';
import { translationsOf } from '../http/index.ts';
import { installmentsOf, installmentsText } from './installments.ts';

const textOf = (card: object | undefined, minor: bigint, language: 'en' | 'de' | 'ar' = 'en') => {
  const payment = { parameters: card ? { card } : {}, amountMinor: minor, currency: 'EUR' };
  const installments = installmentsOf([{ capabilities: { cardSets: ['BNG'] } }], payment);
  return installments && installmentsText(installments, translationsOf(language));
};
const parametersOf = (months: string, plan: string, delay: string) => ({
  bnrg_installm_months: months,
  bnrg_installm_plan: plan,
  bnrg_installm_def: delay,
});

describe('monthly payments', () => {
  // months | plan | delay | amount in cents | what the page says
  const rows = rowsOf(`
    03 | 03 | 00 | 9000 | 3 monthly payments of €30.00, without interest.
    06 | 03 | 00 | 8450 | 6 monthly payments of ≈ €14.09, without interest.
    12 | 05 | 01 | 8450 | 12 monthly payments. Your bank adds interest. The first payment is due in a month.
    03 | 03 | 01 | 9000 | 3 monthly payments of €30.00, without interest. The first payment is due in a month.
    01 | 03 | 00 | 9000 | -
    01 | 07 | 01 | 9000 | The first payment is due in a month.
    06 | 07 | 00 | 9000 | -
  `);
  it.each(rows)('%s months by plan %s, %s: %s', (months = '', plan = '', delay = '', cents = '', expected = '') => {
    expect(textOf(parametersOf(months, plan, delay), BigInt(cents)) ?? '-').toBe(expected);
  });

  it('are not said without the parameters of the request', () => {
    expect(textOf(undefined, 9000n)).toBeUndefined();
    expect(textOf({ bnrg_installm_months: 'many', bnrg_installm_plan: '03' }, 9000n)).toBeUndefined();
  });

  it('are not said where no account uses them', () => {
    const payment = { parameters: { card: parametersOf('03', '03', '00') }, amountMinor: 9000n, currency: 'EUR' };
    expect(installmentsOf([{ capabilities: { cardSets: ['FCP'] } }], payment)).toBeUndefined();
  });

  it('have the plural of the language', () => {
    expect(textOf(parametersOf('03', '03', '00'), 9000n, 'ar')).toContain('3 دفعات شهرية');
  });
});
