// Checks the 21 message files: every text exists in every language, with the same arguments, valid ICU syntax and all
// plural forms of the language.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from 'vitest';
import { type LocaleCode, localeOf, locales } from '../core/locales.ts';
import { translationsOf } from './i18n.ts';

type Messages = Record<string, string>;

const folder = join(import.meta.dirname, '../../messages');

const read = (code: string): Messages => JSON.parse(readFileSync(join(folder, `${code}.json`), 'utf8'));

const english = read('en');
const keys = Object.keys(english);
const translations = locales.map((locale) => locale.code).filter((code) => code !== 'en');

/** The arguments of a message, its plural forms and its plain text. */
function shape(text: string): {
  names: Set<string>;
  plurals: { name: string; forms: string[] }[];
  tags: boolean;
  prose: string;
} {
  const found = {
    names: new Set<string>(),
    plurals: [] as { name: string; forms: string[] }[],
    tags: false,
    prose: '',
  };
  const walk = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal) found.prose += element.value;
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      if (element.type === TYPE.tag) {
        found.tags = true;
        walk(element.children);
        continue;
      }
      found.names.add(element.value);
      if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
      if (element.type === TYPE.plural)
        found.plurals.push({ name: element.value, forms: Object.keys(element.options) });
      for (const option of Object.values(element.options)) walk(option.value);
    }
  };
  walk(parse(text));
  return found;
}

// Texts that are the same in both languages.
const sameAsEnglish: Record<string, string[]> = {
  '*': ['sandbox.challenge'],
  ar: ['hint.expiry'],
  cs: ['details.reference'],
  de: [
    'details.bank',
    'details.memo',
    'field.card_holder',
    'field.code',
    'field.name',
    'field.optional',
    'sandbox.label',
  ],
  fr: ['field.code', 'parameter.ToProvince', 'receipt.date'],
  it: ['footer.privacy'],
  nb: ['details.bank', 'receipt.card', 'transfer.button'],
  nl: ['details.bank', 'details.memo', 'field.code', 'field.district', 'footer.privacy', 'parameter.product_name'],
  pl: ['details.bank', 'parameter.mobile_money_operator'],
  ro: ['pay.card', 'receipt.card'],
  sp: ['details.memo'],
};

// Letters of a foreign script, except in placeholders and proper names.
const foreign: Partial<Record<LocaleCode, RegExp>> = {
  ar: /[\p{Script=Latin}\p{Script=Cyrillic}]/u,
  bg: /[\p{Script=Latin}]/u,
  kk: /[\p{Script=Latin}]/u,
  ru: /[\p{Script=Latin}]/u,
  ja: /[\p{Script=Latin}\p{Script=Cyrillic}]/u,
  zh: /[\p{Script=Latin}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  'zh-TW': /[\p{Script=Latin}\p{Script=Hiragana}\p{Script=Katakana}]/u,
};
const traditional = /[請輸號關閉碼銀帳電腦紐網頁選擇確認繼續還後個為這當時間從們應經試]/;
const simplified = /[请输号关闭码银帐电脑网页选择确认继续还后个为这当时间从们应经试]/;

/** The text without arguments and the names that stay in Latin letters. */
const prose = (text: string): string =>
  shape(text).prose.replace(/3-D Secure|MM \/ YY|Apple Pay|Google Pay|PDF|Memo|Sort code/g, '');

describe('messages', () => {
  it('has one file per language of the contract', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(files.sort()).toEqual(locales.map((locale) => `${locale.code}.json`).sort());
  });

  it.each(locales.map((locale) => locale.code))('%s has the English keys in the English order', (code) => {
    expect(Object.keys(read(code))).toEqual(keys);
  });

  it.each(locales.map((locale) => locale.code))('%s is tidy', (code) => {
    for (const [key, text] of Object.entries(read(code))) {
      expect([key, text.trim()]).toEqual([key, text]);
      expect([key, text.length > 0]).toEqual([key, true]);
      expect([key, text.normalize('NFC')]).toEqual([key, text]);
      // A straight apostrophe starts a quotation in ICU syntax and disables the next argument.
      expect([key, /'|"| {2}|\.\.\.|!/.test(text)]).toEqual([key, false]);
      expect([key, foreign[code]?.exec(prose(text))?.[0]]).toEqual([key, undefined]);
    }
  });

  it.each(translations)('%s has the arguments of English and every plural form of its own', (code) => {
    const categories = new Intl.PluralRules(localeOf(code).intl).resolvedOptions().pluralCategories.sort();
    for (const [key, text] of Object.entries(read(code))) {
      const original = shape(english[key] ?? '');
      const own = shape(text);
      expect([key, [...own.names].sort()]).toEqual([key, [...original.names].sort()]);
      expect([key, own.tags]).toEqual([key, original.tags]);
      if (original.plurals.length > 0) expect([key, own.plurals.length]).toEqual([key, original.plurals.length]);
      for (const { name, forms } of own.plurals) {
        const named = forms.filter((form) => !form.startsWith('=')).sort();
        expect([key, name, named]).toEqual([key, name, categories]);
      }
    }
  });

  it.each(translations)('%s is translated, not copied', (code) => {
    const allowed = [...(sameAsEnglish['*'] ?? []), ...(sameAsEnglish[code] ?? [])];
    const copied = Object.entries(read(code)).filter(([key, text]) => text === english[key] && !allowed.includes(key));
    expect(copied).toEqual([]);
  });

  it.each(locales.map((locale) => locale.code))('%s is short where space is limited', (code) => {
    for (const [key, text] of Object.entries(read(code))) {
      const length = [...prose(text)].length;
      // Errors of documents are never beside another field.
      const errorMax = key.startsWith('error.document.') ? 64 : 40;
      if (key.startsWith('error.')) expect([key, text, length <= errorMax]).toEqual([key, text, true]);
      if (/^(field|details|parameter)\./.test(key)) expect([key, text, length <= 36]).toEqual([key, text, true]);
      if (/\.(button|check|stay|anotherWay|newWindow|reload|left|renew|done|here|copyCode)$/.test(key)) {
        expect([key, text, length <= 32]).toEqual([key, text, true]);
      }
    }
  });

  it.each(locales.map((locale) => locale.code))('%s can be formatted', (code) => {
    const { t } = translationsOf(code);
    const values = { count: 3, seconds: 5, expiry: '05/2038', amount: '84.50', time: '4:59', description: 'Bowls' };
    const names = 'merchant method number name to outcome currency network places contact document example check'.split(
      ' ',
    );
    const all = { ...values, ...Object.fromEntries(names.map((name) => [name, `<${name}>`])) };
    for (const key of keys) {
      const text = t(key, all);
      expect([key, /[{}#]/.test(text)]).toEqual([key, false]);
      for (const name of shape(english[key] ?? '').names) {
        expect([key, text.includes(String(all[name as keyof typeof all]))]).toEqual([key, true]);
      }
    }
  });

  it('counts seconds as each language does', () => {
    const inWords = (code: LocaleCode, seconds: number): string =>
      translationsOf(code).t('receipt.countdown', { seconds });
    expect(inWords('en', 1)).toBe('Returning automatically in 1 second.');
    expect(inWords('ru', 1)).toContain('1 секунду.');
    expect(inWords('ru', 3)).toContain('3 секунды.');
    expect(inWords('ru', 11)).toContain('11 секунд.');
    expect(inWords('pl', 22)).toContain('22 sekundy.');
    expect(inWords('pl', 12)).toContain('12 sekund.');
    expect(inWords('cs', 8)).toContain('8 sekund.');
    expect(inWords('ro', 20)).toContain('20 de secunde.');
    expect(inWords('ar', 2)).toContain('ثانيتين');
    expect(inWords('ar', 8)).toContain('8 ثوانٍ');
  });

  it('keeps the two Chinese scripts apart', () => {
    const only = (these: RegExp, those: RegExp): RegExp =>
      new RegExp(`[${[...these.source].filter((sign) => !those.source.includes(sign)).join('')}]`);
    for (const text of Object.values(read('zh'))) expect(text).not.toMatch(only(traditional, simplified));
    for (const text of Object.values(read('zh-TW'))) expect(text).not.toMatch(only(simplified, traditional));
  });
});
