import Link from 'next/link';
import styles from './not-found-message.module.css';

/** The text of the 404 page; `ofShop` for orders of the demo shop. */
export function NotFoundMessage({ ofShop = false }: { ofShop?: boolean }) {
  return (
    <div className={`wide ${styles.lost}`}>
      <h1>Page not found</h1>
      <p className="soft">
        {ofShop ? 'Orders of the demo shop are removed after one day. ' : ''}
        <Link href="/">Go to the home page</Link> or <Link href="/docs">read the documentation</Link>.
      </p>
    </div>
  );
}
