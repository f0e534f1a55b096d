/** A formatted amount with its currency code: `1,249.00 EUR`. Amounts are texts, never numbers. */
export function shownAmount(amount: string, currency: string): string {
  const [whole = '', decimals] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${decimals === undefined ? '' : `.${decimals}`} ${currency}`;
}
