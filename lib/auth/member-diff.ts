/** The fields in which two states of an object differ; a nested member is named by its path, as `limits.most`. */

/** JSON as it is stored, with amounts as text. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** An object as named fields. An absent field equals null. */
export type Members = { [name: string]: Json | undefined };

/** Both states, each with only the fields that differ. */
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

/** JSON with the members of every object sorted by name: equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`;
}

function flatten(value: Members, path = ''): Map<string, Json> {
  const matches = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || member === null) continue;
    if (typeof member !== 'object' || Array.isArray(member)) matches.set(path + name, member);
    else for (const [inner, leaf] of flatten(member, `${path}${name}.`)) matches.set(inner, leaf);
  }
  return matches;
}
