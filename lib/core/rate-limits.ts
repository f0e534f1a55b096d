/**
 * How many requests a minute are taken, by room and by whom: the limits with their defaults, how a deployment changes
 * them, and the arithmetic of a minute that slides.
 */
import ipaddr from 'ipaddr.js';

/** Limits per minute. `address`: one client address or IPv6 network; `merchant`: what is signed as, or paid to, one. */
const defaults = {
  'checkout.address': 12_000,
  'checkout.merchant': 12_000,
  's2s.address': 12_000,
  's2s.merchant': 12_000,
  // What payers send: a flash sale behind one address of an office is some presses a second, never fifty.
  'pay.address': 3_000,
  'pay.merchant': 12_000,
  'fields.address': 3_000,
  'fields.merchant': 12_000,
  'sign_in.address': 60,
} as const;

export type RateLimitName = keyof typeof defaults;
export type RateLimits = Readonly<Record<RateLimitName, number>>;

const isName = (text: string): text is RateLimitName => Object.hasOwn(defaults, text);
const most = 1_000_000_000;

/** Every limit as it is without any setting. */
export const defaultRateLimits: RateLimits = defaults;

/**
 * Limits as a setting writes them: `on`, `off` (null), or the ones that differ, as `pay.address=6000 s2s.merchant=30000`;
 * `all=` stands for every limit that is not named. Undefined for anything else.
 */
export function parseRateLimits(text: string): RateLimits | null | undefined {
  if (/^(off|false|0|no)$/i.test(text)) return null;
  if (/^(on|true|1|yes)$/i.test(text)) return defaults;
  const given: Partial<Record<RateLimitName | 'all', number>> = {};
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, name = '', digits = ''] = /^([a-z0-9_.]+)=(\d{1,10})$/.exec(entry) ?? [];
    const value = Number(digits);
    if ((!isName(name) && name !== 'all') || name in given || value < 1 || value > most) return undefined;
    given[name] = value;
  }
  const { all, ...named } = given;
  const rates = Object.keys(defaults).map((name) => [name, all ?? defaults[name as RateLimitName]]);
  return { ...(Object.fromEntries(rates) as RateLimits), ...named };
}

/** What was counted in this stretch of time and in the one before; `passed` is how much of this one has gone, 0 to 1. */
export type SlidingWindow = { current: number; previous: number; passed: number };

/** How many there were in the last whole stretch, taking those of the one before as spread evenly over it. */
export function slidingCount({ current, previous, passed }: SlidingWindow): number {
  return current + previous * (1 - passed);
}

/** Seconds until another one fits under `limit`, at least 1 and whole; 0 when it fits now. */
export function waitSeconds(slid: SlidingWindow, limit: number, stretchSeconds: number): number {
  if (slidingCount(slid) + 1 <= limit) return 0;
  const room = limit - 1;
  const { current, previous, passed } = slid;
  // Once enough of the stretch before has slid away; or, if this one is full by itself, enough of this one.
  const until = current <= room ? 1 - (room - current) / previous : 2 - room / current;
  return Math.max(1, Math.ceil((until - passed) * stretchSeconds - 1e-9));
}

/**
 * What an address is counted as: an IPv4 address is itself; of IPv6 the first 64 bits, because whoever has one address of
 * such a network has all of it.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [bare = ''] = address.split('%');
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${bare}/64`).toString()}/64`;
}
