// Models a request independently of the language: the body, and the terms of the hash from the signature recipes.
import type { Digest } from '../../core/signatures.ts';
import { type FormFields, formFields } from '../../http/index.ts';

/** A value of a signed text. */
export type Term =
  /** A field of the request, `order.amount`. */
  | { kind: 'field'; path: string }
  /** The first six and last four digits of a card number in the request. */
  | { kind: 'fragment'; path: string }
  /** A value that the request does not contain, such as the e-mail of the original payment. */
  | { kind: 'known'; name: string; text: string }
  | { kind: 'password' };

type TermWriter = { password: string; known: (name: string) => string; field: PathWriter; fragment: PathWriter };
type PathWriter = (path: string) => string;

/** Writes a term in a language. */
export const termWriter =
  ({ password, known, field, fragment }: TermWriter) =>
  ({ term }: { term: Term }): string => {
    if (term.kind === 'password') return password;
    if (term.kind === 'known') return known(term.name);
    return term.kind === 'field' ? field(term.path) : fragment(term.path);
  };

type LiteralWriter = {
  indent: string;
  brackets: string;
  quoted: (text: string) => string;
  key: (name: string) => string;
  /** Numbers, booleans and null; as in JSON by default. */
  other?: (value: unknown) => string;
};

/** Writes values as source text of a language; `key` is a name with the sign behind it. */
export function literalWriter({ indent, brackets, quoted, key, other = JSON.stringify }: LiteralWriter) {
  const literal = (value: unknown, depth = 0): string => {
    if (typeof value === 'string') return quoted(value);
    if (typeof value !== 'object' || value === null) return other(value);
    if (Array.isArray(value)) return `[${value.map((each) => literal(each, depth)).join(', ')}]`;
    const pad = indent.repeat(depth + 1);
    const lines = Object.entries(value).map(([name, inner]) => `${pad}${key(name)} ${literal(inner, depth + 1)},`);
    const [open, close] = brackets;
    return lines.length === 0 ? brackets : `${open}\n${lines.join('\n')}\n${indent.repeat(depth)}${close}`;
  };
  return literal;
}

/** Terms that are reversed together or not at all; `upper` terms are uppercased. */
export type SignedGroup = { parts: readonly { term: Term; upper: boolean }[]; reversed: boolean };

export type Body = { readonly [name: string]: unknown };

export type Sample = {
  method: 'POST' | 'PUT';
  url: string;
  format: 'json' | 'form';
  /** The body without its hash: texts in forms, any JSON value in JSON. */
  body: Body;
  /** Null if the request is not signed. */
  signature: { groups: readonly SignedGroup[]; digest: Digest; outer: boolean } | null;
  headers?: { readonly [name: string]: string };
};

/** The environment variable with the password. */
export const passwordName = 'FLORIN_PASSWORD';

/** A program in one language; `signing` is the part that computes the hash. */
export type Written = { program: string; signing: string };

/** `fence` is the language's name in Markdown. */
export type Language = { id: string; fence: string; title: string; write: (sample: Sample) => Written };

/** Reports whether a group is reversed, which must be done on bytes. */
export const reverses = (groups: readonly SignedGroup[]) => groups.some(({ reversed }) => reversed);

/** What every language writes of a request: the fields, the headers, and the values that it does not contain. */
export function partsOf({ format, body, signature, headers }: Sample) {
  const groups = signature?.groups ?? [];
  const terms = groups.flatMap(({ parts }) => parts.map(({ term }) => term));
  const known = new Map(terms.flatMap((term) => (term.kind === 'known' ? [[term.name, term.text] as const] : [])));
  const isForm = format === 'form';
  const type = isForm ? {} : { 'content-type': 'application/json' };
  return {
    isForm,
    groups,
    terms,
    known: [...known],
    fields: isForm ? Object.fromEntries(formFields(body as FormFields)) : body,
    headers: { ...type, ...headers } as Readonly<Record<string, string>>,
  };
}

/** Reports whether the signature contains part of a card number. */
export const cutsCard = (groups: readonly SignedGroup[]) =>
  groups.some(({ parts }) => parts.some(({ term }) => term.kind === 'fragment'));

/** `payer_email` of `payerEmail`. */
export const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
