// A merchant's IP allowlist (interface.md, Authentication 9): addresses and networks in CIDR notation, of both families.
import ipaddr from 'ipaddr.js';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether the address is on the list. An empty list lets everybody pass; an entry that cannot be read, nobody. */
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

// An IPv4 peer of a socket that listens on both families arrives as ::ffff:a.b.c.d.
function parse(address: string): Parsed | null {
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
