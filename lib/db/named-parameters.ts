/**
 * Named parameters: the only place that numbers the parameters of a statement. `:name` becomes a position, so that no
 * caller counts positions and a missing value is an error instead of a shift.
 */

// Strings and casts contain colons that are no parameters.
const token = /'(?:[^']|'')*'|"[^"]*"|::|:([a-z]\w*)/g;

/** The text with positions in place of named parameters, and the parameters' names in the order of their positions. */
export function compileSql(sql: string): { text: string; names: string[] } {
  const positions = new Map<string, number>();
  const text = sql.replace(token, (match: string, name?: string) => {
    if (name === undefined) return match;
    const position = positions.get(name) ?? positions.size + 1;
    positions.set(name, position);
    return `$${position}`;
  });
  return { text, names: [...positions.keys()] };
}

/** The values of `params` in the order of `names`. Throws for a name without a value: null is a value. */
export function valuesOf(names: readonly string[], params: object): unknown[] {
  const values = params as Record<string, unknown>;
  return names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the statement's parameter :${name} has no value`);
    return value;
  });
}

/** A composed statement with its values as pg takes them. */
export function bindSql(sql: string, params: object): { text: string; values: unknown[] } {
  const { text, names } = compileSql(sql);
  return { text, values: valuesOf(names, params) };
}
