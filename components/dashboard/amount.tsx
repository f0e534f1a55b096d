// An amount in a column: decimal points are aligned, and the currency has its own slot.

type Props = { amount: string; currency: string };

export function AmountCell({ amount, currency }: Props) {
  const [whole = '', decimals] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (
    <>
      <span className="figures font-strong">
        {decimals === undefined ? grouped : `${grouped}.${decimals}`}
        {decimals === undefined ? (
          <span aria-hidden="true" className="invisible phone:hidden">
            .00
          </span>
        ) : null}
      </span>{' '}
      <span className="inline-block w-[31px] text-start text-xs font-normal text-ink3 phone:w-auto">{currency}</span>
    </>
  );
}
