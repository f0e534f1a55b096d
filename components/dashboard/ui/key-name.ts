// Names of keys for shortcut tables: `j`, `?`, `ctrl+s`, `ctrl+enter`, `arrowdown`.

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * The name of a pressed key. Ctrl and Command are equal; with Alt a key has no name, because it types characters then.
 */
export function keyName({ key, ctrlKey, metaKey, altKey }: Pressed): string {
  if (altKey) return '';
  const name = key.toLowerCase();
  return ctrlKey || metaKey ? `ctrl+${name}` : name;
}

/** Whether a key alone would type text into a field. */
export function isSingle(name: string): boolean {
  return name.length === 1;
}

/** The second key of a pair such as `g` then `o`: returns the action, or nothing after a pause or another key. */
export function makePairs<What>(first: string, table: Record<string, What>, pauseMilliseconds = 1_200) {
  let armedAt: number | null = null;
  return (name: string, at: number): What | null => {
    const armed = armedAt !== null && at - armedAt <= pauseMilliseconds;
    armedAt = name === first && !armed ? at : null;
    return armed ? (table[name] ?? null) : null;
  };
}
