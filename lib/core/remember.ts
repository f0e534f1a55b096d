/**
 * Remembers what was made last, up to `most` values by their keys, so that a request that is repeated makes nothing again.
 * Failures and null are not remembered.
 */
export function rememberLast<Value>(most: number): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const made = new Map<string, Promise<Value>>();
  return (key, make) => {
    const known = made.get(key);
    if (known) return known;
    const making = make();
    made.set(key, making);
    const forget = () => void (made.get(key) === making && made.delete(key));
    making.then((value) => value ?? forget(), forget);
    const [oldest] = made.keys();
    if (made.size > most && oldest !== undefined) made.delete(oldest);
    return making;
  };
}
