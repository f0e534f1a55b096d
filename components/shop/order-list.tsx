// The visitor's latest orders, so that a closed payment page can be found again.
import Link from 'next/link';
import type { OrderRow } from '../../lib/sandbox/shop/order-model.ts';
import { shownAmount } from '../../lib/sandbox/shop/products.ts';
import { Status } from '../ui/status.tsx';
import styles from './order-list.module.css';

export function OrderList({ orders }: { orders: OrderRow[] }) {
  if (orders.length === 0) return null;
  return (
    <section aria-labelledby="recent" className={styles.recent}>
      <h2 id="recent">Your orders in this browser</h2>
      <ul>
        {orders.map(({ id, number, description, amount, currency, state }) => (
          <li key={id}>
            <span className={styles.what}>
              <Link href={`/shop/${id}`} prefetch={false}>
                {description}
              </Link>
              <span className={styles.number}>{number}</span>
            </span>
            <Status status={state ?? 'prepare'} />
            <span className="figures">{shownAmount(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
