/**
 * Card data in addresses. They are used as they were sent, so that card data in them cannot be masked, and they are refused
 * instead. Order numbers and ids look like card numbers by chance: a number counts only under the name of one.
 */
import { isCardMember, withoutTracks } from './card-secrets.ts';
import { withPlainDigits } from './card-text.ts';
import { isCardNumber } from './cards.ts';

const cardName =
  /^(?:credit|debit|bank|payment|payer|payee|customer)?(?:pan|card|card(?:number|num|no|pan)|cc|cc(?:number|num|no)|primaryaccountnumber)$/;

/** Addresses in parameters of addresses are encoded once more. */
const decodings = 2;

/**
 * Whether an address has a card number under the name of one (`pan`, `card_number`), a security code under a name that is
 * one for certain (`cvv`) or beside a card number, or a track.
 */
export function hasCardData(address: string): boolean {
  const texts = [withPlainDigits(address)];
  for (let round = 0; round < decodings; round += 1) texts.push(withPlainDigits(decoded(texts.at(-1) ?? '')));
  return [...new Set(texts)].some((text) => withoutTracks(text) !== text || hasCardMember(pairsOf(text)));
}

const jsonMember = /"([^"]{1,40})"\s{0,8}:\s{0,8}"?([0-9][0-9 ._+-]{0,40})/g;

type Pair = { name: string; value: string; isParameter: boolean };

function hasCardMember(pairs: Pair[]): boolean {
  const numbers = pairs.filter(({ value }) => isCardNumber(value.replace(/[._+]/g, '')));
  return (
    numbers.some(({ name }) => cardName.test(name.toLowerCase().replace(/[^a-z]/g, ''))) ||
    pairs.some(
      ({ name, value, isParameter }) =>
        isParameter && isShort(value) && isCardMember(name, value, () => numbers.length > 0),
    )
  );
}

const isShort = (code: string) => /^[0-9]{3,4}$/.test(code.replace(/[\s+]/g, ''));

/** The parameters of an address, JSON members in them, and the segments of its path, named by the one before. */
function pairsOf(text: string): Pair[] {
  const parts = text.split(/[?&#;]/).map((part) => part.split('='));
  const members = [...text.matchAll(jsonMember)].map(([, name = '', value = '']) => ({
    name,
    value,
    isParameter: true,
  }));
  const written = parts.flatMap(([name = '', ...rest]) => {
    const segments = name.split('/');
    const value = rest.join('=');
    const ofPath = segments
      .slice(1)
      .map((segment, place) => ({ name: segments[place] ?? '', value: segment, isParameter: false }));
    return [...ofPath, { name: segments.at(-1) ?? '', value, isParameter: true }];
  });
  return [...written, ...members];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Of a malformed address, what can be read.
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
