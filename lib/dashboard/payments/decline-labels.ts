/** Labels of the decline categories of lib/core/declines.ts. */
export const declineLabels: Readonly<Record<string, string>> = {
  funds: 'Insufficient funds or limit exceeded',
  bank: 'Issuer declined',
  data: 'Invalid card data',
  unconfirmed: 'Authentication failed',
  technical: 'Issuer unavailable',
};
