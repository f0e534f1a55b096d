// The encodings in which a card number or a canary word can occur in a file besides plain digits.
import { createHash } from 'node:crypto';

export type Form = { name: string; bytes: Buffer };

const groups = (number: string) => number.match(/\d{1,4}/g) ?? [];

/** Every encoding of a card number except plain digits, which the search reads directly. */
export function numberForms(number: string): Form[] {
  const spelled = [number, groups(number).join(' '), groups(number).join('-')];
  const reversed = [...number].reverse().join('');
  return [
    ...spelled.flatMap((text) => [...base64Forms(text), ...hexForms(Buffer.from(text))]),
    ...base64Forms(reversed),
    ...hexForms(Buffer.from(number, 'utf16le')),
    ...each('percent-encoded digits', [number], (text) => mapped(text, (digit) => `%3${digit}`)),
    ...each('percent-encoded separators', ['%20', '%2D', '%2d', '%C2%A0', '%E2%80%93'], (by) =>
      groups(number).join(by),
    ),
    ...each('twice percent-encoded separators', ['%2520', '%252D'], (by) => groups(number).join(by)),
    ...each('character references', [number], (text) => mapped(text, (digit) => `&#${48 + Number(digit)};`)),
    ...each('character references', [number], (text) => mapped(text, (digit) => `&#x3${digit};`)),
    ...each('JSON escapes', [number], (text) => mapped(text, (digit) => `\\u003${digit}`)),
    ...each('digits of other scripts', [0x660, 0x6f0, 0xff10], (zero) => inScript(number, zero, '')),
    ...each('digits of other scripts', [0x660, 0x6f0, 0xff10], (zero) => inScript(number, zero, ' ')),
    // As bytes, a number of zeros occurs in any file.
    ...(number.includes('000000') ? [] : binaryForms(number)),
    ...hashForms(number),
  ];
}

/** The encodings of a canary word, itself included. */
export function wordForms(word: string): Form[] {
  return [
    { name: 'the word', bytes: Buffer.from(word) },
    { name: 'capitals', bytes: Buffer.from(word.toUpperCase()) },
    { name: 'backwards', bytes: Buffer.from([...word].reverse().join('')) },
    { name: 'UTF-16', bytes: Buffer.from(word, 'utf16le') },
    ...base64Forms(word),
    ...hexForms(Buffer.from(word)),
  ];
}

function each<T>(name: string, all: T[], write: (one: T) => string): Form[] {
  return all.map((one) => ({ name, bytes: Buffer.from(write(one)) }));
}

const mapped = (text: string, write: (digit: string) => string) => [...text].map(write).join('');

function inScript(number: string, zero: number, between: string): string {
  return groups(number)
    .map((group) => mapped(group, (digit) => String.fromCodePoint(zero + Number(digit))))
    .join(between);
}

// Base64 has three alignments; characters that neighbouring bytes can change are cut off at both ends.
function base64Forms(text: string): Form[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      .toString('base64')
      .replace(/=+$/, '');
    const tail = (offset + Buffer.byteLength(text)) % 3 === 0 ? undefined : -1;
    return { name: 'Base64', bytes: Buffer.from(encoded.slice(offset === 0 ? 0 : offset + 1, tail)) };
  });
}

function hexForms(bytes: Buffer): Form[] {
  const hex = bytes.toString('hex');
  return [...new Set([hex, hex.toUpperCase()])].map((text) => ({ name: 'hexadecimal', bytes: Buffer.from(text) }));
}

// Binary numbers: packed decimals, 64-bit integers, PostgreSQL's numeric (base 10,000).
function binaryForms(number: string): Form[] {
  const packed = Buffer.from(number.length % 2 ? `0${number}` : number, 'hex');
  const little = Buffer.alloc(8);
  little.writeBigUInt64LE(BigInt(number) & 0xffffffffffffffffn);
  const fours = number.padStart(Math.ceil(number.length / 4) * 4, '0').match(/\d{4}/g) ?? [];
  const numeric = Buffer.alloc(fours.length * 2);
  for (const [at, four] of fours.entries()) numeric.writeUInt16LE(Number(four), at * 2);
  return [
    { name: 'packed decimal', bytes: packed },
    { name: '64-bit integer', bytes: little },
    { name: '64-bit integer', bytes: Buffer.from(little).reverse() },
    { name: 'numeric of PostgreSQL', bytes: numeric },
    { name: 'numeric of PostgreSQL', bytes: Buffer.from(numeric).swap16() },
  ];
}

// A hash without a key counts as the number: there are few enough numbers to try them all.
function hashForms(number: string): Form[] {
  return ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) => {
    const digest = createHash(algorithm).update(number).digest();
    const texts = [
      digest.toString('hex'),
      digest.toString('hex').toUpperCase(),
      digest.toString('base64').slice(0, 20),
    ];
    return [digest, ...texts.map((text) => Buffer.from(text))].map((bytes) => ({ name: 'hash without a key', bytes }));
  });
}
