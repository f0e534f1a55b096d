// The order of the payments list in the URL. Amounts of several currencies cannot be compared: the list is sorted by
// amount only with one currency filter, otherwise newest first.

export type ListOrder = 'newest' | 'oldest' | 'largest' | 'smallest';

/** The applied order, and whether the requested one needs a currency filter. */
export function orderOf(params: URLSearchParams): { order: ListOrder; waits: boolean } {
  const requested = params.get('sort');
  if (requested === 'oldest') return { order: requested, waits: false };
  if (requested !== 'largest' && requested !== 'smallest') return { order: 'newest', waits: false };
  const oneCurrency = /^[^,]+$/.test(params.get('currency') ?? '');
  return oneCurrency ? { order: requested, waits: false } : { order: 'newest', waits: true };
}

/** Labels of the links to the previous and the next page. */
export const orderLinkLabels: Readonly<Record<ListOrder, readonly [string, string]>> = {
  newest: ['Newer', 'Older'],
  oldest: ['Older', 'Newer'],
  largest: ['Larger', 'Smaller'],
  smallest: ['Smaller', 'Larger'],
};

/** The URL parameter of an order. */
export function orderParam(order: ListOrder): string | null {
  return order === 'newest' ? null : order;
}
