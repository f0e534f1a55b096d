/**
 * Remembers what was made last, up to `most` values by their keys, so that a request that is repeated makes nothing again.
 * A promise that fails or gives null is not remembered.
 */
export function rememberLast<Value extends object>(most: number): (key: string, make: () => Value) => Value {
  const made = new Map<string, Value>();
  return (key, make) => {
    const known = made.get(key);
    if (known) return known;
    const making = make();
    made.set(key, making);
    const forget = () => void (made.get(key) === making && made.delete(key));
    if (making instanceof Promise) making.then((value) => value ?? forget(), forget);
    const [oldest] = made.keys();
    if (made.size > most && oldest !== undefined) made.delete(oldest);
    return making;
  };
}
