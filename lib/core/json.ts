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

const quote = 0x22;
const backslash = 0x5c;
const separators = new Set([0x2c, 0x5b, 0x7b]);

/** Whether a JSON text has at most so many values: each but the first follows a comma or a bracket outside of texts. */
export function hasAtMost(values: number, json: string): boolean {
  let count = 1;
  let isText = false;
  for (let at = 0; at < json.length && count <= values; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText && code === backslash) at += 1;
    else if (!isText && separators.has(code)) count += 1;
  }
  return count <= values;
}
