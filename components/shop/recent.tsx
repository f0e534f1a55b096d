'use client';
// The orders that this browser has placed, so that a payment page that was closed is no dead end.
import Link from 'next/link';
import { useSyncExternalStore } from 'react';
import { shownAmount } from './amount';
import styles from './recent.module.css';

type Recent = { id: string; description: string; amount: string; currency: string };

const storageKey = 'florin.shop.orders';
const keptMax = 5;
const none: Recent[] = [];

let known = none;
let read = '';

function recentOrders(): Recent[] {
  try {
    const text = localStorage.getItem(storageKey) ?? '[]';
    if (text === read) return known;
    read = text;
    known = JSON.parse(text) as Recent[];
  } catch {
    // A browser without storage, or with something else in this place, has no recent orders.
    known = none;
  }
  return known;
}

/** Puts an order at the head of the list. */
export function rememberOrder(order: Recent): void {
  const kept = [order, ...recentOrders().filter((each) => each.id !== order.id)].slice(0, keptMax);
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Nothing is lost but the list.
  }
}

const listen = (changed: () => void) => {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
};

export function RecentOrders() {
  const orders = useSyncExternalStore(listen, recentOrders, () => none);
  if (orders.length === 0) return null;
  return (
    <section aria-labelledby="recent" className={styles.recent}>
      <h3 id="recent">Your orders in this browser</h3>
      <ul>
        {orders.map(({ id, description, amount, currency }) => (
          <li key={id}>
            <Link href={`/shop/${id}`} prefetch={false}>
              {description}
            </Link>
            <span className="figures">{shownAmount(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
