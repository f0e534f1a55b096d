// A request as something that can be written down in any language: what is sent, and out of what the hash is made. The
// languages only differ in how they say it; what is signed comes from the table of signatures.
import type { Digest } from '../../core/signatures';

/** A value of a signed text. */
export type Term =
  /** A field of the request, `order.amount`. */
  | { kind: 'field'; path: string }
  /** The first six and last four digits of a card number in the request. */
  | { kind: 'fragment'; path: string }
  /** What the request does not carry, as the e-mail of the payment that it is about. */
  | { kind: 'known'; name: string; text: string }
  | { kind: 'password' };

/** Terms that are reversed together or stand as they are; each in capitals or as it is. */
export type SignedGroup = { terms: readonly { term: Term; upper: boolean }[]; reversed: boolean };

export type Body = { readonly [name: string]: unknown };

export type Sample = {
  method: 'POST' | 'PUT';
  url: string;
  format: 'json' | 'form';
  /** Without its hash; texts, and in JSON whatever JSON holds. */
  body: Body;
  /** Null where the request is not signed. */
  signature: { groups: readonly SignedGroup[]; digest: Digest; outer: boolean } | null;
  headers?: { readonly [name: string]: string };
};

/** The variable of the environment that holds the password. */
export const passwordName = 'FLORIN_PASSWORD';

/** A program in one language; `signing` is the part of it that makes the hash. */
export type Written = { program: string; signing: string };

export type Language = { id: 'shell' | 'node' | 'php' | 'python'; title: string; write: (sample: Sample) => Written };

/** Nested values as the names and texts of a form, `custom_data[a]`. */
export function formFields(body: Body, prefix = ''): [string, string][] {
  return Object.entries(body).flatMap(([name, value]): [string, string][] => {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === null || value === undefined) return [];
    return typeof value === 'object' ? formFields(value as Body, path) : [[path, String(value)]];
  });
}

/** Terms in the order of the signed text, in runs that are in capitals together or not at all. */
export function runsOf(groups: readonly SignedGroup[]): { upper: boolean; groups: SignedGroup[] }[] {
  const runs: { upper: boolean; groups: SignedGroup[] }[] = [];
  for (const group of groups) {
    const upper = group.terms.every((term) => term.upper);
    const last = runs.at(-1);
    if (last?.upper === upper) last.groups.push(group);
    else runs.push({ upper, groups: [group] });
  }
  return runs;
}

/** Whether anything is reversed, which has to be done on bytes. */
export const reverses = (groups: readonly SignedGroup[]) => groups.some(({ reversed }) => reversed);

/** Values that the request does not carry, each once, with a name for its variable: `payerEmail`. */
export function knownTerms(groups: readonly SignedGroup[]): { name: string; text: string }[] {
  const found = new Map<string, string>();
  for (const { terms } of groups) {
    for (const { term } of terms) if (term.kind === 'known') found.set(term.name, term.text);
  }
  return [...found].map(([name, text]) => ({ name, text }));
}

/** Whether part of a card number is signed. */
export const cutsCard = (groups: readonly SignedGroup[]) =>
  groups.some(({ terms }) => terms.some(({ term }) => term.kind === 'fragment'));

/** `payer_email` of `payerEmail`. */
export const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
