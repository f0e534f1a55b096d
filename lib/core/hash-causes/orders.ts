// The orders in which signed values may be joined.
import type { Group, Layout, SignedFields } from '../signatures';
import { everyPart, type ResolvedQuestion, withGroups } from './candidates';

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
  return products.flatMap((groups) => permutations(groups).map((each) => withGroups(layout, each)));
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
    (groups) => withGroups(layout, groups),
  );
}
