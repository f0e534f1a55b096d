// Data of the overview: amounts as text in the currency's decimals, counts and shares as numbers.
import type { Answer } from '../contract';
import type { overview } from './overview';

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

/** An alert; `strong` is the beginning of the sentence. */
export type AttentionItem = {
  kind: 'mid' | 'callbacks' | 'unknown' | 'unresolved' | 'chargebacks' | 'holds' | 'certificate';
  strong: string;
  rest: string;
  href: string;
  /** The text of the link. */
  action: string;
};

export type Overview = Answer<typeof overview>;

/** A number of the period and of the one before. */
export type Compared = Overview['payments'];

/** The settled volume in one currency. */
export type CurrencyVolume = Overview['volumes'][number];

export type DeclineLine = Overview['declines'][number];

export type MethodLine = Overview['methods'][number];

/** By hour of the day: callbacks written and failed first attempts; null for hours that have not begun. */
export type HeatDay = Overview['heat'][number];
