// Whose values the examples of a page have, for somebody who has signed in.
import styles from './docs.module.css';

export function OwnNote({ merchant, accounts }: { merchant: string; accounts: readonly string[] }) {
  return (
    <p className={styles.note}>
      The examples have the sandbox key of {merchant}.{' '}
      {accounts.length > 0 ? `Payments go to its accounts ${accounts.join(', ')}.` : 'It has no merchant account yet.'}
    </p>
  );
}
