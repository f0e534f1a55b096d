// What a page in the payer's language needs, as one value: the translator and the few formats that
// depend on the language. Only types, so that components and the core can name it without importing
// the messages; lib/i18n makes the value.

import type { LocaleCode } from './locales';

/** Values that an ICU message may name. */
export type MessageValues = Record<string, string | number>;

/** A message of messages/en.json by its flat key, still to be put into words. */
export type Message = { key: string; values?: MessageValues };

/**
 * An amount as the payer reads it. `text` is the whole; `parts` is the same text cut up, so that a
 * letter code (RSD) can be set smaller than a symbol (€). Joined parts always equal `text`.
 */
export type AmountText = {
  text: string;
  parts: { kind: 'number' | 'symbol' | 'code' | 'space'; text: string }[];
};

export type Translations = {
  /** The contract's code of the language ('sp', 'zh-TW'). */
  code: LocaleCode;
  /** The same for `lang` ('es'). */
  lang: string;
  /** The same for Intl: Arabic keeps Latin digits ('ar-u-nu-latn'). */
  intl: string;
  dir: 'ltr' | 'rtl';
  t: (key: string, values?: MessageValues) => string;
  /** Whether there is a text of this key, for names that others give (a provider's own payment data). */
  has: (key: string) => boolean;
  /** Formats minor units by the payer's language and our own ISO 4217 exponents. */
  amount: (money: { minor: bigint; currency: string }) => AmountText;
  /** Day and time in UTC, the zone named; a script may show the same instant in the payer's zone. */
  dateTime: (at: Date) => string;
  /** Hour and minute in UTC, the zone named. */
  time: (at: Date) => string;
};
