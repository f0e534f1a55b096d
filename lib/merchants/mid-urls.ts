import { checkoutBaseUrl } from '../config';
import type { Mid } from './merchants';

/** The payer's return address and the notification address for a provider. */
export function providerUrls(transactionId: string, mid: Mid): { returnUrl: string; notifyUrl: string } {
  const base = checkoutBaseUrl();
  return { returnUrl: `${base}/return/${transactionId}`, notifyUrl: `${base}/notify/${mid.connector}/${mid.id}` };
}
