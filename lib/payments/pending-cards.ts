/**
 * Card data between the payer's "pay" in the hosted fields and the merchant's call that makes the payment. It holds a
 * security code, so it lives in this process's memory only: sealed there under a key that dies with the process, taken
 * out once, and gone after a quarter of an hour. Whoever asks a process that has been restarted, or another one, finds
 * nothing and submits the fields again.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Expiry } from '../core/cards';

/** What was typed. A kept card is asked for its code alone. */
export type PendingCard = ({ number: string; expiry: Expiry } | { keptCardId: string }) & {
  cvv?: string;
  /** Of the payer's browser: who makes the payment with it is often a server. */
  address?: string;
};

const maxAgeSeconds = 15 * 60;
/** Far more than one process serves within the time; the oldest go first. */
const maxPendingCards = 50_000;

type Sealed = { iv: Buffer; tag: Buffer; bytes: Buffer; until: number; timer: NodeJS.Timeout };

// The module may be bundled twice in one process; both copies share the memory and its key.
const stateKey = Symbol.for('florin.pendingCards');
const holder = globalThis as { [stateKey]?: { key: Buffer; cards: Map<string, Sealed> } };
holder[stateKey] ??= { key: randomBytes(32), cards: new Map() };
const { key, cards } = holder[stateKey];

/** Keeps a session's card until the payment is made; a later submit replaces an earlier one. */
export function storePendingCard(paymentId: string, card: PendingCard, now: Date): void {
  drop(paymentId);
  for (const oldest of cards.keys()) {
    if (cards.size < maxPendingCards) break;
    drop(oldest);
  }
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const bytes = Buffer.concat([cipher.update(JSON.stringify(card), 'utf8'), cipher.final()]);
  const until = now.getTime() + maxAgeSeconds * 1000;
  const timer = setTimeout(() => cards.delete(paymentId), maxAgeSeconds * 1000).unref();
  cards.set(paymentId, { iv, tag: cipher.getAuthTag(), bytes, until, timer });
}

/** Takes a session's card out: it is there for one payment only. Null when there is none. */
export function takePendingCard(paymentId: string, now: Date): PendingCard | null {
  const sealed = cards.get(paymentId);
  drop(paymentId);
  if (!sealed || sealed.until <= now.getTime()) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.iv);
  decipher.setAuthTag(sealed.tag);
  const text = Buffer.concat([decipher.update(sealed.bytes), decipher.final()]).toString('utf8');
  return JSON.parse(text) as PendingCard;
}

function drop(paymentId: string): void {
  clearTimeout(cards.get(paymentId)?.timer);
  cards.delete(paymentId);
}
