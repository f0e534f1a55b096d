// What a mistake in signing is, and the changes to the signed text that mistakes are made of.
import type { Digest, Group, Layout, Part, RecipeName, SignatureValues } from '../signatures';

/** What is to be explained: how the request has to be signed, and the hash that came. */
export type Question = {
  recipe: RecipeName | readonly RecipeName[];
  values: SignatureValues;
  digest: Digest;
  given: string;
  /** The merchant's key, which is taken for the password now and then. */
  key: string;
  /** Other passwords of the same merchant, with the words for them. */
  passwords?: readonly { password: string; what: string }[];
  /** What else the request and its payment say under the same names: another e-mail, another card. */
  others?: { readonly [name in keyof SignatureValues]?: readonly string[] };
  /** Fields of the request that are not signed, as somebody might have signed them. */
  unsigned?: readonly { name: string; text: string }[];
};

/** How the digest is made out of the text. */
export type HashVariant = {
  digest: Digest | 'sha1' | 'sha512';
  outer: boolean;
  inner?: 'capitals' | 'bytes';
  latin1?: true;
  hmac?: string;
  base64?: true;
};

/** One wrong way to sign. `changed` names the parts in which its text differs. */
export type Candidate = {
  title: string;
  advice: string;
  layout: Layout;
  how?: Partial<HashVariant>;
  changed?: readonly string[];
};

/** A mistake. */
export type CauseRow = { id: string; name: string; tries: (question: ResolvedQuestion) => Candidate[] };

/** A question about one recipe, with the text as it has to be signed. */
export type ResolvedQuestion = Question & { recipe: RecipeName; layout: Layout };

/** The parts of a signed text, in their order. */
export const everyPart = ({ groups }: Layout): readonly Part[] => groups.flatMap(({ parts }) => parts);
/** What a part of the text says; undefined where the recipe has no such part. */
export const textOf = (layout: Layout, name: string) => everyPart(layout).find((part) => part.name === name)?.text;

/** The text with each part changed, or taken out by null. */
export function mapParts(layout: Layout, change: (part: Part) => Part | null): Layout {
  const groups = layout.groups.map(({ parts, reversed }) => ({
    parts: parts.flatMap((part) => change(part) ?? []),
    reversed,
  }));
  return { ...layout, groups: groups.filter(({ parts }) => parts.length > 0) };
}

/** The text with one part saying something else. */
export const withText = (layout: Layout, name: string, text: string) =>
  mapParts(layout, (part) => (part.name === name ? { ...part, text } : part));
/** The text without one part. */
export const without = (layout: Layout, name: string) => mapParts(layout, (part) => (part.name === name ? null : part));
/** The text made of other groups. */
export const withGroups = (layout: Layout, groups: readonly Group[]): Layout => ({ ...layout, groups });

/** The ways to sign one of `texts` in place of the value that counts. */
export function otherValues(
  layout: Layout,
  name: string,
  texts: readonly string[] | undefined,
  what: string,
): Candidate[] {
  const sent = textOf(layout, name);
  return [...new Set(texts ?? [])]
    .filter((text) => sent !== undefined && text !== sent)
    .map((text) => ({
      title: `${what} was signed as ${text}, where ${sent} counts`,
      advice: 'The value shown is the one that the formula is made over.',
      layout: withText(layout, name, text),
      changed: [name],
    }));
}
