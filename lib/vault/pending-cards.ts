/**
 * Stores card data between the submit of hosted fields and the merchant's request that makes the payment. The data
 * contains a security code: it stays in this process's memory, encrypted under a key of the process, is read once and
 * deleted after a quarter of an hour. After a restart, or in another process, the payer submits the fields again.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Expiry } from '../core/cards';

/** The submitted card data. For a stored card only the security code is submitted. */
export type PendingCard = ({ number: string; expiry: Expiry } | { keptCardId: string }) & {
  cvv?: string;
  /** The client IP of the payer's browser: the request that makes the payment often comes from a server. */
  address?: string;
};

const maxAgeSeconds = 15 * 60;
/** Far more than one process serves within the time; the oldest are evicted first. */
const maxPendingCards = 50_000;

type Sealed = { iv: Buffer; tag: Buffer; bytes: Buffer; until: number; timer: NodeJS.Timeout };

// The module may be bundled twice in one process; both copies share the memory and its key.
const stateKey = Symbol.for('florin.pendingCards');
const holder = globalThis as { [stateKey]?: { key: Buffer; cards: Map<string, Sealed> } };
holder[stateKey] ??= { key: randomBytes(32), cards: new Map() };
const { key, cards } = holder[stateKey];

/** Stores a session's card until the payment is made; a later submit replaces an earlier one. */
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

/** Returns and deletes a session's card. Null when there is none. */
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
