/**
 * The currency of a MID's limits: its first, or EUR if it accepts every one. Each currency is counted separately, up to
 * the same number of minor units.
 */
export function limitCurrencyOf(currencies: readonly string[]): string {
  return currencies[0] ?? 'EUR';
}
