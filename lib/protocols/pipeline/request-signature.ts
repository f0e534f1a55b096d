// The strong signature of a request of a merchant's server: demanded by the mapping, and checked wherever it is sent. Its
// times are the machine's own, never those of the sandbox's clock.
import { throwFieldErrors } from '../../core/errors';
import { checkSignature, signatureHeader, timestampHeader } from '../../core/request-signature';
import { signedBytes } from '../../http';
import type { Mapping, MerchantKey } from '../../merchants';
import { claimSignature } from '../../risk';

/** Refuses a payout that is protected by the contract's hash alone, unless the mapping allows those. */
export function requirePayoutSignature(
  mapping: Pick<Mapping, 'openPayouts' | 'ipAllowlist'>,
  { headers }: Request,
): void {
  // Earlier checks have verified the signature if one was sent, and the address if there is an allowlist.
  if (mapping.openPayouts || mapping.ipAllowlist.length > 0 || headers.has(signatureHeader)) return;
  throwFieldErrors([{ path: signatureHeader, text: 'A payout needs this header, or an IP allowlist of the mapping.' }]);
}

/** Refuses a request whose signature is missing, wrong, expired or used; the field error names the header. */
export async function requireSignature(
  { key, mapping }: { key: MerchantKey; mapping: Mapping },
  request: Request,
): Promise<void> {
  const { headers } = request;
  const received = { timestamp: headers.get(timestampHeader), signature: headers.get(signatureHeader) };
  if (!mapping.signedRequests && received.signature === null) return;
  const { pathname, search } = new URL(request.url);
  const body = request.method === 'GET' ? Buffer.from(search.slice(1)) : signedBytes(request);
  const checked = checkSignature(received, body && { path: pathname, body }, key.password, new Date());
  if (!('mac' in checked)) return throwFieldErrors([checked]);
  if (await claimSignature(key.id, checked.mac, checked.goodUntil)) return;
  throwFieldErrors([{ path: signatureHeader, text: 'This value was used before.' }]);
}
