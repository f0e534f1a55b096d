import { checkoutBaseUrl } from '../config';
import type { Mid } from './merchants';

/** Where a provider leads the payer back to, and where it notifies. */
export function providerUrls(transactionId: string, mid: Mid): { returnUrl: string; notifyUrl: string } {
  const base = checkoutBaseUrl();
  return { returnUrl: `${base}/return/${transactionId}`, notifyUrl: `${base}/notify/${mid.connector}/${mid.id}` };
}
