/** Which actions a person is offered on a payment, and why one that might be expected is missing. */
import { may, type Right, type Role, roleNames } from '../../auth';
import { formatAmount } from '../../core/money';
import { type Payment, refundableMinor } from '../../core/payment';
import { type ActionAccount, type AvailableActions, type RefusalReason, readAvailableActions } from '../../payments';
import type { Actions } from '../contract';

export type Offer = { actions: Actions; notes: string[] };

/** A payment, and the MID of its latest attempt; null where nothing was tried yet. */
export type Offered = { payment: Payment; mid: ActionAccount | null; isCancelling: boolean };

const nothing: Offer = { actions: {}, notes: [] };

/** The offers of some payments, in their order. */
export async function offersOf(subjects: readonly Offered[], role: Role, now: Date): Promise<Offer[]> {
  const tried = subjects.flatMap(({ payment, mid, isCancelling }) =>
    mid ? [{ payment, account: mid, isCancelling }] : [],
  );
  const known = await readAvailableActions(tried, now);
  const offers = new Map(tried.map(({ payment }, place) => [payment, known[place]]));
  return subjects.map(({ payment }) => {
    const available = offers.get(payment);
    return available ? offerOf(payment, available, role) : nothing;
  });
}

/** The offer of one payment to a person of this role. */
export function offerOf(payment: Payment, available: AvailableActions, role: Role): Offer {
  const actions = allowedActions(payment, available);
  const names = Object.keys(actions) as (keyof Actions)[];
  const forbidden = names.filter((name) => !may(role, rights[name]));
  if (forbidden.length === 0) return { actions, notes: notesOf(payment, available) };
  for (const name of forbidden) delete actions[name];
  return { actions, notes: [`The role ${roleNames[role]} looks on: it moves no money.`] };
}

const rights: Record<keyof Actions, Right> = {
  capture: 'payments.capture',
  refund: 'payments.refund',
  void: 'payments.void',
};

function allowedActions(
  { currency }: Payment,
  { capture, refund, void: cancel, releaseBy }: AvailableActions,
): Actions {
  const actions: Actions = {};
  const amountOf = (minor: bigint) => formatAmount(minor, currency);
  if (!capture.refusal) actions.capture = { most: amountOf(capture.move.mostMinor) };
  if (!refund.refusal && releaseBy !== 'refund') {
    actions.refund = { most: amountOf(refund.move.mostMinor), partial: refund.move.partial };
  }
  const undoing = releaseBy === 'refund' ? refund : cancel;
  if (!undoing.refusal) {
    actions.void = { kind: releaseBy ? 'release' : 'void', amount: amountOf(undoing.move.mostMinor) };
  }
  return actions;
}

const busy = 'The provider is at work on this payment. What can be done next depends on its answer.';

/** Reasons that are worth a sentence. */
const refundNotes: Partial<Record<RefusalReason, string>> = {
  payout: 'A payout is neither refunded nor voided: the money is with its recipient.',
  undone: 'Refund is not offered: the payment was voided or reversed before the dispute.',
  'no refunds': 'Refund is not offered: the provider of this MID makes none.',
  'portal only': "Refunds of this MID are made in the provider's own portal.",
};
const voidNotes: Partial<Record<RefusalReason, string>> = {
  disputed: 'Void is not offered: a part of the payment is disputed.',
  'day over': 'Void is over: it ends with the UTC day of the settlement.',
  refunded: 'Void is not offered: part of the payment is refunded.',
};

function notesOf(payment: Payment, { capture, refund, void: cancel, releaseBy }: AvailableActions): string[] {
  const isOpen = payment.state === 'pending' || payment.state === 'settled' || refundableMinor(payment) > 0n;
  if (!isOpen) return [];
  if (payment.inFlightId || capture.reason === 'cancelling') return [busy];
  if (!capture.refusal) return ['The money is held. One capture takes all of it or a part.'];
  const open = !cancel.refusal && !releaseBy ? 'Void is open until 00:00 UTC.' : undefined;
  const notes = [refund.reason && refundNotes[refund.reason], open ?? (cancel.reason && voidNotes[cancel.reason])];
  return notes.filter((note) => typeof note === 'string');
}
