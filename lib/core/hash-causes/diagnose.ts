// Finds why a hash is wrong: makes common mistakes and checks which of them gives the received hash. Each row is one
// mistake: its name, its explanation and its effect on the signed text. The text comes from the table of signatures, so
// that each recipe has one definition.
import { createHash, createHmac } from 'node:crypto';
import { type Digest, type Layout, layOut, type RecipeName, signedBytes, verify } from '../signatures.ts';
import { causes } from './causes.ts';
import { type Candidate, everyPart, type Question, type ResolvedQuestion } from './layouts.ts';
import { digestNames } from './texts.ts';

export type Cause = { id: string; name: string } & Required<Omit<Candidate, 'how'>>;

export type Diagnosis = {
  /** The hash is right; there is nothing to explain. */
  right: boolean;
  /** The recipe of the explanation. */
  recipe: RecipeName;
  cause: Cause | null;
  /** Every mistake that is possible here, in the order of the checks; none if the text is too long to try them. */
  tried: { id: string; name: string; matches: boolean }[];
};

/** The hash of a way of signing, in hex or base64. */
function computeHash(
  { layout, how = {} }: Pick<Candidate, 'layout' | 'how'>,
  digest: Digest,
  reading: 'ascii' | 'unicode',
): string {
  const algorithm = how.digest ?? digest;
  const bytes = signedBytes(layout, reading);
  // Latin-1 has one byte per character.
  const text = how.latin1 ? Buffer.from(bytes.toString('utf8'), 'latin1') : bytes;
  const inner =
    how.hmac === undefined
      ? createHash(algorithm).update(text).digest()
      : createHmac(algorithm, how.hmac).update(text).digest();
  const hex = inner.toString('hex');
  const between = how.inner === 'bytes' ? inner : how.inner === 'capitals' ? hex.toUpperCase() : hex;
  const out = layout.outer ? createHash('sha1').update(between).digest() : inner;
  return out.toString(how.base64 ? 'base64' : 'hex');
}

/** The right hash in lower-case hex, with the steps from the text. */
export function digestsOf(layout: Layout, digest: Digest): { inner: string; outer: string | null } {
  const inner = computeHash({ layout: { ...layout, outer: false } }, digest, 'ascii');
  return { inner, outer: layout.outer ? computeHash({ layout }, digest, 'ascii') : null };
}

/** Every hash of one way to sign: both uppercase rules where they differ. */
function hashesOf(tried: Pick<Candidate, 'layout' | 'how'>, digest: Digest): string[] {
  const isAscii = everyPart(tried.layout).every(({ text }) => !/[\u0080-\uffff]/.test(text));
  const readings = isAscii ? (['ascii'] as const) : (['ascii', 'unicode'] as const);
  return readings.map((reading) => computeHash(tried, digest, reading));
}

/** Of a text with more values or characters no mistake is tried: the time grows with their number and their length. */
const triedMost = { values: 40, characters: 1500 };

function isShort(layout: Layout): boolean {
  const parts = everyPart(layout);
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  return parts.length <= triedMost.values && characters <= triedMost.characters;
}

/**
 * Explains a hash. If several recipes are accepted, the first with a matching mistake is used. Combinations of two
 * mistakes are found if one of them is the digest.
 */
export function diagnose(question: Question): Diagnosis {
  const names = typeof question.recipe === 'string' ? [question.recipe] : question.recipe;
  const { values, digest } = question;
  const first = names[0] as RecipeName;
  const givenTrimmed = question.hash.trim();
  const right = verify(names, values, question.hash, { digest });
  if (right) {
    const recipe = names.find((name) => verify(name, values, question.hash, { digest })) ?? first;
    return { right, recipe, cause: null, tried: [] };
  }
  const input = /^[0-9a-f]+$/i.test(givenTrimmed) ? givenTrimmed.toLowerCase() : givenTrimmed;
  let tried: Diagnosis['tried'] = [];
  for (const both of [false, true]) {
    for (const recipe of names) {
      const layout = layOut(recipe, values);
      if (!isShort(layout)) continue;
      const matches = search({ ...question, recipe, layout, hash: input }, both);
      if (matches.cause) return { right, recipe, ...matches };
      if (recipe === first && !both) tried = matches.tried;
    }
  }
  return { right, recipe: first, cause: null, tried };
}

function search(question: ResolvedQuestion, otherDigest: boolean): Pick<Diagnosis, 'cause' | 'tried'> {
  const other = question.digest === 'md5' ? 'sha256' : 'md5';
  const digest = otherDigest ? other : question.digest;
  // A variant that gives the right hash is not a mistake here.
  const known = new Set(hashesOf({ layout: question.layout }, question.digest));
  let cause: Cause | null = null;
  const tried: Diagnosis['tried'] = [];
  for (const { id, name, tries } of causes) {
    let applies = false;
    let matches = false;
    for (const each of tries(question)) {
      const hashes = hashesOf(each, digest);
      if (hashes.every((hash) => known.has(hash))) continue;
      applies = true;
      for (const hash of hashes) known.add(hash);
      if (cause || !hashes.includes(question.hash)) continue;
      matches = true;
      const { title, advice, layout, changed = [] } = each;
      const also = otherDigest ? `, and ${digestNames[other]} was used instead of ${digestNames[question.digest]}` : '';
      cause = { id, name, title: title + also, advice, layout, changed };
    }
    if (applies) tried.push({ id, name, matches });
  }
  return { cause, tried };
}
