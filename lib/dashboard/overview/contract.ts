// Data of the overview: amounts as text in the currency's decimals, counts and shares as numbers.
import type { Answer } from '../guard.ts';
import type { breakdown } from './breakdown.ts';
import type { overview } from './overview.ts';

export type { AttentionItem } from './attention.ts';
export type { Period } from './period.ts';

export type Overview = Answer<typeof overview>;

export type Breakdown = Answer<typeof breakdown>;

/** A number of the period and of the one before. */
export type Compared = Overview['payments'];

/** The settled volume in one currency. */
export type CurrencyVolume = Overview['volumes'][number];

/** By hour of the day: callbacks written and failed first attempts; null for hours that have not begun. */
export type HeatDay = Overview['heat'][number];
