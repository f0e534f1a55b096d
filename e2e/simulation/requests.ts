// What the merchant's server asks for, and what it is answered.

import type { Merchant } from './merchants.ts';

/** The fields of a form. */
export type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the checks look at their values.
export type Body = any;

/** A request of the merchant's server, or of a user of the dashboard. `amount`: as it was sent. `key`: the idempotency key of a change. */
export type Asked = {
  /** With the key that has signed it. */
  merchant: Merchant;
  order: string;
  protocol: 'card' | 'apm' | 'checkout' | 'dashboard';
  action: string;
  amount: string | undefined;
  currency: string;
  key: string | undefined;
  at: number;
  /** When it was last sent. */
  triedAt: number;
  tries: number;
  /** The answer, and when it came; null as long as there is none. */
  answer: { at: number; status: number; body: Body } | null;
};

/** Whether it is a payment or payout over S2S, whose answer has the outcome. */
export const isSale = ({ action }: Asked) =>
  /^(SALE|DEBIT|CARD2CARD|RECURRING_SALE|RECURRING_DEBIT|CREDIT2CARD)$/.test(action);

/** The request that ordered a payment. Charges of a schedule have the number of their first order. */
export function orderedBy(asked: Asked[], number: string): Asked | undefined {
  const [order] = number.split('/');
  return asked.find((each) => each.order === order && (isSale(each) || each.action === 'session'));
}

/** A question about the payment of a transaction, else the last one of the order, asked when everything has come to rest. */
export type Question = { order: string; transId?: string; ask: () => Promise<string | undefined> };

/** Something of a merchant with the requests about it, signed by `as`. */
export type Belonging = { owner: Merchant; requests: (as: Merchant) => [Asked['protocol'], Fields][] };

/** A decision about an unresolved item; the note names it. `isSure`: each of its requests was answered. */
export type UserDecision = {
  item: string;
  user: string;
  transaction: string;
  decision: 'closed' | 'approved' | 'declined';
  note: string;
  status: number | null;
  isSure: boolean;
};

/** A callback that a user has sent again, or all of them (`*`): when the request was sent, and when it had ended. */
export type Resent = { callback: string; from: number; to: number };
