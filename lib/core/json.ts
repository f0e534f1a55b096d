/** Checks of JSON texts that JSON.parse does not make. */

type Level = { names: Set<string> | null; at: string | number };

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{},]/g;

/**
 * The path of the first name that an object of a JSON text repeats, as `order.items.0.name`; null if there is none.
 * JSON.parse keeps the last value, other parsers keep the first: such a text has two meanings. The text must be valid.
 */
export function repeatedName(json: string): string | null {
  const levels: Level[] = [];
  for (const [mark, quoted, colon] of json.matchAll(token)) {
    const level = levels.at(-1);
    if (mark === '{') levels.push({ names: new Set(), at: '' });
    else if (mark === '[') levels.push({ names: null, at: 0 });
    else if (mark === '}' || mark === ']') levels.pop();
    else if (mark === ',') {
      if (typeof level?.at === 'number') level.at += 1;
    } else if (level && quoted && colon) {
      level.at = JSON.parse(quoted) as string;
      if (level.names?.has(level.at)) return levels.map(({ at }) => at).join('.');
      level.names?.add(level.at);
    }
  }
  return null;
}
