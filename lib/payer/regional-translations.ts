/**
 * Translations of a language in a region: the language's texts with the region's own words (messages/regions), and
 * amounts and dates as they are written there. Without a region they are those of lib/http/i18n.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslator } from 'next-intl';
import { isCryptocurrency } from '../core/currencies.ts';
import { type LocaleCode, localeOf } from '../core/locales.ts';
import { formatAmount, type Money } from '../core/money.ts';
import type { AmountText, MessageValues, Translations } from '../core/translations.ts';
import { translationsOf } from '../http/index.ts';
import { tagOf } from './region.ts';

type Messages = Record<string, string>;

/** Regions that share another tag's words; their own come on top. */
const parents: Record<string, string> = {
  'es-419': 'AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE',
  'pt-PT': 'AO CH CV GQ GW LU MO MZ ST TL',
  'en-US': 'AS GU MP PH PR UM VI',
  'en-GB': 'AU GG GI IM JE NZ',
  'de-CH': 'LI',
};

function readMessages(...path: string[]): Messages {
  const file = join(process.cwd(), 'messages', ...path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Messages) : {};
}

/** The texts of a region that differ from its language's, by key. */
export function regionalMessages(language: LocaleCode, region: string): Messages {
  const tag = tagOf(language, region);
  const parent = Object.keys(parents).find(
    (each) => each.startsWith(`${tag.slice(0, 2)}-`) && parents[each]?.split(' ').includes(region),
  );
  const own = { ...(parent && readMessages('regions', `${parent}.json`)), ...readMessages('regions', `${tag}.json`) };
  if ((parent ?? tag) !== 'de-CH') return own;
  // Switzerland writes no ß.
  const swiss = Object.entries(readMessages('de.json')).filter(([, text]) => text.includes('ß'));
  return { ...Object.fromEntries(swiss.map(([key, text]) => [key, text.replaceAll('ß', 'ss')])), ...own };
}

function translatorOf(intl: string, messages: Messages): (key: string, values?: MessageValues) => string {
  // The translator treats a dot in a key as nesting.
  const nested = Object.entries(messages).map(([key, text]) => [key.replaceAll('.', '/'), text]);
  const translate = createTranslator({
    locale: intl,
    messages: Object.fromEntries(nested) as Messages,
    timeZone: 'UTC',
    onError: (error) => {
      throw error;
    },
  }) as unknown as (key: string, values?: MessageValues) => string;
  return (key, values) => translate(key.replaceAll('.', '/'), values);
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(intl: string, currency: string, digits: number): Intl.NumberFormat {
  const key = `${intl} ${currency}`;
  const known = formats.get(key);
  if (known) return known;
  const least = isCryptocurrency(currency) ? Math.min(digits, 2) : digits;
  const made = new Intl.NumberFormat(intl, {
    style: 'currency',
    // Intl has no cryptocurrencies; their codes replace the placeholder currency.
    ...(isCryptocurrency(currency) ? { currency: 'XXX', currencyDisplay: 'code' } : { currency }),
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  });
  formats.set(key, made);
  return made;
}

/** An amount as a region writes it. Many currencies are a plain "$" at home: all but the US dollar also show their code. */
function amountIn(intl: string, { minor, currency }: Money): AmountText {
  const decimal = formatAmount(minor, currency);
  const format = formatOf(intl, currency, decimal.split('.')[1]?.length ?? 0);
  const parts: AmountText['parts'] = [];
  const add = (kind: AmountText['parts'][number]['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  // Decimal text, so that no amount becomes a floating-point number.
  for (const { type, value } of format.formatToParts(decimal as `${number}`)) {
    if (type === 'currency') {
      const sign = value === 'XXX' ? currency : value;
      // Without a mark, "R$" would be reversed in right-to-left text.
      const isMarked = intl.startsWith('ar') && /^[A-Z]+[^A-Z]$/.test(sign);
      add(sign === currency ? 'code' : 'symbol', isMarked ? `${sign}\u200e` : sign);
    } else add(type === 'literal' && /^[\s\u200e\u200f]+$/u.test(value) ? 'space' : 'number', value);
  }
  if (currency !== 'USD' && parts.some(({ text }) => text === '$')) {
    add('space', '\u00a0');
    add('code', currency);
  }
  return { text: parts.map(({ text }) => text).join(''), parts };
}

const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const;
const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;

function makeTranslations(language: LocaleCode, region: string): Translations {
  const base = translationsOf(language);
  const lang = tagOf(language, region);
  // Arabic uses Latin digits everywhere, as the payer compares amounts with a card and a statement.
  const intl = language === 'ar' ? `${lang}-u-nu-latn` : lang;
  const messages = regionalMessages(language, region);
  const own = translatorOf(localeOf(language).intl, messages);
  const dateTime = new Intl.DateTimeFormat(intl, { ...day, ...clock });
  const time = new Intl.DateTimeFormat(intl, clock);
  return {
    ...base,
    lang,
    intl,
    t: (key, values) => (Object.hasOwn(messages, key) ? own : base.t)(key, values),
    amount: (money) => amountIn(intl, money),
    dateTime: (at) => dateTime.format(at),
    time: (at) => time.format(at),
  };
}

const cached = new Map<string, Translations>();

/** The translations of a language in a region, created once; null: in no region. */
export function translationsIn(language: LocaleCode, region: string | null): Translations {
  if (region === null) return translationsOf(language);
  const tag = tagOf(language, region);
  const known = cached.get(tag);
  if (known) return known;
  const made = makeTranslations(language, region);
  cached.set(tag, made);
  return made;
}
