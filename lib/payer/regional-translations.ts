/**
 * Translations of a language in a region: the language's texts with the region's own words (messages/regions), and
 * amounts and dates as they are written there. Without a region they are those of lib/http/i18n.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocaleCode, localeOf } from '../core/locales.ts';
import type { Money } from '../core/money.ts';
import { rememberLast } from '../core/remember.ts';
import type { AmountText, Translations } from '../core/translations.ts';
import { amountText, formatsOf, translationsOf, translatorOf } from '../http/index.ts';
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

/** An amount as a region writes it. Many currencies are a plain "$" at home: all but the US dollar also show their code. */
function amountIn(intl: string, money: Money): AmountText {
  const { text, parts } = amountText(intl, money);
  if (money.currency === 'USD' || !parts.some((part) => part.text === '$')) return { text, parts };
  const code: AmountText['parts'] = [
    { kind: 'space', text: '\u00a0' },
    { kind: 'code', text: money.currency },
  ];
  return { text: `${text}\u00a0${money.currency}`, parts: [...parts, ...code] };
}

function makeTranslations(language: LocaleCode, region: string): Translations {
  const base = translationsOf(language);
  const lang = tagOf(language, region);
  // Arabic uses Latin digits everywhere, as the payer compares amounts with a card and a statement.
  const intl = language === 'ar' ? `${lang}-u-nu-latn` : lang;
  const messages = regionalMessages(language, region);
  const own = translatorOf(messages, localeOf(language).intl);
  return {
    ...base,
    lang,
    intl,
    ...formatsOf(intl),
    t: (key, values) => (own.has(key) ? own : base).t(key, values),
    amount: (money) => amountIn(intl, money),
  };
}

// A request can name every language in every region, five thousand of 66 KB each.
const made = rememberLast<Translations>(100);

/** The translations of a language in a region; null: in no region. The last ones are remembered. */
export function translationsIn(language: LocaleCode, region: string | null): Translations {
  if (region === null) return translationsOf(language);
  return made(tagOf(language, region), () => makeTranslations(language, region));
}
