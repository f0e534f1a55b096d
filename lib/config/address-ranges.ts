// Ranges of IP addresses in settings: reverse proxies, and private networks.
import ipaddr from 'ipaddr.js';

/** A network and the length of its prefix. */
export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>;

const named: { readonly [name: string]: readonly string[] } = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10'],
};

/** Addresses, ranges and the names `loopback` and `private`, separated by blanks or commas; undefined for any other text. */
export function parseRanges(text: string): AddressRange[] | undefined {
  const words = text.split(/[\s,]+/).flatMap((word) => named[word] ?? [word]);
  const ranges = words.map((word) => rangeOf(word));
  return ranges.every((range) => range !== null) ? ranges : undefined;
}

function rangeOf(word: string): AddressRange | null {
  if (ipaddr.isValidCIDR(word)) return ipaddr.parseCIDR(word);
  // Not the short forms of IPv4, such as 10.1.
  if (ipaddr.IPv4.isValidFourPartDecimal(word)) return ipaddr.parseCIDR(`${word}/32`);
  return ipaddr.IPv6.isValid(word) ? ipaddr.parseCIDR(`${word}/128`) : null;
}

/** Whether an address is in one of the ranges. */
export function isInRanges(ranges: readonly AddressRange[], address: string): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

const privateRanges = parseRanges('private') ?? [];

const machineRanges = parseRanges('loopback') ?? [];

/** Whether a range has all addresses of a private network, in which there are other machines. */
export const coversPrivateNetwork = (given: AddressRange): boolean =>
  privateRanges.some(
    (range) =>
      given[1] <= range[1] &&
      isInRanges([given], range[0].toString()) &&
      !isInRanges(machineRanges, range[0].toString()),
  );

/** Whether a range has addresses of many strangers: it is wider than /8 (IPv4) or /16 (IPv6), and not all of it is private. */
export function coversPublicAddresses([network, bits]: AddressRange): boolean {
  const isWide = bits < (network.kind() === 'ipv4' ? 8 : 16);
  return isWide && !privateRanges.some((range) => range[1] <= bits && isInRanges([range], network.toString()));
}
