/** Decides which actions the dashboard offers a user on a payment, with notes on those that are not available. */
import { may, type Right, type Role, roleNames } from '../../auth/index.ts';
import { formatAmount } from '../../core/money.ts';
import { type Payment, refundableMinor } from '../../core/payment.ts';
import {
  type ActionAccount,
  type AvailableActions,
  type RefusalReason,
  readAvailableActions,
} from '../../payments/index.ts';

/** The allowed actions on a payment with their maximum amounts; absent if the state or the role forbids them. */
export type Actions = {
  capture?: { most: string };
  refund?: { most: string; partial: boolean };
  void?: { kind: 'void' | 'release'; amount: string };
};

export type Offer = { actions: Actions; notes: string[] };

/** A payment with the MID of its latest attempt; null without attempts. */
export type Offered = { payment: Payment; mid: ActionAccount | null; isCancelling: boolean };

const nothing: Offer = { actions: {}, notes: [] };

/** The offers of several payments, in their order. */
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

/** The offer of one payment to a user of this role. */
export function offerOf(payment: Payment, available: AvailableActions, role: Role): Offer {
  const actions = allowedActions(payment, available);
  const names = Object.keys(actions) as (keyof Actions)[];
  const forbidden = names.filter((name) => !may(role, rights[name]));
  if (forbidden.length === 0) return { actions, notes: notesOf(payment, available) };
  for (const name of forbidden) delete actions[name];
  return { actions, notes: [`You have read-only access (role ${roleNames[role]}).`] };
}

const rights: Record<keyof Actions, Right> = {
  capture: 'payments.capture',
  refund: 'payments.refund',
  void: 'payments.void',
};

function allowedActions({ currency }: Payment, { capture, refund, void: cancel, releaseBy }: AvailableActions) {
  const actions: Actions = {};
  const amountOf = (minor: bigint) => formatAmount(minor, currency);
  if (!capture.refusal) actions.capture = { most: amountOf(capture.move.mostMinor) };
  if (!refund.refusal && releaseBy !== 'refund') {
    actions.refund = { most: amountOf(refund.move.mostMinor), partial: refund.move.partial };
  }
  const undo = releaseBy === 'refund' ? refund : cancel;
  if (!undo.refusal) {
    actions.void = { kind: releaseBy ? 'release' : 'void', amount: amountOf(undo.move.mostMinor) };
  }
  return actions;
}

const busy = 'The provider is processing this payment. The next actions depend on its response.';

/** Notes for the reasons that users may not expect. */
const refundNotes: Partial<Record<RefusalReason, string>> = {
  payout: 'Payouts cannot be refunded or voided: the recipient has the money.',
  undone: 'Refund is not available: the payment was voided or reversed before the dispute.',
  'no refunds': 'Refunds are not available: the provider of this MID does not support them.',
  'portal only': "Refunds of this MID are made in the provider's own portal.",
};
const voidNotes: Partial<Record<RefusalReason, string>> = {
  disputed: 'Void is not available: a part of the payment is disputed.',
  'day over': 'This payment can no longer be voided: voids end at 00:00 UTC after the settlement.',
  refunded: 'Void is not available: part of the payment is refunded.',
};

function notesOf(payment: Payment, { capture, refund, void: cancel, releaseBy }: AvailableActions): string[] {
  const isOpen = payment.state === 'pending' || payment.state === 'settled' || refundableMinor(payment) > 0n;
  if (!isOpen) return [];
  if (payment.inFlightId || capture.reason === 'cancelling') return [busy];
  if (!capture.refusal) return ['The money is authorised. One capture collects all or part of it.'];
  const open = !cancel.refusal && !releaseBy ? 'This payment can be voided until 00:00 UTC.' : undefined;
  const notes = [refund.reason && refundNotes[refund.reason], open ?? (cancel.reason && voidNotes[cancel.reason])];
  return notes.filter((note) => typeof note === 'string');
}
