/** Requests by scope: the defaults, a deployment's changes, and the arithmetic of a sliding period. */
import ipaddr from 'ipaddr.js';

/**
 * Limits per minute, those of invitations and messages per hour. `address`: a client address or IPv6 network; `merchant`:
 * requests of or payments to one; `user`: a signed-in user, `payment`: requests for one, both whatever the address.
 */
const defaults = {
  'checkout.address': 12_000,
  'checkout.merchant': 12_000,
  's2s.address': 12_000,
  's2s.merchant': 12_000,
  // Payers' requests: an office behind one address sends a few a second during a flash sale, never fifty.
  'pay.address': 3_000,
  // Submits of a page or of hosted fields, and what their scripts ask: without it one payer could use up a merchant's limit.
  'pay.payment': 120,
  // A view is rendered in 7 ms, a voucher or a picture in 10.
  'pay_view.address': 2_400,
  // A waiting page asks for its state every few seconds: one read.
  'pay_state.address': 12_000,
  'pay_file.address': 300,
  'pay_file.payment': 20,
  'pay.merchant': 12_000,
  'fields.address': 3_000,
  // A page has three or four frames.
  'fields_view.address': 9_600,
  'fields.merchant': 12_000,
  'sign_in.address': 60,
  // A page of the documentation is rendered for each request.
  'docs.address': 600,
  // So is a page of the dashboard, and the page for an unknown address.
  'page.address': 600,
  // Each attempt is kept.
  'resend.payment': 10,
  // A page that follows a payment sends 41 a minute, and a search one for each typed letter.
  'dashboard.user': 600,
  // Of them, those that occupy a process for tens of milliseconds: files, exports, and checks of pasted texts.
  'dashboard_costly.user': 30,
  // Of them, those that change something: each is an entry of the audit log, and a refused one is two.
  'dashboard_change.user': 120,
  // Proofs of identity, right or wrong.
  'proof.user': 10,
  // Logged requests whose signature was not verified and that made no attempt, which anyone can send; in each process.
  'unsigned_log.address': 10,
  'unsigned_log.merchant': 100,
  // An hour.
  'invitation.user': 20,
  'invitation.recipient': 3,
  // Payers can choose who gets a payment link, or the data to pay with.
  'message.recipient': 10,
} as const;

export type RateLimitName = keyof typeof defaults;
export type RateLimits = Readonly<Record<RateLimitName, number>>;

const isName = (text: string): text is RateLimitName => Object.hasOwn(defaults, text);
const most = 1_000_000_000;

/** The limits that apply without a setting. */
export const defaultRateLimits: RateLimits = defaults;

/** Reads a setting: `on`, `off` (null), or `pay.address=6000 all=30000`. Undefined if malformed. */
export function parseRateLimits(text: string): RateLimits | null | undefined {
  if (/^(off|false|0|no)$/i.test(text)) return null;
  if (/^(on|true|1|yes)$/i.test(text)) return defaults;
  const overrides: Partial<Record<RateLimitName | 'all', number>> = {};
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, name = '', digits = ''] = /^([a-z0-9_.]+)=(\d{1,10})$/.exec(entry) ?? [];
    const value = Number(digits);
    if ((!isName(name) && name !== 'all') || name in overrides || value < 1 || value > most) return undefined;
    overrides[name] = value;
  }
  const { all, ...named } = overrides;
  const rates = Object.keys(defaults).map((name) => [name, all ?? defaults[name as RateLimitName]]);
  return { ...(Object.fromEntries(rates) as RateLimits), ...named };
}

/** The counts of the current and the previous period; `passed` is the elapsed share of the current one, 0 to 1. */
export type SlidingWindow = { current: number; previous: number; passed: number };

/** The count of the last full period. The previous period's events count as evenly distributed. */
export function slidingCount({ current, previous, passed }: SlidingWindow): number {
  return current + previous * (1 - passed);
}

/** Seconds until another event fits under `limit`, a whole number of at least 1; 0 if it fits now. */
export function waitSeconds(window: SlidingWindow, limit: number, periodSeconds: number): number {
  if (slidingCount(window) + 1 <= limit) return 0;
  const allowed = limit - 1;
  const { current, previous, passed } = window;
  // Wait until enough of the previous period has passed, or, if the current one alone is full, enough of that.
  const until = current <= allowed ? 1 - (allowed - current) / previous : 2 - allowed / current;
  return Math.max(1, Math.ceil((until - passed) * periodSeconds - 1e-9));
}

/** The counted unit of an address: IPv4 itself, of IPv6 the first 64 bits, as one client has the whole network, or fewer. */
export function networkOf(address: string, bits: 64 | 48 = 64): string {
  if (!address.includes(':')) return address;
  const [bare = ''] = address.split('%');
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${bare}/${bits}`).toString()}/${bits}`;
}
