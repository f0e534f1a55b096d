import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import { Shop } from '../../../components/shop/shop.tsx';
import { env } from '../../../lib/config/index.ts';
import { cardsOf, ordersOf, readVisitor, visitorCookie } from '../../../lib/sandbox/index.ts';

export const metadata: Metadata = { title: 'Demo shop' };

/** The demo shop, with what this browser has ordered and saved in it. */
export default async function ShopPage() {
  if (env.appEnv !== 'sandbox') notFound();
  const visitor = readVisitor((await cookies()).get(visitorCookie())?.value);
  const [cards, orders] = await Promise.all([cardsOf(visitor), ordersOf(visitor)]);
  return <Shop cards={cards} orders={orders} />;
}
