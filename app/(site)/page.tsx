import { randomBytes } from 'node:crypto';
import { cookies } from 'next/headers';
import { Start } from '../../components/shop/start.tsx';
import { ServiceNotice } from '../../components/ui/service-notice.tsx';
import { checkoutBaseUrl, env } from '../../lib/config/index.ts';
import { fieldsShopUrl, isDemoReturn, sessionCurl } from '../../lib/core/demo-request.ts';
import { ordersOf, readVisitor, visitorCookie } from '../../lib/sandbox/index.ts';

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function StartPage({ searchParams }: { searchParams: Query }) {
  if (env.appEnv === 'production') return <ServiceNotice />;
  const query = (await searchParams) as Record<string, string | undefined>;
  const returned = query.hash ? { orderNumber: String(query.order_id ?? ''), genuine: isDemoReturn(query) } : null;
  const number = `demo-${randomBytes(4).toString('hex')}`;
  const checkoutUrl = checkoutBaseUrl();
  const curl = sessionCurl(checkoutUrl, number, env.baseUrl, 2);
  const orders = await ordersOf(readVisitor((await cookies()).get(visitorCookie())?.value));
  const fieldsUrl = fieldsShopUrl(env.baseUrl);
  return <Start baseUrl={checkoutUrl} fieldsUrl={fieldsUrl} curl={curl} returned={returned} orders={orders} />;
}
