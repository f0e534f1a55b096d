// Types of the signing mistakes, and the changes to the signed text from which they are composed.
import type { Digest, Group, Layout, Part, RecipeName, SignatureValues } from '../signatures';

/** The input of a diagnosis: the recipe and values of the request, and the hash that it contained. */
export type Question = {
  recipe: RecipeName | readonly RecipeName[];
  values: SignatureValues;
  digest: Digest;
  given: string;
  /** The merchant's key, which merchants sometimes use as the password. */
  key: string;
  /** Other passwords of the same merchant, each with its description. */
  passwords?: readonly { password: string; what: string }[];
  /** Other values of the same names in the request and its payment: another e-mail, another card. */
  others?: { readonly [name in keyof SignatureValues]?: readonly string[] };
  /** Unsigned fields of the request that the merchant may have signed. */
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

/** One wrong way to sign. `changed` lists the parts in which its text differs. */
export type Candidate = {
  title: string;
  advice: string;
  layout: Layout;
  how?: Partial<HashVariant>;
  changed?: readonly string[];
};

/** One kind of mistake, with the candidates that it yields for a question. */
export type CauseRow = { id: string; name: string; tries: (question: ResolvedQuestion) => Candidate[] };

/** A question about one recipe, with the correct text. */
export type ResolvedQuestion = Question & { recipe: RecipeName; layout: Layout };

/** The parts of a signed text, in their order. */
export const everyPart = ({ groups }: Layout): readonly Part[] => groups.flatMap(({ parts }) => parts);
/** The text of a part; undefined if the recipe has no such part. */
export const textOf = (layout: Layout, name: string) => everyPart(layout).find((part) => part.name === name)?.text;

/** The text with each part changed, or removed by null. */
export function mapParts(layout: Layout, change: (part: Part) => Part | null): Layout {
  const groups = layout.groups.map(({ parts, reversed }) => ({
    parts: parts.flatMap((part) => change(part) ?? []),
    reversed,
  }));
  return { ...layout, groups: groups.filter(({ parts }) => parts.length > 0) };
}

/** The text with one part replaced. */
export const withText = (layout: Layout, name: string, text: string) =>
  mapParts(layout, (part) => (part.name === name ? { ...part, text } : part));
/** The text without one part. */
export const without = (layout: Layout, name: string) => mapParts(layout, (part) => (part.name === name ? null : part));
/** The text with other groups. */
export const withGroups = (layout: Layout, groups: readonly Group[]): Layout => ({ ...layout, groups });

/** Candidates that sign one of `texts` instead of the correct value. */
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
      title: `${what} was signed as ${text}, but the value is ${sent}`,
      advice: 'The formula uses the value shown.',
      layout: withText(layout, name, text),
      changed: [name],
    }));
}
