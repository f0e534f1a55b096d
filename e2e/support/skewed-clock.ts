/** Settings of a process whose clock is wrong by this many seconds. */
export function skewed(seconds: number): Record<string, string> {
  const script = `
    const Real = Date;
    const now = () => Real.now() + ${seconds * 1000};
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
      // Own ones, as the real class has them: Next copies those alone.
      static UTC = Real.UTC;
      static parse = Real.parse;
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
