// Data of the overview: amounts as text in the currency's decimals, counts and shares as numbers.

/** A number of the period and of the one before. */
export type Compared = { now: number; before: number };

/** An amount in one currency of the period and of the one before. */
export type ComparedAmount = { now: string; before: string; change: number | null };

export type Period = {
  /** `today`, `7`, `30`, `90`, or `dates` for chosen days. */
  id: 'today' | '7' | '30' | '90' | 'dates';
  /** First and last day, as `2026-11-20`. */
  from: string;
  to: string;
  /** The previous period of the same length. */
  beforeFrom: string;
  beforeTo: string;
  /** Hours for one day, days for more. */
  unit: 'hour' | 'day';
  /** Each bucket's day, or hour of the day as `14`. */
  buckets: string[];
  /** The current bucket; null for a past period. */
  running: number | null;
};

/** The settled volume in one currency. */
export type CurrencyVolume = {
  currency: string;
  settled: ComparedAmount;
  refunded: ComparedAmount;
  payments: number;
  /** Methods by volume, at most six; the last one may be `other`. */
  methods: string[];
  /** By bucket and method: the settled volume, as text and as a number for drawing. */
  bars: { text: string; value: number }[][];
  /** The settled volume in the same bucket of the previous period. */
  before: { text: string; value: number }[];
};

export type DeclineLine = { class: string; now: number; before: number };

export type MethodLine = {
  method: string;
  payments: number;
  /** Shares from 0 to 1; null without completed attempts. */
  share: number;
  approved: number | null;
};

export type HeatDay = {
  day: string;
  /** By hour of the day: callbacks written and failed first attempts; null for hours that have not begun. */
  hours: ({ written: number; failed: number } | null)[];
};

/** An alert; `strong` is the beginning of the sentence. */
export type AttentionItem = {
  kind: 'mid' | 'callbacks' | 'unknown' | 'unresolved' | 'chargebacks' | 'holds' | 'certificate';
  strong: string;
  rest: string;
  href: string;
  /** The text of the link. */
  action: string;
};

export type Overview = {
  period: Period;
  attention: AttentionItem[];
  /** Currencies by their number of payments. */
  volumes: CurrencyVolume[];
  payments: Compared;
  /** Approved shares of the completed attempts; null if there are none. */
  approval: { now: number | null; before: number | null };
  /** By bucket. */
  approvals: (number | null)[];
  approvalsBefore: (number | null)[];
  attempts: number;
  /** The MID with the largest increase in declines, by bucket. */
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
