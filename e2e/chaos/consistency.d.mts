/** The input of the consistency check; see consistency.mjs. */
export type Run = {
  journal: {
    key: string;
    kind: string;
    order: string;
    status: string;
    minor: string;
    original?: string;
    what?: string;
  }[];
  rows: {
    id: string;
    kind: string;
    status: string;
    minor: string;
    payment_id: string;
    order_number: string;
    state?: string;
    seconds: number;
  }[];
  inFlight: number;
  callbacks: { id: string; sequence: number; state: string; order_number: string }[];
  arrivals: (order: string) => number[];
  unresolved?: { payment_id: string; transaction_id: string; open: boolean }[];
  lateSeconds?: number;
  acknowledged: { order: string; action: string; transId: string; result: string }[];
};

export function violationsIn(day: Run): string[];
