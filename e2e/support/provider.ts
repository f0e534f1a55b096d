// The sandbox provider's test controls: faults, journal, chargebacks. The journal is the provider's record of money
// movements; tests compare Florin's data with it.
import { controlHeaders } from './clock.ts';

/** The outcome that replaces the operation's own; an amount needs its currency. */
export type Instead = {
  status?: 'approved' | 'authorized' | 'declined' | 'processing';
  amount?: string;
  currency?: string;
};

/**
 * The faults of the next calls about an order. `forget`, for status requests: the provider reports the key as never
 * received. `late`, for orders: the order arrives after `seconds` (up to 90), while the connection hangs. `answer`, for
 * orders: another outcome, which the provider also records.
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

/** Portal actions, and changes without a request: late approvals, withdrawn approvals. */
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
  /** The amount received so far of a payment made in parts. */
  received?: string;
  chargebacks: Chargeback[];
  card: string | null;
  /** The payer's IP address and browser as received, under the contract's names. */
  payer: { ip?: string; browser?: Record<string, unknown> };
  /** How often this key was received. */
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
    /** Sets a fault for calls about one order. */
    fault: ({ carriedOut = false, ...fault }: Fault, order: string) =>
      control('POST', '/faults', { ...fault, carried_out: carriedOut, order }),
    /** The collected and authorised amounts in order, as `sale 84.50`. */
    async moved(order: string): Promise<string[]> {
      const done = (await journal(order)).filter(
        ({ status, amount }) => ['approved', 'authorized'].includes(status) && Number(amount) !== 0,
      );
      return done.map(({ kind, operation, amount }) => `${kind === 'payment' ? operation : kind} ${amount}`);
    },
    /**
     * Charges a settled payment back: its remaining amount, or `amount`, which may exceed it or, with `currency`, be in
     * another currency.
     */
    chargeback: async (
      order: string,
      amount?: string,
      reasonCode?: string,
      more: { currency?: string; id?: string } = {},
    ): Promise<Chargeback> =>
      (await control('POST', '/chargebacks', { order, amount, reason_code: reasonCode, ...more })).chargeback,
    /** The merchant wins a chargeback and gets the amount back. */
    won: async (order: string, id: string): Promise<Chargeback> =>
      (await control('POST', '/chargebacks', { order, won: id })).chargeback,
    /** Performs a portal action on an order's latest payment or payout, or on the operation with `reference`. */
    portal: async (
      order: string,
      action: PortalAction,
      more: { amount?: string; reference?: string } = {},
    ): Promise<Entry> => (await control('POST', '/portal', { order, action, ...more })).operation,
  };
}
