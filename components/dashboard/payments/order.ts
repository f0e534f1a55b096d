// The order of the list of payments, as the address bar says it. Amounts of several currencies have no order among them:
// by amount the list is ordered only while one currency is filtered by, and newest first otherwise.

export type ListOrder = 'newest' | 'oldest' | 'largest' | 'smallest';

/** The order that is shown, and whether another one was asked for that has to wait for a currency. */
export function orderOf(params: URLSearchParams): { order: ListOrder; waits: boolean } {
  const asked = params.get('sort');
  if (asked === 'oldest') return { order: asked, waits: false };
  if (asked !== 'largest' && asked !== 'smallest') return { order: 'newest', waits: false };
  const oneCurrency = /^[^,]+$/.test(params.get('currency') ?? '');
  return oneCurrency ? { order: asked, waits: false } : { order: 'newest', waits: true };
}

/** What the ways to the page before and to the one after are called. */
export const orderLinkLabels: Readonly<Record<ListOrder, readonly [string, string]>> = {
  newest: ['Newer', 'Older'],
  oldest: ['Older', 'Newer'],
  largest: ['Larger', 'Smaller'],
  smallest: ['Smaller', 'Larger'],
};

/** What the address bar says of an order. */
export function orderParam(order: ListOrder): string | null {
  return order === 'newest' ? null : order;
}
