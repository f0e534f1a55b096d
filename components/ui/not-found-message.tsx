import Link from 'next/link';
import styles from './not-found-message.module.css';

/** What stands at an address that leads nowhere. */
export function NotFoundMessage({ sandbox }: { sandbox: boolean }) {
  return (
    <div className={`wide ${styles.lost}`}>
      <h1>There is nothing at this address</h1>
      <p className="soft">
        {sandbox ? 'An order of the demo shop is kept for a day; afterwards its page is gone. ' : ''}
        <Link href="/">Go to the start</Link> or <Link href="/docs">read the documentation</Link>.
      </p>
    </div>
  );
}
