/** The payer's presentation in a transaction: its card numbers are masked there, and the whole one is stored encrypted. */
import { isDeepStrictEqual } from 'node:util';
import { maskPresentation } from '../../core/masked-presentation.ts';
import type { Status, Transaction } from '../../core/payment.ts';
import type { Presentation } from '../../core/presentation.ts';
import type { ProviderData } from '../../core/provider-data.ts';
import { sealPresentation, withWholePresentation } from '../../vault/index.ts';
import type { Transition } from '../transitions.ts';

/** Whether the transaction already has the presentation that the provider reports; null for none. */
export async function isPresented(transaction: Transaction, reported: Presentation | null): Promise<boolean> {
  const stored = transaction.providerData.present ?? null;
  if (reported === null || stored === null) return reported === stored;
  if (!isDeepStrictEqual(maskPresentation(reported), stored)) return false;
  if (!stored.masked) return true;
  // Two card numbers can have the same masked form.
  const { providerData } = await withWholePresentation(transaction);
  return isDeepStrictEqual(providerData.present, reported);
}

/**
 * The provider's data as they are stored with this status: with a masked presentation, and the whole one encrypted as long
 * as the payer needs it. Releases before 0.2 stored whole ones, which are masked at the latest when the transaction is final.
 */
export async function maskedFacts(
  transaction: Transaction,
  status: Status,
  facts: ProviderData,
): Promise<Pick<Transition, 'providerData' | 'sealedPresent'>> {
  const isFinal = status === 'success' || status === 'fail';
  const whole = facts.present === undefined && isFinal ? transaction.providerData.present : facts.present;
  const present = whole && maskPresentation(whole);
  if (!whole || present === whole) return { providerData: facts };
  const sealedPresent = status === 'waiting' ? await sealPresentation(whole, transaction) : undefined;
  return { providerData: { ...facts, present }, sealedPresent };
}
