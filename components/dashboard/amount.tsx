// An amount in a column: the points of all rows stand under one another, the currency in a slot of its own.
import styles from './payments.module.css';

type Props = { amount: string; currency: string };

export function AmountCell({ amount, currency }: Props) {
  const [whole = '', decimals] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (
    <>
      <span className={`figures ${styles.number}`}>
        {decimals === undefined ? grouped : `${grouped}.${decimals}`}
        {decimals === undefined ? (
          <span aria-hidden="true" className={styles.pad}>
            .00
          </span>
        ) : null}
      </span>{' '}
      <span className={styles.currency}>{currency}</span>
    </>
  );
}
