// Whose key the examples of a page contain, for a signed-in reader.
import styles from './article.module.css';

export function ReaderKeyNote({ merchant, accounts }: { merchant: string; accounts: readonly string[] }) {
  return (
    <p className={styles.note}>
      The examples contain the sandbox key of {merchant}.{' '}
      {accounts.length > 0 ? `Payments go to its MIDs ${accounts.join(', ')}.` : 'It has no MID yet.'}
    </p>
  );
}
