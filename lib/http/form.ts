// Decodes form bodies with bracket names to nested objects (`custom_data[a][]=b`) and encodes nested values for
// callbacks. The decoder is strict, because signatures cover these exact texts and no name may reach an object's
// prototype.

import { ApiError, fieldErrorTexts, throwApiError, throwFieldErrors } from '../core/errors';
import { decodeBody, isReserved, isStorable, readBytes, textOf } from './body';

/** A decoded form: objects without prototype with texts as leaves. A list is an object with its positions as names. */
export type Form = { [name: string]: string | Form };

/** The limits of a form: bytes of the body, depth of a name, number of fields. */
export type FormLimits = { bytes: number; depth: number; fields: number };

/** The limits of the S2S protocols. The deepest name is `parameters[cart][items][0][recipient][city]`. */
export const formLimits: FormLimits = { bytes: 256 * 1024, depth: 6, fields: 1000 };

/**
 * Decodes a body of the type `application/x-www-form-urlencoded` (the default) or `multipart/form-data` to nested
 * objects. A repeated name is refused, because it would be unclear which value is signed; each `a[]` is a new position.
 * Throws `requestDataInvalid` for other types, exceeded limits, malformed, reserved or contradictory names, uploaded
 * files and texts that cannot be stored.
 */
export async function decodeForm(request: Request, limits: FormLimits): Promise<Form> {
  const type = request.headers.get('content-type') ?? '';
  const essence = type.split(';', 1)[0]?.trim().toLowerCase();
  const multipart = essence === 'multipart/form-data';
  if (!multipart && essence !== '' && essence !== 'application/x-www-form-urlencoded')
    throwApiError('requestDataInvalid');
  const bytes = await readBytes(request, limits.bytes);
  return decodeBody(request, bytes, async () =>
    formOf(multipart ? await multipartFields(bytes, type) : urlencodedFields(bytes, limits.fields), limits),
  );
}

/** Decodes a form's text to nested objects; null if {@link decodeForm} would refuse it. */
export function readFormText(text: string): Form | null {
  try {
    return formOf(urlencodedFields(Buffer.from(text), formLimits.fields), formLimits);
  } catch (thrown) {
    if (thrown instanceof ApiError) return null;
    throw thrown;
  }
}

function formOf(fields: [string, string][], limits: FormLimits): Form {
  const form: Form = Object.create(null);
  if (fields.length > limits.fields) throwApiError('requestDataInvalid');
  for (const [name, value] of fields) {
    if (!isStorable(name) || !isStorable(value)) throwApiError('requestDataInvalid');
    insert(form, pathOf(name, limits.depth), value);
  }
  return form;
}

async function multipartFields(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<[string, string][]> {
  const data = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .catch(() => throwApiError('requestDataInvalid'));
  return [...data.entries()].map(([name, value]) => {
    return typeof value === 'string' ? [name, value] : throwApiError('requestDataInvalid');
  });
}

function urlencodedFields(bytes: Uint8Array, fieldsMax: number): [string, string][] {
  const fields = Buffer.from(bytes)
    .toString('latin1')
    .split('&')
    .filter((field) => field !== '');
  if (fields.length > fieldsMax) throwApiError('requestDataInvalid');
  return fields.map((field) => {
    const equals = field.indexOf('=');
    if (equals < 0) return [unescapeText(field), ''];
    return [unescapeText(field.slice(0, equals)), unescapeText(field.slice(equals + 1))];
  });
}

// As in browsers, a `%` that starts no escape is literal. The text has one byte per character.
function unescapeText(text: string): string {
  const unescaped = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return textOf(Buffer.from(unescaped, 'latin1'));
}

// The contract writes fields of lists as `parameters[cart.items[0].name]` and `cart.items[0].name`, so a bracketed
// segment can contain a list position, and a dot can follow a bracket.
const namePattern = /^([^[\]]+)(?=\[|$)((?:\[(?:[^[\]]+(?:\[[0-9]+\][^[\]]*)*)?\]|\.[^.[\]]+)*)$/;
const segmentPattern = /\[((?:[^[\]]|\[[0-9]+\])*)\]|\.([^.[\]]+)/g;

// `a[b][]` becomes a, b and the next free position.
function pathOf(name: string, depth: number): string[] {
  const match = namePattern.exec(name);
  if (!match) return throwApiError('requestDataInvalid');
  const segments = [...(match[2] as string).matchAll(segmentPattern)].map(
    ([, inBrackets, dotted]) => inBrackets ?? dotted,
  );
  const path = [match[1], ...segments] as string[];
  if (path.length > depth || path.some(isReserved)) throwApiError('requestDataInvalid');
  return path;
}

function insert(form: Form, path: string[], value: string): void {
  const last = path.length - 1;
  let level = form;
  for (const segment of path.slice(0, last)) {
    const name = segment === '' ? nextPosition(level) : segment;
    const inner = level[name] ?? (Object.create(null) as Form);
    if (typeof inner === 'string') throwApiError('requestDataInvalid');
    level[name] = inner;
    level = inner;
  }
  const segment = path[last] as string;
  const name = segment === '' ? nextPosition(level) : segment;
  if (typeof level[name] === 'object') throwApiError('requestDataInvalid');
  if (level[name] !== undefined) throwFieldErrors([{ path: path.join('.'), text: fieldErrorTexts.notValid }]);
  level[name] = value;
}

function nextPosition(level: Form): string {
  const positions = Object.keys(level).filter((name) => /^(0|[1-9][0-9]{0,8})$/.test(name));
  return String(positions.reduce((next, name) => Math.max(next, Number(name) + 1), 0));
}

/** A value of a form to send: any JSON value. */
export type FormValue = string | number | boolean | null | undefined | readonly FormValue[] | FormFields;
export type FormFields = { readonly [name: string]: FormValue };

/**
 * Encodes nested values as `application/x-www-form-urlencoded` with bracket names, in their order (protocol.md section
 * 7). Null and undefined are omitted; an empty text is sent.
 */
export function encodeForm(fields: FormFields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value));
  return new URLSearchParams(pairs).toString();
}

function pairsOf(name: string, value: FormValue): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([inner, leaf]) => pairsOf(`${name}[${inner}]`, leaf as FormValue));
}
