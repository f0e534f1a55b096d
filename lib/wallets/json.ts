// A strict JSON parser. JSON.parse accepts duplicate names and converts amounts to floating-point numbers; a signed
// text must have one interpretation, and numbers keep their digits.

/** An object is a map, so that no name can collide with the prototype. */
export type JsonObject = ReadonlyMap<string, Json>;
export type JsonNumber = { readonly number: string };
export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

const space = '[ \\t\\n\\r]*';
const token = new RegExp(
  `${space}(?:([{}[\\],:])|("(?:[^"\\\\\\x00-\\x1f]|\\\\.)*")|(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)|(true|false|null))${space}`,
  'y',
);

/**
 * The object in `text`, or null if it is not a JSON object, nests deeper than `depthMax` (the object itself is 1),
 * repeats a name within one object, or contains an unpaired surrogate.
 */
export function readJsonObject(text: string, depthMax: number): JsonObject | null {
  try {
    const reader = readerOf(text);
    const value = valueAt(reader, depthMax);
    return reader.ended() && isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

/** The text under a name if it has 1 to `most` characters, otherwise null. */
export function textIn(object: JsonObject, name: string, most: number): string | null {
  const value = object.get(name);
  return typeof value === 'string' && value.length > 0 && value.length <= most ? value : null;
}

/** The digits of a non-negative integer under a name; null for anything else. */
export function digitsIn(object: JsonObject, name: string): string | null {
  const value = object.get(name);
  if (typeof value !== 'object' || value === null || !('number' in value)) return null;
  return /^(?:0|[1-9]\d{0,17})$/.test(value.number) ? value.number : null;
}

type Reader = { next: () => Token; ended: () => boolean };
type Token = { mark?: string; value?: Json };

function readerOf(text: string): Reader {
  let at = 0;
  return {
    next: () => {
      token.lastIndex = at;
      const match = token.exec(text);
      if (!match) throw new SyntaxError();
      at = token.lastIndex;
      const [, mark, quoted, digits] = match;
      if (mark !== undefined) return { mark };
      if (quoted !== undefined) return { value: textOf(quoted) };
      if (digits !== undefined) return { value: { number: digits } };
      return { value: JSON.parse(match[4] as string) as boolean | null };
    },
    ended: () => at === text.length,
  };
}

function textOf(quoted: string): string {
  const text = JSON.parse(quoted) as string;
  if (/\p{Surrogate}/u.test(text)) throw new SyntaxError();
  return text;
}

function valueAt(reader: Reader, depth: number, first: Token = reader.next()): Json {
  if (first.value !== undefined) return first.value;
  if (depth === 0) throw new SyntaxError();
  if (first.mark === '{') return objectAt(reader, depth);
  if (first.mark === '[') return listAt(reader, depth);
  throw new SyntaxError();
}

function objectAt(reader: Reader, depth: number): JsonObject {
  const object = new Map<string, Json>();
  let name = reader.next();
  if (name.mark === '}') return object;
  for (;;) {
    if (typeof name.value !== 'string' || object.has(name.value) || reader.next().mark !== ':') throw new SyntaxError();
    object.set(name.value, valueAt(reader, depth - 1));
    const { mark } = reader.next();
    if (mark === '}') return object;
    if (mark !== ',') throw new SyntaxError();
    name = reader.next();
  }
}

function listAt(reader: Reader, depth: number): readonly Json[] {
  const list: Json[] = [];
  let first = reader.next();
  if (first.mark === ']') return list;
  for (;;) {
    list.push(valueAt(reader, depth - 1, first));
    const { mark } = reader.next();
    if (mark === ']') return list;
    if (mark !== ',') throw new SyntaxError();
    first = reader.next();
  }
}
