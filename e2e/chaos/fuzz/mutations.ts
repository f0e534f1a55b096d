// Mutations of valid inputs as arbitraries of fast-check, by the grammar of their format: the members of JSON, the fields
// of a form, the values of ASN.1. A seed repeats them, and fast-check minimises a failing input by removing mutations.
import fc from 'fast-check';
import { texts, units } from '../malformed-requests.ts';

/** Any JSON value. */
type Json = fc.JsonValue;

/** Texts with a meaning somewhere, random ones, and long ones that make careless regular expressions backtrack. */
export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...units),
        fc.constantFrom(30, 300, 3_000, 30_000, 240_000),
        fc.constantFrom('', ':', '="', '\0'),
      )
      .map(([unit, length, end]) => unit.repeat(Math.ceil(length / unit.length)) + end),
  },
);

const hostileJson: fc.Arbitrary<Json> = fc.oneof(
  hostileText,
  fc.constantFrom(7, -0, 1e308, 9_007_199_254_740_992, null, true, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 60 }).map((levels) => {
    let value: Json = 'x';
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
    return value;
  }),
);

const hostileName = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'order[0]', 'a[b][c][d]', 'a[]'), hostileText);

/** How often inputs stay as they are apart from `most` mutations at most. */
const some = <T>(mutation: fc.Arbitrary<T>, most = 4) => fc.array(mutation, { maxLength: most });

const byteEdit = fc.record({
  kind: fc.constantFrom('set', 'set', 'insert', 'remove', 'repeat', 'cut'),
  at: fc.nat(),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    // Bytes with a meaning in ASN.1, UTF-8, forms and JSON.
    fc.constantFrom(...[0x80, 0x00, 0x30, 0x24, 0xff, 0x25, 0x26, 0x3d, 0x22, 0x5c].map((byte) => Uint8Array.of(byte))),
  ),
});

type ByteEdit = typeof byteEdit extends fc.Arbitrary<infer Value> ? Value : never;

function withByteEdits(bytes: Buffer, edits: readonly ByteEdit[]): Buffer {
  let copy = bytes;
  for (const { kind, at, bytes: put } of edits) {
    const from = at % Math.max(copy.length, 1);
    const [before, rest] = [copy.subarray(0, from), copy.subarray(from)];
    if (kind === 'cut') copy = before;
    else if (kind === 'set') copy = Buffer.concat([before, put.subarray(0, 1), rest.subarray(1)]);
    else if (kind === 'insert') copy = Buffer.concat([before, put, rest]);
    else if (kind === 'remove') copy = Buffer.concat([before, rest.subarray(put.length)]);
    else copy = Buffer.concat([before, rest.subarray(0, 64), rest]);
  }
  return copy;
}

/** In most inputs the grammar is intact, so that the checks behind the reader are reached. */
const rareByteEdits = fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(byteEdit, 6) });

/** Mutations of bytes: set, inserted, removed, repeated, cut off. */
export const mutatedBytes = (corpus: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.constantFrom(...corpus), some(byteEdit, 6)).map(([bytes, edits]) => withByteEdits(bytes, edits));

const jsonEdit = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'delete', 'rename', 'add', 'repeat'),
  at: fc.nat(),
  name: hostileName,
  value: hostileJson,
});

type JsonEdit = typeof jsonEdit extends fc.Arbitrary<infer Value> ? Value : never;
type Member = { parent: { [name: string]: Json } | Json[]; name: string };

function membersOf(value: Json, found: Member[] = []): Member[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    found.push({ parent: value as Member['parent'], name });
    membersOf(inner as Json, found);
  }
  return found;
}

const setMember = (object: object, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

function withJsonEdit(value: Json, { kind, at, name, value: hostile }: JsonEdit): void {
  const members = membersOf(value);
  const member = members[at % Math.max(members.length, 1)];
  if (!member) return;
  const parent = member.parent as { [name: string]: Json };
  // Copies, so that no value contains itself after another mutation.
  const put = structuredClone(hostile);
  const old = structuredClone(parent[member.name]) as Json;
  if (kind === 'add' || Array.isArray(parent))
    setMember(parent, Array.isArray(parent) ? String(parent.length) : name, put);
  else if (kind === 'replace') setMember(parent, member.name, put);
  else {
    if (kind !== 'repeat') delete parent[member.name];
    if (kind !== 'delete') setMember(parent, name, old);
  }
}

/** Mutations of JSON values: members replaced, removed, renamed, added, repeated under other names. */
export const mutatedJson = (corpus: readonly object[]): fc.Arbitrary<Json> =>
  fc.tuple(fc.constantFrom(...corpus), some(jsonEdit)).map(([base, edits]) => {
    const value = structuredClone(base) as Json;
    for (const edit of edits) withJsonEdit(value, edit);
    return value;
  });

/** The same as bytes, and rarely with bytes changed; some repeat a member, which JSON.parse accepts. */
export const mutatedJsonBytes = (corpus: readonly object[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      mutatedJson(corpus),
      fc.boolean(),
      fc.constantFrom(...Array<'utf8'>(19).fill('utf8'), 'utf16le'),
      rareByteEdits,
    )
    .map(([value, spaced, encoding, edits]) =>
      withByteEdits(Buffer.from(JSON.stringify(value, null, spaced ? 1 : 0), encoding), edits),
    );

type Pairs = readonly (readonly [string, string])[];

const pairEdit = fc.record({
  kind: fc.constantFrom('value', 'value', 'name', 'delete', 'repeat', 'add', 'many'),
  at: fc.nat(),
  name: hostileName,
  value: hostileText,
});

/** Mutations of the fields of a form. */
export const mutatedPairs = (corpus: readonly Pairs[]): fc.Arbitrary<[string, string][]> =>
  fc.tuple(fc.constantFrom(...corpus), some(pairEdit)).map(([base, edits]) => {
    const pairs = base.map(([name, value]): [string, string] => [name, value]);
    for (const { kind, at, name, value } of edits) {
      const place = at % Math.max(pairs.length, 1);
      const old = pairs[place] ?? ['', ''];
      if (kind === 'value') pairs[place] = [old[0], value];
      else if (kind === 'name') pairs[place] = [name, old[1]];
      else if (kind === 'delete') pairs.splice(place, 1);
      else if (kind === 'repeat') pairs.push(old);
      else if (kind === 'add') pairs.push([name, value]);
      else
        pairs.push(
          ...Array.from({ length: at % 1200 }, (_, n): [string, string] => [`${name.slice(0, 20)}[]`, `${n}`]),
        );
    }
    return pairs;
  });

const formOf = (pairs: Pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();

/** What a client sends that is configured wrongly: another format or encoding under the type of a form. */
const wrongForms = fc.constantFrom<(pairs: Pairs) => Buffer>(
  (pairs) => Buffer.from(formOf(pairs), 'utf16le'),
  (pairs) => Buffer.from(JSON.stringify(Object.fromEntries(pairs))),
  (pairs) => Buffer.from(JSON.stringify(Object.fromEntries(pairs)), 'utf16le'),
  (pairs) => Buffer.from(pairs.map(([name, value]) => `<${name}>${value}</${name}>`).join('\n')),
  (pairs) => Buffer.from(formOf(pairs.map(([name, value]) => [name, [...value].join('\0')]))),
  (pairs) => Buffer.from(pairs.map(([name, value]) => `${name}: ${value}`).join('; ')),
);

/** Forms as application/x-www-form-urlencoded. */
export const mutatedForm = (corpus: readonly Pairs[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      mutatedPairs(corpus),
      fc.oneof(
        { weight: 9, arbitrary: fc.constant((pairs: Pairs) => Buffer.from(formOf(pairs))) },
        { weight: 1, arbitrary: wrongForms },
      ),
      rareByteEdits,
    )
    .map(([pairs, write, edits]) => withByteEdits(write(pairs), edits));

/** The boundary of {@link mutatedMultipart}. */
export const boundary = 'florin-fuzz-boundary';

const partHead = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('; filename="a.txt"', "; filename*=UTF-8''%ff", ';;', '; name="twice"') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\r\nContent-Type: application/octet-stream',
      '\r\nContent-Transfer-Encoding: base64',
      '\r\nx',
    ),
  },
);

/** Forms as multipart/form-data with {@link boundary}, with hostile part headers and nested boundaries. */
export const mutatedMultipart = (corpus: readonly Pairs[]): fc.Arbitrary<Buffer> =>
  fc.tuple(mutatedPairs(corpus), fc.array(partHead, { maxLength: 6 }), rareByteEdits).map(([pairs, heads, edits]) => {
    const parts = pairs.map(([name, value], place) => {
      const safe = name.replaceAll('"', '%22');
      return `--${boundary}\r\nContent-Disposition: form-data; name="${safe}"${heads[place] ?? ''}\r\n\r\n${value}\r\n`;
    });
    return withByteEdits(Buffer.from(`${parts.join('')}--${boundary}--\r\n`), edits);
  });

/** A value of ASN.1: its tag and its contents, which are values for a constructed one. */
type Asn1 = { tag: number; parts: Asn1[] | Buffer };

// The lengths of a valid file; null if the bytes are not values from end to end.
function readValues(bytes: Buffer): Asn1[] | null {
  const values: Asn1[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number;
    let length = bytes[at + 1] ?? 0x80;
    let from = at + 2;
    if (length === 0x80) {
      const end = bytes.lastIndexOf(Buffer.from([0, 0]));
      if (end < from) return null;
      values.push({ tag, parts: readValues(bytes.subarray(from, end)) ?? bytes.subarray(from, end) });
      return values;
    }
    if (length > 0x80) {
      const digits = length & 0x7f;
      if (digits > 4 || from + digits > bytes.length) return null;
      length = bytes.readUIntBE(from, digits);
      from += digits;
    }
    if (from + length > bytes.length) return null;
    const contents = bytes.subarray(from, from + length);
    values.push({ tag, parts: (tag & 0x20 ? readValues(contents) : null) ?? contents });
    at = from + length;
  }
  return values;
}

const lengthOf = (length: number) =>
  length < 0x80
    ? [length]
    : length < 0x100
      ? [0x81, length]
      : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];

function writeValue({ tag, parts }: Asn1): Buffer {
  const contents = Buffer.isBuffer(parts) ? parts : Buffer.concat(parts.map(writeValue));
  return Buffer.concat([Buffer.from([tag, ...lengthOf(contents.length)]), contents]);
}

const tags = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x17, 0x18, 0x1f, 0x24, 0x30, 0x31, 0xa0, 0xa3, 0x80];
const numbers = ['01', '00', '7fffffff', '0f4240', '80', 'ff', '00ffffffffffffffff'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

const asn1Edit = fc.record({
  kind: fc.constantFrom('contents', 'number', 'tag', 'delete', 'repeat', 'nest'),
  at: fc.nat(),
  tag: fc.constantFrom(...tags),
  bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  number: fc.constantFrom(...numbers),
});

type Asn1Edit = typeof asn1Edit extends fc.Arbitrary<infer Value> ? Value : never;

const everyValue = (list: Asn1[]): { list: Asn1[]; place: number }[] =>
  list.flatMap((value, place) => [{ list, place }, ...(Buffer.isBuffer(value.parts) ? [] : everyValue(value.parts))]);

function withAsn1Edit(values: Asn1[], { kind, at, tag, bytes, number }: Asn1Edit): void {
  const all = everyValue(values);
  // A new number replaces one: rounds, versions and serial numbers are few among many values.
  const numeric = all.filter(({ list, place }) => list[place]?.tag === 0x02);
  const chosen = kind === 'number' && numeric.length > 0 ? numeric : all;
  const { list, place } = chosen[at % Math.max(chosen.length, 1)] ?? { list: values, place: 0 };
  const value = list[place];
  if (!value) return;
  if (kind === 'delete') list.splice(place, 1);
  else if (kind === 'repeat') list.splice(place, 0, value);
  else if (kind === 'tag') list[place] = { ...value, tag };
  else if (kind === 'nest')
    list[place] = {
      tag,
      parts: Array.from({ length: 1 + (at % 60) }).reduce<Asn1[]>((inner) => [{ tag: 0x30, parts: inner }], [value]),
    };
  else list[place] = { ...value, parts: kind === 'number' ? number : bytes };
}

/** Mutations of ASN.1: values replaced, removed, repeated, nested and retagged with right lengths; then bytes. */
export const mutatedAsn1 = (corpus: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.constantFrom(...corpus), some(asn1Edit), rareByteEdits).map(([bytes, edits, byteEdits]) => {
    const values = readValues(bytes);
    if (!values || edits.length === 0) return withByteEdits(bytes, byteEdits);
    for (const edit of edits) withAsn1Edit(values, edit);
    return withByteEdits(Buffer.concat(values.map(writeValue)), byteEdits);
  });
