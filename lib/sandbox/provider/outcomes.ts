// The outcomes that a sandbox payment can be told to have, by the parameter `sandbox` of any method: for tests, and for
// people who want to see how their shop takes what seldom happens.
import type { SandboxDecline } from '../../core/sandbox-cards';

/** Every outcome and what it does, as the documentation shows it. */
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

/** The outcome that an order's parameters ask for; undefined where they ask for none that exists. */
export function forcedOf(parameters: Record<string, unknown> | undefined): ForcedOutcome | undefined {
  const asked = parameters?.sandbox;
  return typeof asked === 'string' && Object.hasOwn(forcedOutcomes, asked) ? (asked as ForcedOutcome) : undefined;
}

const refusal = (code: string, reason: string, group: SandboxDecline['class'], soft: boolean): SandboxDecline => ({
  code,
  reason,
  class: group,
  soft,
});

/** Why a payment is declined that was told to be. */
export const declinedByProcessing = refusal('declined', 'Declined by processing', 'bank', false);
/** The payer said no. */
export const payerDeclined = refusal('payer_declined', 'The payer declined the payment', 'unconfirmed', true);
/** The payer was not heard of in time. */
export const notConfirmedInTime = refusal('expired', 'The payer did not confirm in time', 'unconfirmed', true);
/** The payer typed wrong codes only. */
export const wrongCode = refusal('wrong_code', 'The payer did not know the code', 'unconfirmed', true);
