import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { OrderPage } from '../../../../components/shop/order.tsx';
import { env } from '../../../../lib/config/index.ts';
import {
  doorOf,
  findOrder,
  findOwn,
  readVisitor,
  receiveReturn,
  viewOf,
  visitorCookie,
} from '../../../../lib/sandbox/index.ts';

type Props = {
  params: Promise<{ order: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const orderOf = cache(async (id: string) => {
  if (env.appEnv !== 'sandbox') return null;
  return findOwn(id, readVisitor((await cookies()).get(visitorCookie())?.value));
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const order = await orderOf((await params).order);
  return { title: order ? `Order ${order.number}` : 'No such order' };
}

/** Where success_url, cancel_url, error_url, expiry_url and term_url_3ds of the demo shop lead. */
export default async function ShopOrder({ params, searchParams }: Props) {
  const order = await orderOf((await params).order);
  if (!order) notFound();
  const { back, ...query } = await searchParams;
  const door = doorOf(typeof back === 'string' ? back : undefined);
  const returned = door ? await receiveReturn(order, door, textsOf(query)) : null;
  const now = (await findOrder(order.id)) ?? order;
  return <OrderPage initial={await viewOf(now)} returned={returned} />;
}

function textsOf(query: Record<string, string | string[] | undefined>): Record<string, string> {
  const texts = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]);
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'));
}
