/** Which merchant accounts can carry a payment. One question, asked when a session opens and when an attempt starts. */
import { findConnector } from '../connectors';
import type { Mid } from './merchants';
import type { Operation } from './payment';

/** What a merchant account has to be able to do. */
export type Wanted = {
  operation: Operation;
  authorizeOnly: boolean;
  currency: string;
  amountMinor: bigint;
  /** Any method when absent. */
  method?: string;
};

/**
 * The accounts that fit, best first. An authorization goes to DMS and SMS/DMS accounts, an immediate sale to SMS and
 * SMS/DMS ones (contract, release 6.7.0); a zero amount only where the provider supports it.
 */
export function eligibleMids(mids: Mid[], wanted: Wanted): Mid[] {
  return mids.filter((mid) => {
    const capabilities = findConnector(mid.connector)?.capabilities;
    if (!mid.enabled || !capabilities) return false;
    if (mid.operations.length > 0 && !mid.operations.includes(wanted.operation)) return false;
    if (mid.currencies.length > 0 && !mid.currencies.includes(wanted.currency)) return false;
    if (wanted.method !== undefined && !mid.methods.includes(wanted.method)) return false;
    if (wanted.amountMinor === 0n && !(mid.zeroAmounts && capabilities.zeroAmount)) return false;
    return fitsMode(mid.paymentMode, wanted);
  });
}

function fitsMode(mode: Mid['paymentMode'], wanted: Wanted): boolean {
  if (wanted.operation !== 'purchase') return true;
  return wanted.authorizeOnly ? mode !== 'sms' : mode !== 'dms';
}
