/**
 * Reads an IP allowlist: one IPv4 or IPv6 address or network per line. lib/protocols/pipeline/allowlist matches
 * everything that is accepted here; an error names its line and the expected input.
 */
import ipaddr from 'ipaddr.js';

/** The entries without spaces and empty lines, or the first error as a sentence. */
export type IpList = { entries: string[] } | { fault: string };

const examples = 'Enter 203.0.113.24, 203.0.113.0/28 or 2001:db8::/32.';

/** Reads the lines of a list with at most `most` entries. */
export function readIpList(lines: readonly string[], most: number): IpList {
  const matches = new Map<string, number>();
  const entries: string[] = [];
  for (const [place, line] of lines.entries()) {
    const entry = line.trim();
    if (entry === '') continue;
    const number = place + 1;
    const error = entryError(entry);
    if (error !== null) return { fault: `Line ${number}: ${error}` };
    const duplicate = matches.get(keyOf(entry));
    if (duplicate !== undefined) return { fault: `Line ${number} repeats line ${duplicate}.` };
    matches.set(keyOf(entry), number);
    entries.push(entry);
    if (entries.length > most) return { fault: `Line ${number}: a list holds at most ${most} entries.` };
  }
  return { entries };
}

/** The error of one entry as the end of a sentence about its line; null for a valid entry. */
function entryError(entry: string): string | null {
  const [address = '', bits, ...more] = entry.split('/');
  const shown = entry.length > 45 ? `${entry.slice(0, 44)}…` : entry;
  if (more.length > 0) return `${shown} has more than one slash. ${examples}`;
  const error = address.includes(':') ? ipv6Error(address, shown) : ipv4Error(address, shown);
  if (error !== null || bits === undefined) return error;
  return networkError(address, bits);
}

function ipv4Error(address: string, shown: string): string | null {
  if (!/^\d+(\.\d+)*\.?$/.test(address)) return `${shown} is not an address. ${examples}`;
  const parts = address.split('.').filter((part) => part !== '');
  if (parts.length !== 4 || address.endsWith('.')) {
    return `an IPv4 address has four parts; ${shown} has ${parts.length}.`;
  }
  const large = parts.find((part) => part.length > 3 || Number(part) > 255);
  if (large !== undefined) {
    return `${large.slice(0, 12)} is too large. Each part of an IPv4 address goes up to 255.`;
  }
  const padded = parts.find((part) => part.length > 1 && part.startsWith('0'));
  return padded === undefined ? null : `${padded} begins with a zero. Enter ${Number(padded)}.`;
}

function ipv6Error(address: string, shown: string): string | null {
  if (address.includes('%')) return `${shown} contains a zone after %. Enter the address without it.`;
  if (!ipaddr.IPv6.isValid(address)) return `${shown} is not an IPv6 address. ${examples}`;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? `${shown} is an IPv4 address. Enter ${parsed.toIPv4Address()}.` : null;
}

function networkError(address: string, bits: string): string | null {
  const parsed = ipaddr.parse(address);
  const [family, most] = parsed.kind() === 'ipv4' ? ['IPv4', 32] : ['IPv6', 128];
  if (!/^\d{1,4}$/.test(bits))
    return `/${bits.slice(0, 12)} is not a length. An ${family} network has 0 to ${most} bits.`;
  if (Number(bits) > most) return `/${bits} is too large. An ${family} network has at most ${most} bits.`;
  const start = startOf(address, Number(bits));
  return start === parsed.toString()
    ? null
    : `${address}/${bits} does not begin at ${address}. Enter ${start}/${bits}.`;
}

function startOf(address: string, bits: number): string {
  const start = address.includes(':')
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
    : ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`);
  return start.toString();
}

// 2001:DB8::/32 and 2001:db8:0::/32 are the same entry.
function keyOf(entry: string): string {
  const [address = '', bits] = entry.split('/');
  const text = ipaddr.parse(address).toString();
  return bits === undefined ? text : `${text}/${Number(bits)}`;
}
