// What the merchant's server asks for, and what it is answered.

/** The fields of a form. */
export type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the checks look at their values.
export type Body = any;

/** A request of the merchant's server. `amount`: as it was sent. `key`: the idempotency key of a change. */
export type Asked = {
  order: string;
  action: string;
  amount: string | undefined;
  key: string | undefined;
  at: number;
  /** The answer, and when it came; null as long as there is none. */
  answer: { at: number; status: number; body: Body } | null;
};

/** A question about a payment, asked when everything has come to rest: the order, and the state in the answer. */
export type Question = { order: string; ask: () => Promise<string | undefined> };
