import type { Money } from './money.ts';
import type { IntervalUnit } from './recurrence.ts';

/** What a payer agrees to besides the payment: later charges of the card, or its storage. */
export type Agreement = {
  /** The card is saved without a payment. */
  isFree?: boolean;
} & (
  | {
      kind: 'schedule';
      /** Of each charge. */
      amount: Money;
      every: { count: number; unit: IntervalUnit };
      first: Date;
      /** The number of charges. */
      count: number;
    }
  | { kind: 'recurring' | 'token' }
);
