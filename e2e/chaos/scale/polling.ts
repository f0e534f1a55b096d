const patienceSeconds = 90;

/** Resolves after so many seconds. */
export const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/** Waits for the first true value of `check`; fails with `what` after a minute and a half. */
export async function until<T>(what: string, check: () => Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + patienceSeconds * 1000;
  while (Date.now() < end) {
    const value = await check();
    if (value) return value as NonNullable<Exclude<T, false>>;
    await pause(0.1);
  }
  throw new Error(`After ${patienceSeconds} s: ${what}.`);
}
