/**
 * The fields in which two states of a thing differ: what the audit log keeps of a change. A member inside another is
 * named by its way, as `limits.most`; a list is one value.
 */

/** JSON as it is stored. Amounts stand in it as text. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A thing as its named fields. What is left out is the same as null. */
export type Members = { [name: string]: Json | undefined };

/** Both states, each with the fields that differ and no others. */
export type Difference = { before: Record<string, Json>; after: Record<string, Json> };

/** Compares field by field, in the order of their names. */
export function diffMembers(before: Members, after: Members): Difference {
  const [old, fresh] = [flatten(before), flatten(after)];
  const difference: Difference = { before: {}, after: {} };
  for (const name of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(name) ?? null, fresh.get(name) ?? null];
    if (canonicalJson(was) === canonicalJson(is)) continue;
    difference.before[name] = was;
    difference.after[name] = is;
  }
  return difference;
}

/** JSON with the members of every object in the order of their names: two equal values are the same text. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`;
}

function flatten(value: Members, way = ''): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || member === null) continue;
    if (typeof member !== 'object' || Array.isArray(member)) found.set(way + name, member);
    else for (const [inner, leaf] of flatten(member, `${way}${name}.`)) found.set(inner, leaf);
  }
  return found;
}
