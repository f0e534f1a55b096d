// The overview as its page is given it: amounts as text in the currency's own decimals, counts and shares as numbers.

/** A number now and in the period before. */
export type Compared = { now: number; before: number };

/** An amount in one currency now and in the period before. */
export type ComparedAmount = { now: string; before: string; change: number | null };

export type Period = {
  /** `today`, `7`, `30`, `90`, or `dates` for days that were picked. */
  id: 'today' | '7' | '30' | '90' | 'dates';
  /** First and last day, as `2026-11-20`. */
  from: string;
  to: string;
  /** The period before, of the same length. */
  beforeFrom: string;
  beforeTo: string;
  /** Hours for one day, days for more. */
  unit: 'hour' | 'day';
  /** Each bucket's day, or hour of the day as `14`. */
  buckets: string[];
  /** The bucket that is not over yet; null for a period that is. */
  running: number | null;
};

/** What was settled in one currency. */
export type CurrencyVolume = {
  currency: string;
  settled: ComparedAmount;
  refunded: ComparedAmount;
  payments: number;
  /** Methods in the order of their volume, six at most; the last one may be `other`. */
  methods: string[];
  /** By bucket, by method: what was settled, as text and as a number for drawing. */
  bars: { text: string; value: number }[][];
  /** What was settled in the same bucket of the period before. */
  before: { text: string; value: number }[];
};

export type DeclineLine = { class: string; now: number; before: number };

export type MethodLine = {
  method: string;
  payments: number;
  /** Shares from 0 to 1; null where nothing has ended. */
  share: number;
  approved: number | null;
};

export type HeatDay = {
  day: string;
  /** By hour of the day: callbacks written and failed first tries; null for hours that have not begun. */
  hours: ({ written: number; failed: number } | null)[];
};

/** A sentence that somebody should act on; `strong` is its beginning. */
export type AttentionItem = {
  kind: 'mid' | 'callbacks' | 'unknown' | 'unresolved' | 'chargebacks' | 'holds' | 'certificate';
  strong: string;
  rest: string;
  href: string;
  /** What the link says. */
  action: string;
};

export type Overview = {
  period: Period;
  attention: AttentionItem[];
  /** Currencies by their number of payments. */
  volumes: CurrencyVolume[];
  payments: Compared;
  /** Approved shares of the attempts that have ended; null where there are none. */
  approval: { now: number | null; before: number | null };
  /** By bucket. */
  approvals: (number | null)[];
  approvalsBefore: (number | null)[];
  attempts: number;
  /** The account that declines most more than usual, by bucket. */
  worst: { name: string; rates: (number | null)[] } | null;
  chargebacks: Compared;
  declines: DeclineLine[];
  methods: MethodLine[];
  callbacks: {
    written: number;
    firstTry: number | null;
    firstTryBefore: number | null;
    waiting: number;
    givenUp: number;
  };
  heat: HeatDay[];
};
