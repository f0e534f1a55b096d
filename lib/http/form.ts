// Form bodies both ways: bracket names become nested objects (`custom_data[a][]=b`), and nested values
// become bracket names again for callbacks. Written by hand, because signatures are made over exactly
// these texts: no byte may be guessed, and no name may reach an object's prototype.

import { ApiError, fieldErrorTexts, throwApiError, throwFieldErrors } from '../core/errors';
import { decodeBody, isReserved, isStorable, readBytes, textOf } from './body';

/** A decoded form: objects without prototype, texts at the leaves; a list is an object of its positions. */
export type Form = { [name: string]: string | Form };

/** What a form may hold: bytes of the body, names in brackets and the first one, fields. */
export type FormLimits = { bytes: number; depth: number; fields: number };

/** The limits of the S2S protocols; the deepest name is `parameters[cart][items][0][recipient][city]`. */
export const formLimits: FormLimits = { bytes: 256 * 1024, depth: 6, fields: 1000 };

/**
 * The request's body, `application/x-www-form-urlencoded` (also when no type is given) or
 * `multipart/form-data`, as nested objects. A name that comes twice is refused, since
 * a signature over one of two values proves nothing; `a[]` is another position each time. Throws the refusal
 * `requestDataInvalid` for another type, for what exceeds the limits, and for malformed, reserved or contradictory
 * names, uploaded files and texts that cannot be stored.
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

/** A form's text as nested objects; null for what {@link decodeForm} would refuse. */
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
    place(form, pathOf(name, limits.depth), value);
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

// A `%` that starts no escape stands for itself, as in every browser. The text holds one byte a character.
function unescapeText(text: string): string {
  const unescaped = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return textOf(Buffer.from(unescaped, 'latin1'));
}

// A segment in brackets may hold a list's position, as in `parameters[cart.items[0].name]`, and a name may go on after
// a bracket with a dot, as in `cart.items[0].name`: that is how the contract itself writes the fields of a list.
const namePattern = /^([^[\]]+)(?=\[|$)((?:\[(?:[^[\]]+(?:\[[0-9]+\][^[\]]*)*)?\]|\.[^.[\]]+)*)$/;
const segmentPattern = /\[((?:[^[\]]|\[[0-9]+\])*)\]|\.([^.[\]]+)/g;

// `a[b][]` is a, b and the next free position.
function pathOf(name: string, depth: number): string[] {
  const match = namePattern.exec(name);
  if (!match) return throwApiError('requestDataInvalid');
  const others = [...(match[2] as string).matchAll(segmentPattern)].map(
    ([, inBrackets, dotted]) => inBrackets ?? dotted,
  );
  const path = [match[1], ...others] as string[];
  if (path.length > depth || path.some(isReserved)) throwApiError('requestDataInvalid');
  return path;
}

function place(form: Form, path: string[], value: string): void {
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

/** What can be sent as a form: anything that JSON can hold. */
export type FormValue = string | number | boolean | null | undefined | readonly FormValue[] | FormFields;
export type FormFields = { readonly [name: string]: FormValue };

/**
 * Nested values as an `application/x-www-form-urlencoded` body with bracket names, in the order given
 * (protocol.md section 7). A value that is null or undefined is left out; an empty text is sent.
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
