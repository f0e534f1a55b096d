/** The currency of a MID's limits: its first, or EUR. Other currencies have the same limit in minor units. */
export function limitCurrencyOf(currencies: readonly string[]): string {
  return currencies[0] ?? 'EUR';
}
