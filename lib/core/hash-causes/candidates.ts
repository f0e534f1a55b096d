// Types of signing mistakes, and the changes to the signed text that they consist of.
import type { Digest, Group, Layout, Part, RecipeName, SignatureValues } from '../signatures';

/** The input: how the request must be signed, and the received hash. */
export type Question = {
  recipe: RecipeName | readonly RecipeName[];
  values: SignatureValues;
  digest: Digest;
  hash: string;
  /** The merchant's key, which is sometimes used as the password. */
  key: string;
  /** Other passwords of the same merchant, with their labels. */
  passwords?: readonly { password: string; what: string }[];
  /** Other values of the request and its payment under the same names: another email, another card. */
  others?: { readonly [name in keyof SignatureValues]?: readonly string[] };
  /** Fields of the request that are not signed but may have been. */
  unsigned?: readonly { name: string; text: string }[];
};

/** How the digest is computed from the text. */
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

/** One recipe, with the text that must be signed. */
export type ResolvedQuestion = Question & { recipe: RecipeName; layout: Layout };

/** The parts of a signed text, in order. */
export const everyPart = ({ groups }: Layout): readonly Part[] => groups.flatMap(({ parts }) => parts);
/** The value of a part; undefined if the recipe does not have it. */
export const textOf = (layout: Layout, name: string) => everyPart(layout).find((part) => part.name === name)?.text;

/** The text with each part changed, or removed by null. */
export function mapParts(layout: Layout, change: (part: Part) => Part | null): Layout {
  const groups = layout.groups.map(({ parts, reversed }) => ({
    parts: parts.flatMap((part) => change(part) ?? []),
    reversed,
  }));
  return { ...layout, groups: groups.filter(({ parts }) => parts.length > 0) };
}

/** The text with one changed part. */
export const withText = (layout: Layout, name: string, text: string) =>
  mapParts(layout, (part) => (part.name === name ? { ...part, text } : part));
/** The text without one part. */
export const without = (layout: Layout, name: string) => mapParts(layout, (part) => (part.name === name ? null : part));
/** The text with other groups. */
export const withGroups = (layout: Layout, groups: readonly Group[]): Layout => ({ ...layout, groups });

/** The ways to sign one of `texts` instead of the correct value. */
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
      title: `${what} was signed as ${text} instead of ${sent}`,
      advice: 'The formula uses the value shown.',
      layout: withText(layout, name, text),
      changed: [name],
    }));
}
