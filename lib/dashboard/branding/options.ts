// Limits and states of the branding editor.

/** The maximum size of a logo file in bytes. */
export const logoBytesMax = 200 * 1024;

/** Limits of themes: for each merchant, and for each theme. */
export const themeBounds = { themes: 50, formIds: 50, name: 60, formId: 64 } as const;

/** States of the payment page that the preview shows, each a sample of components/pay/state-samples.ts. */
export const previewStates = [
  ['form-list', 'Form with several methods'],
  ['form', 'Form with a card only'],
  ['form-saved', 'Form with saved cards'],
  ['form-billing', 'Form with an address'],
  ['form-recurring', 'Form with consent'],
  ['form-errors', 'Form with errors'],
  ['form-declined-bank', 'Declined'],
  ['challenge', '3-D Secure'],
  ['redirecting', 'Leaving for a method'],
  ['waiting-method', 'Waiting for the outcome'],
  ['present-qr', 'QR code'],
  ['present-ticket', 'Voucher'],
  ['present-details', 'Bank transfer'],
  ['present-crypto', 'Coins'],
  ['present-email', 'Link by email'],
  ['present-confirm', 'Request in an app'],
  ['present-code', 'One-time code'],
  ['receipt', 'Receipt'],
  ['receipt-authorised', 'Receipt of an authorisation'],
  ['receipt-returned', 'Receipt of a refund'],
  ['payout', 'Payout'],
  ['payout-receipt', 'Receipt of a payout'],
  ['transfer', 'Transfer from card to card'],
  ['cancelled', 'Cancelled'],
  ['expired', 'Expired'],
] as const;
export type PreviewState = (typeof previewStates)[number][0];
