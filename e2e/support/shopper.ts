// A browser at the demo shop over HTTP: its cookies and the requests of the shop's pages.
import type { APIRequestContext, APIResponse } from '@playwright/test';
import { expect } from '@playwright/test';

export type Step = {
  kind: 'call' | 'callback' | 'return';
  name?: string;
  path?: string;
  url?: string;
  headers: [string, string][];
  request?: string;
  response?: string;
  status?: number;
  hashValid?: boolean;
  headerValid?: boolean;
  scheduled?: boolean;
  fields?: [string, string][];
};

/** The members of an order that the tests read. */
export type Order = {
  id: string;
  number: string;
  amount: string;
  currency: string;
  state: string | null;
  captured: string;
  refunded: string;
  left: string;
  actions: string[];
  toPay: { kind: string; url?: string } | null;
  subscription: { state: string; amount: string; scheduleId: string; firstDate: string; actions: string[] } | null;
  savedCard: { id: string; card: string; expiry: string } | null;
  again: { id: string; number: string }[];
  steps: Step[];
};

export const bowls = { product: 'bowls', quantity: 1 };
export const bread = { product: 'bread', quantity: 1 };

/** The test card that settles, as the shop's form submits it. */
export const typedCard = { number: '4111 1111 1111 1111', expiry: '01/38', cvv: '123' };

/** Whether the callback of a successful payment has arrived: a response alone does not settle an order. */
export function isTold({ state, captured, steps }: Order): boolean {
  if (state === 'pending') return steps.some(({ kind }) => kind === 'callback');
  return state === 'settled' && /[1-9]/.test(captured);
}

/** Uses the shop at `florin` with the cookies of `request`. */
export function shopper(request: APIRequestContext, florin: string) {
  const base = `${florin}/sandbox/shop`;
  const post = (path: string, data: object = {}) => request.post(base + path, { data, maxRedirects: 0 });

  const checkout = (changes: object = {}): Promise<APIResponse> =>
    post('/checkout', { lines: [bowls], currency: 'EUR', way: 's2s', ...changes });

  /** Places an order; returns its id and the payer's next step. */
  async function place(changes: object = {}): Promise<{ id: string; go: string }> {
    const placed = await checkout(changes);
    expect(placed.status(), await placed.text()).toBe(201);
    return placed.json();
  }

  const read = async (id: string): Promise<Order> => (await request.get(`${base}/orders/${id}`)).json();

  /** Waits until `done` accepts the order, and returns it. */
  async function until(id: string, done: (order: Order) => boolean): Promise<Order> {
    await expect.poll(async () => done(await read(id))).toBe(true);
    return read(id);
  }

  /** Places an order and pays it with the shop's own form; returns it after the callback. */
  async function buy(changes: object = {}): Promise<Order> {
    const { id } = await place(changes);
    const paid = await post(`/orders/${id}/sale`, typedCard);
    expect(paid.status(), await paid.text()).toBe(200);
    return until(id, isTold);
  }

  return { base, post, checkout, place, look: read, until, buy };
}

/** The callbacks of an order, as `SALE SUCCESS SETTLED` or `sale success settled`. */
export function toldOf({ steps }: Order): string[] {
  return steps.filter(({ kind }) => kind === 'callback').map((step) => fieldTexts(step));
}

function fieldTexts({ fields = [] }: Step): string {
  const values = new Map(fields);
  const names = values.has('action') ? ['action', 'result', 'status'] : ['type', 'status', 'order_status'];
  return names.map((name) => values.get(name)).join(' ');
}
