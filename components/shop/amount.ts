/** An amount as people read it, its code behind it: `1,249.00 EUR`. Text in, text out: no number ever holds an amount. */
export function shownAmount(amount: string, currency: string): string {
  const [whole = '', decimals] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${decimals === undefined ? '' : `.${decimals}`} ${currency}`;
}
