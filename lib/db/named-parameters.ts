/** Named parameters: the only place that numbers the parameters of a statement, so that no caller counts positions. */

// Strings and casts contain colons that are no parameters.
const token = /'(?:[^']|'')*'|"[^"]*"|::|:([a-z]\w*)/g;

/** The text with positions in place of named parameters, and the parameters' names in the order of their positions. */
export function compileSql(sql: string): { text: string; names: string[] } {
  const positions = new Map<string, number>();
  const text = sql.replace(token, (match, name?: string) => {
    if (!name) return match;
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
    if (values[name] === undefined) throw new Error(`the statement's parameter :${name} has no value`);
    return values[name];
  });
}

/** A composed statement with its values as pg takes them. */
export function bindSql(sql: string, params: object): { text: string; values: unknown[] } {
  const { text, names } = compileSql(sql);
  return { text, values: valuesOf(names, params) };
}
