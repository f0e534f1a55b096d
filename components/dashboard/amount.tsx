// An amount in a column: decimal points are aligned, and the currency has its own slot.

import { grouped } from '../../lib/core/money.ts';

export function AmountCell({ amount, currency }: { amount: string; currency: string }) {
  const [whole = '', decimals] = amount.split('.');
  return (
    <>
      <span className="figures font-strong">
        {grouped(whole)}
        {/* Space for three decimals, so that the points of all currencies are in one line. */}
        <span className="inline-block min-w-[3.5ch] text-start phone:min-w-0">
          {decimals === undefined ? '' : `.${decimals}`}
        </span>
      </span>{' '}
      <span className="inline-block w-[31px] text-start text-xs font-normal text-ink3 phone:w-auto">{currency}</span>
    </>
  );
}
