// The outcomes that the parameter `sandbox` of any method can force, for tests and for trying rare cases.
import type { SandboxDecline } from '../../core/sandbox-cards.ts';

/** Every outcome and its effect, as documented. */
export const forcedOutcomes = {
  approve: 'Settled at once',
  decline: 'Declined at once',
  pending: 'Processing, settled after 3 seconds',
  rejected: 'Processing, declined after 3 seconds',
  never: 'The payer never acts',
  late: 'Settled after 40 seconds, without the payer',
  expired: "The payer's data expires after 3 seconds, then the payment is declined",
  duplicated: 'As pending; the provider notifies three times',
  out_of_order: 'As pending; an older notification arrives after the final one',
} as const;

export type ForcedOutcome = keyof typeof forcedOutcomes;

/** The outcome forced by an order's parameters; undefined without a valid one. */
export function forcedOf(parameters: Record<string, unknown> | undefined): ForcedOutcome | undefined {
  const requested = parameters?.sandbox;
  return typeof requested === 'string' && Object.hasOwn(forcedOutcomes, requested)
    ? (requested as ForcedOutcome)
    : undefined;
}

/** A decline; by default a technical one that no other card helps. */
export const declineOf = (
  code: string,
  reason: string,
  group: SandboxDecline['class'] = 'technical',
  soft = false,
): SandboxDecline => ({ code, reason, class: group, soft });

/** The reason of a forced decline. */
export const declinedByProcessing = declineOf('declined', 'Declined by processing', 'bank');
/** The payer rejected. */
export const payerDeclined = declineOf('payer_declined', 'The payer declined the payment', 'unconfirmed', true);
/** The payer did not respond in time. */
export const notConfirmedInTime = declineOf('expired', 'The payer did not confirm in time', 'unconfirmed', true);
/** The payer entered wrong codes only. */
export const wrongCode = declineOf('wrong_code', 'The payer did not know the code', 'unconfirmed', true);
