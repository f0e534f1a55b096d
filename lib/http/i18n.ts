// Formats messages, amounts and dates in one of the 21 languages: messages/<code>.json in ICU syntax, amounts and dates
// by Intl. It does not use React, because the texts also go into JSON and errors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslator } from 'next-intl';
import { isCryptocurrency } from '../core/currencies.ts';
import { type LocaleCode, localeOf } from '../core/locales.ts';
import { formatAmount, type Money } from '../core/money.ts';
import { rememberLast } from '../core/remember.ts';
import type { AmountText, MessageValues, Translations } from '../core/translations.ts';

type Messages = Record<string, string>;

function readMessages(code: LocaleCode): Messages {
  const text = readFileSync(join(process.cwd(), 'messages', `${code}.json`), 'utf8');
  return JSON.parse(text) as Messages;
}

// The translator treats a dot in a key as nesting, and the keys are flat.
const nestedKey = (key: string): string => key.replaceAll('.', '/');

type Translate = (key: string, values?: MessageValues) => string;

/** The texts of these messages, by flat key. */
export function translatorOf(messages: Messages, intl: string): Pick<Translations, 't' | 'has'> {
  const byInnerKey = Object.fromEntries(Object.entries(messages).map(([key, text]) => [nestedKey(key), text]));
  const translate = createTranslator({
    locale: intl,
    messages: byInnerKey,
    timeZone: 'UTC',
    onError: (error) => {
      throw error;
    },
  }) as unknown as Translate;
  // Texts without arguments need no parser.
  const plain = new Map(Object.entries(messages).filter(([, text]) => !/[{}<>']/.test(text)));
  return {
    t: (key, values) => plain.get(key) ?? translate(nestedKey(key), values),
    has: (key) => Object.hasOwn(messages, key),
  };
}

const currencyFormats = rememberLast<Intl.NumberFormat>(500);

function currencyFormat(intl: string, currency: string, exponent: number): Intl.NumberFormat {
  return currencyFormats(`${intl} ${currency}`, () => {
    const least = isCryptocurrency(currency) ? Math.min(exponent, 2) : exponent;
    const digits = { minimumFractionDigits: least, maximumFractionDigits: exponent };
    // Intl has no cryptocurrencies; their codes replace the placeholder currency.
    const style = { style: 'currency', currency: isCryptocurrency(currency) ? 'XXX' : currency } as const;
    const currencyDisplay = isCryptocurrency(currency) ? 'code' : 'symbol';
    return new Intl.NumberFormat(intl, { ...style, ...digits, currencyDisplay });
  });
}

/** Formats an amount for `intl`, which gets decimal text, so that no amount becomes a floating-point number. */
export function amountText(intl: string, money: Money): AmountText {
  const text = formatAmount(money.minor, money.currency);
  const exponent = text.split('.')[1]?.length ?? 0;
  const format = currencyFormat(intl, money.currency, exponent);
  const parts: AmountText['parts'] = [];
  for (const part of format.formatToParts(text as `${number}`)) {
    const isSign = part.type === 'currency';
    const sign = isSign && isCryptocurrency(money.currency) ? money.currency : part.value;
    // Without a mark, "R$" would be reversed in right-to-left text.
    const text = isSign && intl.startsWith('ar') && /^[A-Z]+[^A-Z]$/.test(sign) ? `${sign}\u200e` : sign;
    const isSpace = part.type === 'literal' && /^[\s\u200e\u200f]+$/u.test(part.value);
    const kind = isSign ? (text === money.currency ? 'code' : 'symbol') : isSpace ? 'space' : 'number';
    const last = parts.at(-1);
    if (last && last.kind === kind) last.text += text;
    else parts.push({ kind, text });
  }
  return { text: parts.map((part) => part.text).join(''), parts };
}

// Most English-speaking payers here expect the day before the month.
const dateTag = (intl: string): string => (intl === 'en' ? 'en-GB' : intl);

const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const;
const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** The formats of amounts and dates of a language or region; `dates` is its tag for dates. */
export function formatsOf(intl: string, dates = intl): Pick<Translations, 'amount' | 'dateTime' | 'time'> {
  const dateTime = new Intl.DateTimeFormat(dates, { ...day, ...clock });
  const time = new Intl.DateTimeFormat(dates, clock);
  return {
    amount: (money) => amountText(intl, money),
    dateTime: (at) => dateTime.format(at),
    time: (at) => time.format(at),
  };
}

function makeTranslations(code: LocaleCode): Translations {
  const { bcp47, intl, dir } = localeOf(code);
  const dates = dateTag(intl);
  return { code, lang: bcp47, intl: dates, dir, ...translatorOf(readMessages(code), intl), ...formatsOf(intl, dates) };
}

const cachedTranslations = new Map<LocaleCode, Translations>();

/** The translations of a language, created once. Throws if the language's file is missing or invalid. */
export function translationsOf(code: LocaleCode): Translations {
  let translations = cachedTranslations.get(code);
  if (!translations) {
    translations = makeTranslations(code);
    cachedTranslations.set(code, translations);
  }
  return translations;
}
