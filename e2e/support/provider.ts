// The sandbox provider's guarded controls: faults to order, its books to read, a bank that takes money back. The books
// are the other side's word on what moved, against which the service's own words are checked.
import { controlHeaders } from './clock';

/** What goes wrong with the next calls about an order. */
export type Fault = {
  fault: 'error' | 'garbage' | 'reset' | 'hang';
  call?: 'payment' | 'payout' | 'capture' | 'refund' | 'void' | 'proceed' | 'status';
  /** Whether the provider does what was asked before it goes wrong. */
  carriedOut?: boolean;
  calls?: number;
};

/** A line of the provider's books. */
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
  card: string | null;
  /** What it was told of the payer's side, in the contract's names. */
  told: { ip?: string; browser?: Record<string, unknown> };
  /** How often this key has arrived. */
  calls: number;
  original: string | null;
};

export type Provider = ReturnType<typeof providerAt>;

/** The controls of the provider that stands beside the server at `baseUrl`. */
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
    fault: ({ fault, call, carriedOut = false, calls = 1 }: Fault, order: string) =>
      control('POST', '/faults', { fault, call, carried_out: carriedOut, calls, order }),
    /** What moved or was held, as `sale 84.50`, in order. */
    async moved(order: string): Promise<string[]> {
      const done = (await journal(order)).filter(
        ({ status, amount }) => ['approved', 'authorized'].includes(status) && Number(amount) !== 0,
      );
      return done.map(({ kind, operation, amount }) => `${kind === 'payment' ? operation : kind} ${amount}`);
    },
    /** The bank takes a settled payment back. */
    chargeback: (order: string, amount?: string, reasonCode?: string) =>
      control('POST', '/chargebacks', { order, amount, reason_code: reasonCode }),
  };
}
