// How a request of a merchant's server proves where it comes from: the merchant's IP allowlist (interface.md,
// Authentication 9), and the strong signature, which the mapping can require and which is checked wherever it is sent. The
// times of a signature are the machine's own, never those of the sandbox's clock.
import ipaddr from 'ipaddr.js';
import { throwFieldErrors } from '../../core/errors';
import { checkSignature, signatureHeader, timestampHeader } from '../../core/request-signature';
import { signedBytes } from '../../http';
import type { Mapping, MerchantKey } from '../../merchants';
import { claimSignature } from '../../risk';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Reports whether the list allows the address. An empty list allows every address; a malformed entry allows none. */
export function isAllowedAddress(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const caller = parse(address);
  return caller !== null && list.some((entry) => matches(entry.trim(), caller));
}

function matches(entry: string, caller: Parsed): boolean {
  if (!entry.includes('/')) {
    const single = parse(entry);
    return single !== null && single.kind() === caller.kind() && single.toString() === caller.toString();
  }
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === caller.kind() && caller.match(network, bits);
}

// A dual-stack socket reports an IPv4 client as ::ffff:a.b.c.d.
function parse(address: string): Parsed | null {
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

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
