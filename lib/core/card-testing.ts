/**
 * Whether an attempt to pay by card looks like somebody who tries out stolen or guessed numbers: the thresholds with their
 * defaults, and the decision over what has been counted. Testers are told from a crowd by how many of their attempts are
 * declined, never by how many attempts there are.
 */

const defaults = {
  /** Minutes that the counts look back. */
  minutes: 10,
  /** Declines of one payment, however long ago. */
  session: 10,
  /** Declines of one card's number, at all merchants. */
  card: 5,
  /** Declines from one address or IPv6 network, at all merchants. */
  address: 10,
  /** Declines of cards with the same first six digits, at one merchant. */
  bin: 20,
  /** Declines of a merchant before anybody looks at how usual that is. */
  merchant: 50,
  /** Percent of attempts that are declined, at least, for all but `session`. */
  share: 60,
  /** Percentage points that a merchant's declines lie above their usual, at least. */
  above: 25,
};

export type TestingLimits = Readonly<typeof defaults>;

/** Every threshold as it is without any setting. */
export const defaultTestingLimits: TestingLimits = defaults;

/** While a merchant's defence stands, this part of each threshold is enough. */
const strictFactor = 1 / 3;

const isName = (text: string): text is keyof TestingLimits => Object.hasOwn(defaults, text);

/** Thresholds as a setting writes them: `on`, `off` (null), or those that differ, as `address=20 bin=40`. */
export function parseTestingLimits(text: string): TestingLimits | null | undefined {
  if (/^(off|false|0|no)$/i.test(text)) return null;
  if (/^(on|true|1|yes)$/i.test(text)) return defaults;
  const given: Partial<Record<keyof TestingLimits, number>> = {};
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, name = '', digits = ''] = /^([a-z]+)=(\d{1,9})$/.exec(entry) ?? [];
    const value = Number(digits);
    const most = name === 'minutes' ? 1440 : name === 'share' || name === 'above' ? 100 : 1_000_000_000;
    if (!isName(name) || name in given || value < 1 || value > most) return undefined;
    given[name] = value;
  }
  return { ...defaults, ...given };
}

/** Attempts within the time that the counts look back, and how many of them were declined. */
export type AttemptCounts = { attempts: number; declines: number };

export type CardTestingCounts = {
  /** Declines of this payment. */
  session: number;
  card: AttemptCounts;
  /** Null where nobody knows the payer's address. */
  address: AttemptCounts | null;
  bin: AttemptCounts;
  /** Whether the merchant's defence stands. */
  strict: boolean;
};

/** By what an attempt was stopped. */
export type CardTestingBlock = { by: 'session' | 'card' | 'address' | 'bin'; declines: number; attempts: number };

/** What stops an attempt; null where nothing does. */
export function findCardTestingBlock(
  { session, card, address, bin, strict }: CardTestingCounts,
  limits: TestingLimits,
): CardTestingBlock | null {
  const enough = (threshold: number) => (strict ? Math.max(2, Math.ceil(threshold * strictFactor)) : threshold);
  if (session >= enough(limits.session)) return { by: 'session', declines: session, attempts: session };
  const looks = (ends: AttemptCounts, threshold: number) =>
    ends.declines >= enough(threshold) && isMostly(ends, limits.share);
  if (looks(card, limits.card)) return { by: 'card', ...card };
  if (address && looks(address, limits.address)) return { by: 'address', ...address };
  return looks(bin, limits.bin) ? { by: 'bin', ...bin } : null;
}

function isMostly({ attempts, declines }: AttemptCounts, percent: number): boolean {
  return declines * 100 >= attempts * percent;
}

/** Whether a merchant has so many declines that their usual share has to be asked for. */
export function isUnderSuspicion(merchant: AttemptCounts, limits: TestingLimits): boolean {
  return merchant.declines >= limits.merchant && isMostly(merchant, limits.share);
}

/** Whether a merchant's defence stands; `usual` is the share of declines before, 0 to 1, null for a new merchant. */
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

/** A stop as a sentence for the merchant. */
export function blockText({ by: what, declines, attempts }: CardTestingBlock, { minutes }: TestingLimits): string {
  if (what === 'session') return `stopped as card testing: ${Math.round(declines)} declines of ${by.session}`;
  const [bad, all] = [Math.round(declines), Math.round(attempts)];
  return `stopped as card testing: ${bad} of ${all} attempts of ${by[what]} declined within ${minutes} minutes`;
}
