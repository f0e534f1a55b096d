// Types of the translated texts and formats of one language. Types only, so that components and the core do not import
// the messages; lib/i18n creates the value.

import type { LocaleCode } from './locales.ts';

/** Values that an ICU message may name. */
export type MessageValues = Record<string, string | number>;

/** A message of messages/en.json by its flat key, not yet translated. */
export type Message = { key: string; values?: MessageValues };

/** A displayed amount in parts, so that a letter code (RSD) can be smaller than a symbol (€); joined: `text`. */
export type AmountText = { text: string; parts: { kind: 'number' | 'symbol' | 'code' | 'space'; text: string }[] };

export type Translations = {
  /** The contract's code of the language ('sp', 'zh-TW'). */
  code: LocaleCode;
  /** The same for `lang` ('es'). */
  lang: string;
  /** The same for Intl: Arabic keeps Latin digits ('ar-u-nu-latn'). */
  intl: string;
  dir: 'ltr' | 'rtl';
  t: (key: string, values?: MessageValues) => string;
  /** Whether the key has a text, for names from outside (a provider's payment data). */
  has: (key: string) => boolean;
  /** Formats minor units by the payer's language and the ISO 4217 exponents of this project. */
  amount: (money: { minor: bigint; currency: string }) => AmountText;
  /** Day and time in UTC with the zone; a script may show the same instant in the payer's zone. */
  dateTime: (at: Date) => string;
  /** Hour and minute in UTC with the zone. */
  time: (at: Date) => string;
};
