// Reads request bodies with a size limit and decodes them: JSON, and forms with bracket names
// (`custom_data[a][]=b`). The decoders are strict, because signatures cover these exact texts and no name may reach an
// object's prototype. Also converts the errors of a schema to the contract's field errors.
import type { z } from 'zod';
import { ApiError, errors, type FieldError, fieldErrorTexts, throwApiError, throwFieldErrors } from '../core/errors.ts';
import { hasAtMost, repeatedName } from '../core/json.ts';
import { signatureHeader } from '../core/request-signature.ts';
import type { HttpRequest } from './route.ts';

/** The characters of a name. Errors repeat names. */
const nameMax = 1024;

/** Names with a meaning in JavaScript objects. A body that contains one is refused. */
const reserved = new Set(['__proto__', 'constructor', 'prototype']);

/** Reports whether a name leads to the prototype of objects, so that no body may contain it. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** Reports whether the database can store a text: without NUL and unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** The bytes of refused bodies, as long as their request is referenced. */
const rejectedLengths = new WeakMap<HttpRequest, number>();

/** Returns the length of a refused body in bytes; undefined for one that was too large or incomplete. */
export function rejectedLength(request: HttpRequest): number | undefined {
  return rejectedLengths.get(request);
}

/** The bytes of bodies with a request signature, as long as their request is referenced. */
const signedBodies = new WeakMap<HttpRequest, Uint8Array>();

/** Returns the raw body of a request with X-Florin-Signature; undefined for one without. */
export function signedBytes(request: HttpRequest): Uint8Array | undefined {
  return signedBodies.get(request);
}

/** Reads a response's body of at most `bytesMax` bytes; null for a larger one, in which case reading stops. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decodes a body, and keeps its length if it is refused. */
async function decodeBody<T>(request: HttpRequest, bytes: Uint8Array, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (thrown) {
    rejectedLengths.set(request, bytes.byteLength);
    throw thrown;
  }
}

/**
 * Reads a complete body of at most `bytesMax` bytes. Throws `requestDataInvalid` for a longer one as soon as its
 * declared length or the received bytes exceed the limit, and for an incomplete one.
 */
export async function readBytes(request: HttpRequest, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await read(request, bytesMax);
  if (request.headers.has(signatureHeader)) signedBodies.set(request, bytes);
  return bytes;
}

async function read(request: HttpRequest, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throwApiError('requestDataInvalid');
  const bytes = await request.bytes(bytesMax).catch(() => throwApiError('requestDataInvalid'));
  return bytes.byteLength > bytesMax ? throwApiError('requestDataInvalid') : bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8. Other bytes are refused, because a signature over replaced characters is meaningless. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return throwApiError('requestDataInvalid');
  }
}

/** The maximum size, nesting depth and number of values of a body; the body itself is depth 1. */
export type JsonLimits = { bytes: number; depth: number; values: number };

/** Checkout's limits. The contract's deepest field (a cart item's recipient) is at depth 7. */
export const jsonLimits: JsonLimits = { bytes: 256 * 1024, depth: 12, values: 5000 };

type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/**
 * Decodes the request's body to an object. Throws `requestDataInvalid` for a body that is too large, not UTF-8, not
 * JSON, not an object, too deep, or that contains a repeated, reserved or too long name or a text that cannot be stored
 * (interface.md, Errors: malformed fields).
 */
export async function decodeJson(request: HttpRequest, limits: JsonLimits): Promise<JsonObject> {
  const bytes = await readBytes(request, limits.bytes);
  return decodeBody(request, bytes, () => readObject(textOf(bytes), limits));
}

function readObject(text: string, limits: JsonLimits): JsonObject {
  // Many small values take longer to check than a long text.
  if (!hasAtMost(limits.values, text)) throwApiError('requestDataInvalid');
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return throwApiError('requestDataInvalid');
  inspectJson(body, '', limits.depth);
  const repeated = repeatedName(text);
  if (repeated !== null) throwFieldErrors([{ path: repeated, text: fieldErrorTexts.notValid }]);
  return body;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    return throwApiError('requestDataInvalid');
  }
}

// The depth limit also bounds this recursion.
function inspectJson(value: Json, path: string, depth: number): void {
  if (typeof value === 'string' && !isStorable(value)) throwFieldErrors([{ path, text: fieldErrorTexts.notValid }]);
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throwApiError('requestDataInvalid');
  for (const [name, inner] of Object.entries(value)) {
    if (name.length > nameMax || isReserved(name) || !isStorable(name)) throwApiError('requestDataInvalid');
    inspectJson(inner, path === '' ? name : `${path}.${name}`, depth - 1);
  }
}

/** A decoded form: objects without prototype with texts as leaves. A list is an object with its positions as names. */
export type Form = { [name: string]: string | Form };

/** The limits of a form: bytes of the body, depth of a name, number of fields. */
type FormLimits = { bytes: number; depth: number; fields: number };

/** The limits of the S2S protocols. The deepest name is `parameters[cart][items][0][recipient][city]`. */
export const formLimits: FormLimits = { bytes: 256 * 1024, depth: 6, fields: 1000 };

/**
 * Decodes a body of the type `application/x-www-form-urlencoded` (the default) or `multipart/form-data` to nested
 * objects. A repeated name is refused, because it would be unclear which value is signed; each `a[]` is a new position.
 * Throws `requestDataInvalid` for other types, exceeded limits, malformed, reserved or contradictory names, uploaded
 * files and texts that cannot be stored.
 */
export async function decodeForm(request: HttpRequest, limits: FormLimits): Promise<Form> {
  const type = request.headers.get('content-type') ?? '';
  const essence = type.split(';', 1)[0]?.trim().toLowerCase();
  const multipart = essence === 'multipart/form-data';
  if (!multipart && essence !== '' && essence !== 'application/x-www-form-urlencoded')
    throwApiError('requestDataInvalid');
  const bytes = await readBytes(request, limits.bytes);
  return decodeBody(request, bytes, async () =>
    formOf(
      multipart ? await multipartFields(bytes, type, limits.fields) : urlencodedFields(bytes, limits.fields),
      limits,
    ),
  );
}

/** Decodes the query of a request under the rules of {@link decodeForm}. */
export async function decodeQuery(request: HttpRequest, limits: FormLimits): Promise<Form> {
  const bytes = Buffer.from(new URL(request.url).search.slice(1));
  return decodeBody(request, bytes, () => formOf(urlencodedFields(bytes, limits.fields), limits));
}

/** Decodes a form's text to nested objects; null if {@link decodeForm} would refuse it with these limits. */
export function readFormText(text: string, limits: FormLimits = formLimits): Form | null {
  try {
    return formOf(urlencodedFields(Buffer.from(text), limits.fields), limits);
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

const partHeaderBytes = 1024;

/** A parameter of the content type that is read: a boundary of RFC 2046 without blanks, or the charset. */
const multipartParameter = /^(boundary|charset)=("?)([\w'()+,./:=?-]{1,70})\2$/i;

/**
 * The boundary that a content type names; undefined without one, or with what the parser of the body might read in
 * another way: escapes, further parameters, or one twice.
 */
function boundaryOf(type: string): string | undefined {
  const found = new Map<string, string>();
  for (const parameter of type.split(';').slice(1)) {
    if (parameter.trim() === '') continue;
    const [, name, , value] = multipartParameter.exec(parameter.trim()) ?? [];
    if (name === undefined || value === undefined || found.has(name.toLowerCase())) return undefined;
    found.set(name.toLowerCase(), value);
  }
  return found.get('boundary');
}

/** Whether a multipart body has few parts with short headers. The parser takes long for others. */
function isPlainMultipart(body: Buffer, boundary: string, partsMax: number): boolean {
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    const start = at + delimiter.length;
    const isEnd = body.toString('latin1', start, start + 2) === '--';
    if (!isEnd && !body.subarray(start, start + partHeaderBytes).includes('\r\n\r\n')) return false;
    parts += 1;
    if (parts > partsMax + 1) return false;
  }
  return true;
}

async function multipartFields(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  fieldsMax: number,
): Promise<[string, string][]> {
  const boundary = boundaryOf(type);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (boundary === undefined || !isPlainMultipart(body, boundary, fieldsMax))
    return throwApiError('requestDataInvalid');
  const data = await new Response(bytes, { headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` } })
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

const percent = 0x25;
const plus = 0x2b;
const space = 0x20;

// As in browsers, a `%` that starts no escape is literal. The text has one byte per character.
function unescapeText(text: string): string {
  // Most fields are ASCII without `%` and `+`.
  if (/^[ -$&-*,-~]*$/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = bytes[at] as number;
    const escaped = byte === percent ? hexadecimal(bytes, at + 1) * 16 + hexadecimal(bytes, at + 2) : Number.NaN;
    if (escaped >= 0) at += 2;
    bytes[length] = escaped >= 0 ? escaped : byte === plus ? space : byte;
    length += 1;
  }
  return textOf(bytes.subarray(0, length));
}

/** The value of a hexadecimal digit; NaN for another byte. */
function hexadecimal(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

// The contract writes fields of lists as `parameters[cart.items[0].name]` and `cart.items[0].name`, so a bracketed
// segment can contain a list position, and a dot can follow a bracket.
const namePattern = /^([^[\]]+)(?=\[|$)((?:\[(?:[^[\]]+(?:\[[0-9]+\][^[\]]*)*)?\]|\.[^.[\]]+)*)$/;
const segmentPattern = /\[((?:[^[\]]|\[[0-9]+\])*)\]|\.([^.[\]]+)/g;

// `a[b][]` becomes a, b and the next free position.
function pathOf(name: string, depth: number): string[] {
  const match = name.length <= nameMax && namePattern.exec(name);
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
    const name = placeIn(level, segment);
    const inner = level[name] ?? (Object.create(null) as Form);
    if (typeof inner === 'string') throwApiError('requestDataInvalid');
    level[name] = inner;
    level = inner;
  }
  const name = placeIn(level, path[last] as string);
  if (typeof level[name] === 'object') throwApiError('requestDataInvalid');
  if (level[name] !== undefined) throwFieldErrors([{ path: path.join('.'), text: fieldErrorTexts.notValid }]);
  level[name] = value;
}

/** The position after the highest one of each level that has positions. */
const nextPositions = new WeakMap<Form, number>();

/** The name of a segment in its level: an empty one has the next free position. */
function placeIn(level: Form, segment: string): string {
  const next = nextPositions.get(level) ?? 0;
  const name = segment === '' ? String(next) : segment;
  if (/^(0|[1-9][0-9]{0,8})$/.test(name)) nextPositions.set(level, Math.max(next, Number(name) + 1));
  return name;
}

/** A value of a form to send: any JSON value. */
export type FormValue = string | number | boolean | null | undefined | readonly FormValue[] | FormFields;
export type FormFields = { readonly [name: string]: FormValue };

/** Nested values as the fields of a form with bracket names (protocol.md 7). Null and undefined are omitted. */
export function formFields(fields: FormFields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value));
}

/** Encodes nested values as a form. */
export function encodeForm(fields: FormFields): string {
  return new URLSearchParams(formFields(fields)).toString();
}

function pairsOf(name: string, value: FormValue): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([inner, leaf]) => pairsOf(`${name}[${inner}]`, leaf as FormValue));
}

const knownMessages = new Set<string>([
  ...Object.values(fieldErrorTexts),
  ...Object.values(errors).map((row) => row.message),
]);

/** Returns the field errors of a parse in schema order, one per field. Paths contain no list positions. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  const fieldErrors = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const path = issue.path.filter((part) => typeof part === 'string').join('.');
    const text = knownMessages.has(issue.message) ? issue.message : fieldErrorTexts.notValid;
    // One error per field is enough.
    if (!fieldErrors.has(path)) fieldErrors.set(path, { path, text });
  }
  return [...fieldErrors.values()];
}
