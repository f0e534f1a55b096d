/**
 * Decides from counts whether a card attempt looks like card testing, and defines the thresholds with their defaults.
 * The share of declines decides, not the number of attempts: a busy shop must not be blocked.
 */

const defaults = {
  /** Minutes that the counts cover. */
  minutes: 10,
  /** Declines of one payment, without a time limit. */
  session: 10,
  /** Declines of one card number, at all merchants. */
  card: 5,
  /** Declines from one address or IPv6 network, at all merchants. */
  address: 10,
  /** Declines of cards with the same first six digits, at one merchant. */
  bin: 20,
  /** Declines of a merchant before the share is compared with its usual share. */
  merchant: 50,
  /** Minimum percentage of declined attempts, for all but `session`. */
  share: 60,
  /** Minimum percentage points by which a merchant's declines exceed its usual share. */
  above: 25,
};

export type TestingLimits = Readonly<typeof defaults>;

/** The thresholds that apply without a setting. */
export const defaultTestingLimits: TestingLimits = defaults;

/** While a merchant's defence is active, this fraction of each threshold is enough. */
const strictFactor = 1 / 3;

const isName = (text: string): text is keyof TestingLimits => Object.hasOwn(defaults, text);

/** Reads a setting: `on`, `off` (null), or the thresholds that differ (`address=20 bin=40`). Undefined if malformed. */
export function parseTestingLimits(text: string): TestingLimits | null | undefined {
  if (/^(off|false|0|no)$/i.test(text)) return null;
  if (/^(on|true|1|yes)$/i.test(text)) return defaults;
  const overrides: Partial<Record<keyof TestingLimits, number>> = {};
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, name = '', digits = ''] = /^([a-z]+)=(\d{1,9})$/.exec(entry) ?? [];
    const value = Number(digits);
    const most = name === 'minutes' ? 1440 : name === 'share' || name === 'above' ? 100 : 1_000_000_000;
    if (!isName(name) || name in overrides || value < 1 || value > most) return undefined;
    overrides[name] = value;
  }
  return { ...defaults, ...overrides };
}

/**
 * What an attempt is counted by: a keyed hash of its card number alone, so that guesses of dates and codes count for one
 * card; the payer's address or IPv6 network; the first six digits.
 */
export type CardTestingKeys = { card: string; address: string | null; bin: string };

/**
 * Approved and declined attempts within the counted minutes, how many of them were declined, and how many more a provider
 * is processing, where they count.
 */
export type AttemptCounts = { attempts: number; declines: number; inProgress?: number };

/**
 * How many attempts in progress count as one decline. A holder pays once at a time with a card, but several payers behind
 * an address pay at the same moment.
 */
const inProgressPerDecline = { card: 1, address: 10, bin: 1 };

export type CardTestingCounts = {
  session: number;
  card: AttemptCounts;
  /** Null if the payer's address is unknown. */
  address: AttemptCounts | null;
  bin: AttemptCounts;
  strict: boolean;
};

/** The counter that blocked an attempt. */
export type CardTestingBlock = AttemptCounts & { by: 'session' | 'card' | 'address' | 'bin' };

/** The reason to block an attempt; null if there is none. */
export function findCardTestingBlock(
  { session, card, address, bin, strict }: CardTestingCounts,
  limits: TestingLimits,
): CardTestingBlock | null {
  const enough = (threshold: number) => (strict ? Math.max(2, Math.ceil(threshold * strictFactor)) : threshold);
  if (session >= enough(limits.session)) return { by: 'session', declines: session, attempts: session };
  const isBlocked = (what: 'card' | 'address' | 'bin', { attempts, declines, inProgress = 0 }: AttemptCounts) => {
    const open = inProgress / inProgressPerDecline[what];
    const isMany = declines + open >= enough(limits[what]);
    return isMany && isMostly({ attempts: attempts + open, declines: declines + open }, limits.share);
  };
  if (isBlocked('card', card)) return { by: 'card', ...card };
  if (address && isBlocked('address', address)) return { by: 'address', ...address };
  return isBlocked('bin', bin) ? { by: 'bin', ...bin } : null;
}

function isMostly({ attempts, declines }: AttemptCounts, percent: number): boolean {
  return declines * 100 >= attempts * percent;
}

/** Whether a merchant has enough declines that its usual share must be queried. */
export function isUnderSuspicion(merchant: AttemptCounts, limits: TestingLimits): boolean {
  return merchant.declines >= limits.merchant && isMostly(merchant, limits.share);
}

/** Whether a merchant's defence is active. `usual` is the share of declines before, 0 to 1; null for a new merchant. */
export function isDefenceActive(merchant: AttemptCounts, usual: number | null, limits: TestingLimits): boolean {
  if (!isUnderSuspicion(merchant, limits)) return false;
  return usual === null || (merchant.declines / merchant.attempts - usual) * 100 >= limits.above;
}

const by = {
  session: 'this payment',
  card: 'this card number',
  address: "this payer's address",
  bin: 'cards of these first six digits at this merchant',
} as const;

/** A block as a sentence for the merchant. */
export function blockText(
  { by: what, declines, attempts, inProgress = 0 }: CardTestingBlock,
  { minutes }: TestingLimits,
): string {
  if (what === 'session') return `stopped as card testing: ${Math.round(declines)} declines of ${by.session}`;
  const [bad, all] = [Math.round(declines), Math.round(attempts)];
  const more = inProgress > 0 ? `, and ${inProgress} more in progress` : '';
  return `stopped as card testing: ${bad} of ${all} attempts of ${by[what]} declined within ${minutes} minutes${more}`;
}
