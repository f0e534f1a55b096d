// The sandbox provider's test controls: faults, journal, chargebacks. The journal is the provider's record of money
// movements, to compare the service's data with.
import { controlHeaders } from './clock';

/** What an operation ends as instead; an amount needs its currency. */
export type Instead = {
  status?: 'approved' | 'authorized' | 'declined' | 'processing';
  amount?: string;
  currency?: string;
};

/**
 * What goes wrong with the next calls about an order. `forget`, of look-ups: the key is said never to have been received.
 * `late`, of orders: the order is on its way for `seconds` (up to 90) and arrives then, while the connection hangs.
 * `answer`, of orders: another outcome, recorded at the provider as well.
 */
export type Fault = {
  fault: 'error' | 'garbage' | 'reset' | 'hang' | 'forget' | 'late' | 'answer';
  call?: 'payment' | 'payout' | 'capture' | 'refund' | 'void' | 'proceed' | 'status';
  /** Whether the provider executes the request before the fault. */
  carriedOut?: boolean;
  calls?: number;
  seconds?: number;
  answer?: Instead;
};

/** Portal actions, and what the provider does by itself: late approvals, withdrawn approvals. */
export type PortalAction = 'approve' | 'decline' | 'capture' | 'refund' | 'void';

export type Chargeback = {
  id: string;
  amount: string;
  currency: string;
  date: string;
  reason_code: string;
  status: 'open' | 'won';
};

/** An entry of the provider's journal. */
export type Entry = {
  reference: string;
  kind: 'payment' | 'payout' | 'capture' | 'refund' | 'void' | 'proceed';
  operation: string | null;
  status: 'challenge' | 'redirect' | 'processing' | 'approved' | 'authorized' | 'declined';
  amount: string;
  currency: string;
  captured: string;
  refunded: string;
  voided: boolean;
  /** What has arrived so far of a payment made in parts. */
  received?: string;
  chargebacks: Chargeback[];
  card: string | null;
  /** The payer's IP address and browser as received, in the contract's names. */
  payer: { ip?: string; browser?: Record<string, unknown> };
  /** How often this key has arrived. */
  calls: number;
  original: string | null;
};

export type Provider = ReturnType<typeof providerAt>;

/** The controls of the provider of the server at `baseUrl`. */
export function providerAt(baseUrl: string) {
  async function control(method: string, path: string, body?: object) {
    const response = await fetch(`${baseUrl}/sandbox/provider${path}`, {
      method,
      headers: controlHeaders(),
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? {} : await response.json();
  }

  async function journal(order: string): Promise<Entry[]> {
    return (await control('GET', `/journal?order=${encodeURIComponent(order)}`)).operations;
  }

  return {
    journal,
    /** Orders a fault for calls about one order. */
    fault: ({ carriedOut = false, ...fault }: Fault, order: string) =>
      control('POST', '/faults', { ...fault, carried_out: carriedOut, order }),
    /** What moved or was held, as `sale 84.50`, in order. */
    async moved(order: string): Promise<string[]> {
      const done = (await journal(order)).filter(
        ({ status, amount }) => ['approved', 'authorized'].includes(status) && Number(amount) !== 0,
      );
      return done.map(({ kind, operation, amount }) => `${kind === 'payment' ? operation : kind} ${amount}`);
    },
    /**
     * The bank takes a settled payment back: all that is left of it, or an amount, which may be above it or, with `currency`,
     * in another one.
     */
    chargeback: async (
      order: string,
      amount?: string,
      reasonCode?: string,
      more: { currency?: string; id?: string } = {},
    ): Promise<Chargeback> =>
      (await control('POST', '/chargebacks', { order, amount, reason_code: reasonCode, ...more })).chargeback,
    /** The merchant wins a chargeback: its money comes back. */
    won: async (order: string, id: string): Promise<Chargeback> =>
      (await control('POST', '/chargebacks', { order, won: id })).chargeback,
    /** Does something at the portal to an order's latest payment or payout, or to the operation with `reference`. */
    portal: async (
      order: string,
      action: PortalAction,
      more: { amount?: string; reference?: string } = {},
    ): Promise<Entry> => (await control('POST', '/portal', { order, action, ...more })).operation,
  };
}
