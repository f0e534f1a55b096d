/** The IP allowlist of a mapping: addresses and CIDR ranges. */
import ipaddr from 'ipaddr.js';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Reports whether the list allows the address. An empty list allows every address; a malformed entry allows none. */
export function isAllowedAddress(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const caller = parse(address);
  return caller !== null && list.some((entry) => matches(entry.trim(), caller));
}

function matches(entry: string, caller: Parsed): boolean {
  if (!entry.includes('/')) return parse(entry)?.toString() === caller.toString();
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === caller.kind() && caller.match(network, bits);
}

// A dual-stack socket reports an IPv4 client as ::ffff:a.b.c.d.
function parse(address: string): Parsed | null {
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
