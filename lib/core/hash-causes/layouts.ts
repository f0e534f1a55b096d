// Types of signing mistakes, and the changes to the signed text that they consist of.
import type { Digest, Group, Layout, Part, RecipeName, SignatureValues, SignedFields } from '../signatures.ts';

export type { Group, Layout } from '../signatures.ts';

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
/** The texts with one more part: before each group and at the end. */
export function withInserted(layout: Layout, name: string, text: string): Layout[] {
  const added = { parts: [{ name, text, upper: true }], reversed: false };
  const { groups } = layout;
  return Array.from({ length: groups.length + 1 }, (_, place) => ({
    ...layout,
    groups: groups.toSpliced(place, 0, added),
  }));
}

/** Whether a group contains the password. */
export const isPassword = ({ parts }: Group) => parts.some(({ name }) => name === 'password');

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, place) =>
    permutations([...items.slice(0, place), ...items.slice(place + 1)]).map((rest) => [item, ...rest]),
  );
}

/** With more parts, not every order is tried. */
export const partsMax = 6;

/** Every order of a few values, within their groups and of the groups. */
export function orders(layout: Layout): Layout[] {
  if (everyPart(layout).length > partsMax) return [];
  const inner = layout.groups.map(({ parts, reversed }) =>
    permutations(parts).map((each) => ({ parts: each, reversed })),
  );
  const products = inner.reduce<Group[][]>(
    (made, choices) => made.flatMap((each) => choices.map((choice) => [...each, choice])),
    [[]],
  );
  return products.flatMap((groups) => permutations(groups).map((each) => ({ ...layout, groups: each })));
}

/** The leaves of a callback in the order of the body, without sorting. */
function unsortedLeaves(fields: SignedFields | undefined, path = 'fields'): string[] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? unsortedLeaves(value as SignedFields, `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

/** The unsorted orders of a callback's fields. */
export function leafOrders({ layout, values }: ResolvedQuestion): Layout[] {
  const leaves = layout.groups.filter(({ parts }) => parts[0]?.name.startsWith('fields.'));
  if (leaves.length === 0) return [];
  const rest = layout.groups.filter((each) => !leaves.includes(each));
  const place = new Map(unsortedLeaves(values.fields).map((name, at) => [name, at]));
  const at = (group: Group) => place.get(group.parts[0]?.name ?? '') ?? 0;
  const asSent = [...leaves].sort((one, other) => at(one) - at(other));
  return [[...asSent, ...rest], [...leaves].reverse().concat(rest), [...rest, ...leaves], [...rest, ...asSent]].map(
    (groups) => ({ ...layout, groups }),
  );
}
