/** The result of `make`, or that of a call at most `milliseconds` ago: any number of calls costs one in this time. */
export function recent<Result>(milliseconds: number, make: () => Promise<Result>): () => Promise<Result> {
  let latest: { at: number; result: Promise<Result> } | undefined;
  return () => {
    const at = performance.now();
    if (!latest || at - latest.at >= milliseconds) latest = { at, result: make() };
    return latest.result;
  };
}
