/**
 * Stores card data between the submit of hosted fields and the merchant's request that makes the payment. The data
 * contains a security code: it stays in the memory of one process, encrypted under a key of the process, is read once
 * and deleted after a quarter of an hour. Worker processes of one machine share the memory of their primary process.
 * After a restart, or on another machine, the payer submits the fields again.
 */
import { randomBytes } from 'node:crypto';
import type { Expiry } from '../core/cards.ts';
import { processWide } from '../core/process-wide.ts';
import { type Answers, askPrimary, isWorkerProcess } from '../jobs/index.ts';
import { decryptText, encryptText } from './cipher.ts';

/** The submitted card data. For a stored card only the security code is submitted. */
export type PendingCard = ({ number: string; expiry: Expiry } | { keptCardId: string }) & {
  cvv?: string;
  /** The client IP of the payer's browser: the request that makes the payment often comes from a server. */
  address?: string;
  /** The payer's choice to have the card saved, where the fields offered it. */
  keepsCard?: boolean;
  /** The mark of the agreement that the fields showed; undefined where the page has no such frame. */
  mark?: string;
};

const maxAgeSeconds = 15 * 60;
/** Far more than one process serves within the time; the oldest are evicted first. */
const maxPendingCards = 50_000;

type Sealed = { bytes: Buffer; until: number; timer: NodeJS.Timeout };

const { key, cards } = processWide('pendingCards', () => ({ key: randomBytes(32), cards: new Map<string, Sealed>() }));

/** Stores a session's card until the payment is made; a later submit replaces an earlier one. */
export async function storePendingCard(paymentId: string, card: PendingCard, now: Date): Promise<void> {
  const stored: StoreQuestion = { paymentId, card, milliseconds: now.getTime() };
  if (isWorkerProcess()) await askPrimary(storeQuestion, stored);
  else store(stored);
}

/** Returns and deletes a session's card. Null when there is none. */
export async function takePendingCard(paymentId: string, now: Date): Promise<PendingCard | null> {
  const taken: TakeQuestion = { paymentId, milliseconds: now.getTime() };
  return isWorkerProcess() ? ((await askPrimary(takeQuestion, taken)) as PendingCard | null) : take(taken);
}

const storeQuestion = 'store pending card';
const takeQuestion = 'take pending card';
type StoreQuestion = { paymentId: string; card: PendingCard; milliseconds: number };
type TakeQuestion = { paymentId: string; milliseconds: number };

export const pendingCardAnswers: Answers = { [storeQuestion]: store, [takeQuestion]: take };

function store({ paymentId, card, milliseconds }: StoreQuestion): void {
  drop(paymentId);
  for (const oldest of cards.keys()) {
    if (cards.size < maxPendingCards) break;
    drop(oldest);
  }
  const bytes = encryptText(key, JSON.stringify(card), paymentId);
  const until = milliseconds + maxAgeSeconds * 1000;
  const timer = setTimeout(() => cards.delete(paymentId), maxAgeSeconds * 1000).unref();
  cards.set(paymentId, { bytes, until, timer });
}

function take({ paymentId, milliseconds }: TakeQuestion): PendingCard | null {
  const sealed = cards.get(paymentId);
  drop(paymentId);
  if (!sealed || sealed.until <= milliseconds) return null;
  return JSON.parse(decryptText(key, sealed.bytes, paymentId)) as PendingCard;
}

function drop(paymentId: string): void {
  clearTimeout(cards.get(paymentId)?.timer);
  cards.delete(paymentId);
}
