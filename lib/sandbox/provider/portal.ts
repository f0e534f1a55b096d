// Changes at the sandbox provider without a call of the gateway: portal actions, late outcomes and chargebacks. Each is
// notified and from then on shown by GET /operations/{key}.
import { randomUUID } from 'node:crypto';
import { formatAmount, type Money, parseAmount } from '../../core/money.ts';
import type { SandboxDecline } from '../../core/sandbox-cards.ts';
import { endOf, isUnfinished, notificationNow } from './completion.ts';
import type { Change, Operation, ProviderFacts, SimChargeback } from './operation.ts';
import { declinedByProcessing, declineOf } from './operation.ts';
import { insertModification, modificationOf, type Tables, updateOperation, withLocked } from './operation-queries.ts';
import { decideModification, type ModificationKind } from './scenario.ts';

export const portalActions = ['approve', 'decline', 'capture', 'refund', 'void'] as const;

/** `approve` settles a payment in any state, `decline` undoes an approval; the others are the usual modifications. */
export type PortalAction = (typeof portalActions)[number];

const takenBack = declineOf('taken_back', 'The provider took its approval back');
const undone = {
  void: declineOf('voided', 'Voided at the portal'),
  refund: declineOf('refunded', 'Refunded at the portal'),
};

/** Performs a portal action, for the full amount with `minor` null. Returns the reason of a refusal, else null. */
export async function actAtPortal(
  named: Operation,
  action: PortalAction,
  minor: bigint | null,
  at: Date,
): Promise<SandboxDecline | null> {
  if (named.fingerprint === '') return declineOf('not_received', 'The order has not arrived');
  // A modification changes while its payment is locked.
  const why = await withLocked(named.originalId ?? named.id, async (operation, tables) => {
    if (named.originalId !== null) return completeModification(tables, named, operation, action, at);
    if (action !== 'approve' && action !== 'decline') return followAtPortal(tables, operation, action, minor, at);
    if (action === 'approve' && !isUnfinished(operation) && operation.status !== 'declined')
      return declineOf('approved', 'It is approved already');
    const change = action === 'approve' ? approved(operation, minor ?? operation.amountMinor, at) : declined;
    await updateOperation(tables, operation, change, [notificationNow(at)]);
    return null;
  });
  return why === 'repeat' ? null : why;
}

function approved(operation: Operation, amountMinor: bigint, at: Date): Change {
  const settled = { ...operation, scenario: { ...operation.scenario, outcome: 'settled' }, amountMinor } as const;
  return { ...endOf(settled, at, null), amountMinor, voidedAt: null };
}

const declined: Change = { status: 'declined', decline: takenBack, capturedMinor: 0n, capturedAt: null, dueAt: null };

/** A modification with a key that the gateway does not know: it shows in the payment itself. */
async function followAtPortal(
  tables: Tables,
  payment: Operation,
  kind: ModificationKind,
  minor: bigint | null,
  at: Date,
): Promise<SandboxDecline | null> {
  if (payment.kind !== 'payment') return declineOf('not_a_payment', 'Only payments can be followed');
  const verdict = decideModification(payment, kind, minor, at);
  if ('decline' in verdict) return verdict.decline;
  const { amountMinor } = verdict;
  const made = { key: `portal-${randomUUID()}`, kind, status: 'approved', fingerprint: 'portal', amountMinor } as const;
  const change = { ...verdict.change, ...shownOf(payment, kind, amountMinor) };
  const modification = modificationOf(payment, { ...made, createdAt: at });
  await insertModification(tables, payment, modification, change, [notificationNow(at)]);
  return null;
}

/** The payment after a portal action: as captured, as undone, or with the remaining amount. */
function shownOf(payment: Operation, kind: ModificationKind, minor: bigint): Change {
  const { facts, currency } = payment;
  if (kind === 'capture') return { status: 'approved', facts: { ...facts, amount: formatAmount(minor, currency) } };
  const isWhole = payment.refundedMinor + minor === payment.capturedMinor;
  if (kind === 'void') return isUnfinished(payment) ? {} : { status: 'declined', decline: undone.void };
  if (isWhole) return { status: 'declined', decline: undone.refund };
  const shown = facts.amount === undefined ? null : parseAmount(facts.amount, currency);
  const left = (shown?.ok ? shown.minor : payment.amountMinor) - minor;
  return { facts: { ...facts, amount: formatAmount(left, currency) } };
}

/** Completes a modification that was left processing, as far as the payment's amounts allow. */
async function completeModification(
  tables: Tables,
  modification: Operation,
  payment: Operation,
  action: PortalAction,
  at: Date,
): Promise<SandboxDecline | null> {
  const { kind, status, amountMinor } = modification;
  const isModification = kind === 'capture' || kind === 'refund' || kind === 'void';
  if (!isModification || status !== 'processing' || (action !== 'approve' && action !== 'decline')) {
    return declineOf('not_possible', 'Only what is processing can be approved or declined');
  }
  const verdict =
    action === 'decline'
      ? { decline: declinedByProcessing }
      : decideModification(payment, kind, kind === 'void' ? null : amountMinor, at);
  const [end, effect]: [Change, Change] =
    'decline' in verdict
      ? [{ status: 'declined', decline: verdict.decline }, {}]
      : [
          {
            status: 'approved',
            amountMinor: verdict.amountMinor,
            facts: { ...modification.facts, completed_at: at.toISOString() },
          },
          verdict.change,
        ];
  await updateOperation(tables, modification, end, [notificationNow(at)]);
  await updateOperation(tables, payment, effect);
  return null;
}

/** A chargeback: an amount, which may be wrong on purpose, and its id, a new one by default. */
export type Dispute = { amount: Money; reasonCode: string; id?: string };

/** Charges back a payment. */
export async function chargeBack(taken: Operation, dispute: Dispute, at: Date): Promise<SimChargeback | null> {
  const { amount, reasonCode, id } = dispute;
  const date = at.toISOString().slice(0, 10);
  return changeChargebacks(taken, at, (earlier) => {
    const chargeback = {
      id: id ?? `cb-${earlier.length + 1}`,
      amount: formatAmount(amount.minor, amount.currency),
      currency: amount.currency,
      date,
      bank_date: date,
      reason_code: reasonCode,
      status: 'open',
    } as const;
    return [chargeback, [...earlier.filter((each) => each.id !== chargeback.id), chargeback]];
  });
}

/** The merchant wins a chargeback and gets the money back; null if there is none with this id to win. */
export async function reverseChargeback(named: Operation, id: string, at: Date): Promise<SimChargeback | null> {
  return changeChargebacks(named, at, (all, taken) => {
    const lost = all.find((each) => each.id === id);
    if (!lost) return null;
    const won = { ...lost, status: 'won' } as const;
    const won_on = { ...taken.facts.won_on, [id]: at.toISOString().slice(0, 10) };
    return [won, all.map((each) => (each === lost ? won : each)), { won_on }];
  });
}

async function changeChargebacks(
  { id }: Operation,
  at: Date,
  change: (all: SimChargeback[], taken: Operation) => [SimChargeback, SimChargeback[], ProviderFacts?] | null,
): Promise<SimChargeback | null> {
  const changed = await withLocked(id, async (taken, tables) => {
    const [chargeback, chargebacks, more] = change(taken.facts.chargebacks ?? [], taken) ?? [null, []];
    if (!chargeback) return null;
    await updateOperation(tables, taken, { facts: { ...taken.facts, ...more, chargebacks } }, [notificationNow(at)]);
    return chargeback;
  });
  return changed === 'repeat' ? null : changed;
}

/** The amount of a payment without chargebacks, in minor units. */
export function leftOf({ capturedMinor, currency, facts }: Operation): bigint {
  const open = (facts.chargebacks ?? []).filter((each) => each.status === 'open' && each.currency === currency);
  const sums = open.map(({ amount }) => parseAmount(amount, currency));
  return sums.reduce((left, sum) => (sum.ok ? left - sum.minor : left), capturedMinor);
}
