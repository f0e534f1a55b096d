/**
 * Unresolved items: differences between a provider and a payment, such as money taken after a decline was reported, a
 * withdrawn approval or a wrong amount. An item stays open until the provider agrees, it is resolved automatically
 * (resolve-unresolved.ts) or it is closed manually. A transaction has one row of each kind; of chargebacks, one for
 * each of the provider's ids (`subject`).
 */
import type { Outcome } from '../connectors/index.ts';
import { isUuid, newId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import { isAttempt, isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import { type EntityRow, entity, rowSet, statement } from '../db/index.ts';
import { notifyJob } from '../db/notify-job.ts';
import { findMidOf } from '../merchants/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import { lookUpOutcome } from './provider-requests.ts';
import { findUndone } from './queries.ts';
import { callbackSnapshotSql, callbackTypeOf, newCallback } from './transitions.ts';

/**
 * `automatic`: voided or refunded according to the MID's setting. `reported`: the merchant gets a callback with the
 * status `undefined`. `reason`: the text shown in the dashboard.
 */
type KindRules = { automatic: boolean; reported: boolean; reason: string };

export const unresolvedKinds = {
  late_success: {
    automatic: true,
    reported: true,
    reason: 'The provider approved the operation after it was reported as declined',
  },
  taken_back: { automatic: false, reported: true, reason: 'The provider declines an operation that it had approved' },
  amount_mismatch: {
    automatic: true,
    reported: true,
    reason: 'The provider reports another amount than was requested',
  },
  wrong_outcome: {
    automatic: true,
    reported: true,
    reason: 'The provider authorised an amount that it was asked to take',
  },
  underpaid: { automatic: false, reported: true, reason: 'The payer paid less than the order' },
  overpaid: { automatic: false, reported: false, reason: 'The payer paid more than the order' },
  captured_elsewhere: {
    automatic: false,
    reported: true,
    reason: 'The provider has captured an authorisation without a request',
  },
  not_cancelled: { automatic: false, reported: false, reason: 'The provider does not cancel the attempt' },
  not_released: { automatic: false, reported: false, reason: 'The provider does not void the expired authorisation' },
  not_found: {
    automatic: false,
    reported: false,
    reason: 'The provider no longer knows an operation that it has reported on',
  },
  chargeback_mismatch: {
    automatic: false,
    reported: true,
    reason: 'A chargeback does not fit the payment in amount, currency or state',
  },
  returned_twice: { automatic: false, reported: false, reason: 'The payer got the money back twice' },
} as const satisfies Record<string, KindRules>;

export type UnresolvedKind = keyof typeof unresolvedKinds;
export type UnresolvedAction = 'void' | 'refund' | 'task';

/** An item as it is processed and shown. */
export type Unresolved = {
  id: string;
  paymentId: string;
  transactionId: string;
  merchantId: string;
  kind: UnresolvedKind;
  reason: string;
  amount: Money;
  action: UnresolvedAction;
  polls: number;
  createdAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  resolution: string | null;
};

type UnresolvedFields = Omit<Unresolved, 'amount'> & { amountMinor: bigint; currency: string };

const items = entity<UnresolvedFields>()(
  'u',
  `id, paymentId, transactionId, merchantId, kind, reason, amountMinor, currency, action::text, polls, createdAt,
  closedAt, closedBy, resolution`,
);

/** An item's columns; expects the item under the alias `u`. */
export const unresolvedColumns = items.columns;

export type UnresolvedRow = EntityRow<UnresolvedFields, 'u'>;

/** An item from a row of {@link unresolvedColumns}. */
export function toUnresolved(row: UnresolvedRow): Unresolved {
  const { amountMinor: minor, currency, ...item } = items.read(row);
  return { ...item, amount: { minor, currency } };
}

// The callback is inserted in the same statement as the change of the item `u` that it reports.
const itemCallbackSql = `, p as (
  update payments set version = version + 1, updated_at = :now::timestamptz
    from u where payments.id = u.payment_id
  returning payments.*
), cb as (
  insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, reason,
                         amount_minor, facts, url, address, state, due_at, created_at)
  select :callbackId::uuid, p.id, :transactionId::uuid, p.merchant_id, p.version, :outcome::"CallbackOutcome", :type::text,
         p.state, :callbackReason::text, :amountMinor::bigint, ${callbackSnapshotSql('x.facts', 'null::jsonb')},
         :url::text, :address::text, (case when :url::text is null then 'undelivered' else 'waiting' end)::"CallbackState",
         case when :url::text is null then null else :now::timestamptz end, :now::timestamptz
    from p join transactions x on x.id = :transactionId::uuid
)`;

type ItemReport = { outcome: 'undefined' | 'fail'; type: string; reason: string | null };

async function callbackValues({ payment, transaction }: PaymentWithTransaction, { reason, ...report }: ItemReport) {
  const { id: callbackId, ...target } = await newCallback(payment);
  return { ...report, transactionId: transaction.id, callbackId, callbackReason: reason, ...target };
}

type CallbackParams = Awaited<ReturnType<typeof callbackValues>>;

/** The resolution of an item that closes without a decision. */
const agreedResolution = 'The provider and the payment agree';
/** The resolution of an item whose money Florin has refunded: the provider reports the original as approved for ever. */
export const refundedResolution = 'Refunded at the provider';

const newItems = rowSet(
  'items',
  `id uuid, paymentId uuid, transactionId uuid, merchantId uuid, kind text, reason text, amountMinor bigint,
  currency text, action "LateSuccess", dueAt timestamptz, createdAt timestamptz, subject text`,
);

const createSql = `
with u as (
  insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action,
                          due_at, created_at, subject)
  select items.* from ${newItems.from}
  on conflict (transaction_id, kind, subject) do update set
    reason = excluded.reason, amount_minor = excluded.amount_minor, currency = excluded.currency, polls = 0,
    action = case when unresolved.resolution = '${agreedResolution}' then excluded.action else 'task' end,
    due_at = case when unresolved.resolution = '${agreedResolution}' then excluded.due_at end,
    created_at = excluded.created_at, closed_at = null, closed_by = null, resolution = null
   where unresolved.closed_by = 'florin'
  returning id, payment_id
)`;

const create = statement<{ items: string }, { id: string }>('unresolved-create', `${createSql} select u.id from u`);
const createReported = statement<{ items: string; amountMinor: bigint; now: Date } & CallbackParams, { id: string }>(
  'unresolved-create-reported',
  `${createSql}${itemCallbackSql} select u.id from u`,
);

/**
 * Creates an item. No effect where the transaction has one of this kind and subject that is open or was closed
 * manually. One that was closed automatically is reopened, as a manual task where Florin has already returned the
 * money. `amount` is the provider's amount that differs from the request.
 */
export async function createUnresolved(
  both: PaymentWithTransaction,
  kind: UnresolvedKind,
  now: Date,
  { amount, reason, subject = '' }: { amount?: Money | undefined; reason?: string; subject?: string } = {},
): Promise<void> {
  const { payment, transaction } = both;
  const { minor, currency } = amount ?? { minor: transaction.amountMinor, currency: transaction.currency };
  const { automatic, reported, reason: defaultReason } = unresolvedKinds[kind];
  // Undoing a modification or a payout needs a manual decision.
  const isFollowable = isAttempt(transaction) && transaction.kind !== 'credit';
  // Only a part of a settled payment may differ, as after a partial refund at the provider's portal.
  const isAutomatic = automatic && isFollowable && transaction.status !== 'success';
  const action: UnresolvedAction = isAutomatic ? ((await findMidOf(transaction))?.lateSuccess ?? 'task') : 'task';
  // An operation that is not final was reported as `undefined` before.
  const isReported = reported && !isNotFinal(transaction) && (kind !== 'late_success' || decidesPayment(both));
  const item = {
    id: newId(),
    paymentId: payment.id,
    transactionId: transaction.id,
    merchantId: payment.merchantId,
    kind,
    reason: reason ?? defaultReason,
    amountMinor: minor,
    currency,
    action,
    subject,
    dueAt: action === 'task' ? null : now,
    createdAt: now,
  };
  const items = newItems.encode([item]);
  const report = { outcome: 'undefined', type: callbackTypeOf(payment, transaction), reason: null } as const;
  const rows = isReported
    ? await createReported({ items, amountMinor: minor, now, ...(await callbackValues(both, report)) })
    : await create({ items });
  if (rows.length === 0) return;
  metrics.unresolved.inc({ kind });
  log.error({ payment: payment.id, transaction: transaction.id, kind, action }, 'a payment needs attention');
  if (action !== 'task') notifyJob('unresolved');
  if (isReported) notifyJob('callbacks');
}

/** Whether a failed transaction decides its payment's state: not where the payment continues or was paid later. */
function decidesPayment({ payment, transaction }: PaymentWithTransaction): boolean {
  return transaction.status === 'fail' && (!isAttempt(transaction) || payment.state === 'declined');
}

const newestOutcome = statement<{ paymentId: string }, { outcome: string }>(
  'callback-newest-outcome',
  'select outcome::text from callbacks where payment_id = :paymentId::uuid order by sequence desc limit 1',
);

/**
 * Whether the end of a late success is reported. One that was found while the payment went on was not reported, and the
 * merchant has learned of the decline since.
 */
export async function isEndReported(both: PaymentWithTransaction): Promise<boolean> {
  if (!decidesPayment(both)) return false;
  const [newest] = await newestOutcome({ paymentId: both.payment.id });
  return newest?.outcome === 'undefined';
}

const closeSql = `
with u as (
  update unresolved set closed_at = :now::timestamptz, closed_by = :by::text, resolution = :resolution::text, due_at = null
   where id = :id::uuid and payment_id = :paymentId::uuid and closed_at is null
  returning id, payment_id
)`;

type CloseParams = { id: string; paymentId: string; by: string; resolution: string; now: Date };

const close = statement<CloseParams, { id: string }>('unresolved-close', `${closeSql} select u.id from u`);
const closeReported = statement<CloseParams & CallbackParams & { amountMinor: bigint }, { id: string }>(
  'unresolved-close-reported',
  `${closeSql}${itemCallbackSql} select u.id from u`,
);

/**
 * Closes an item; false where it is closed already. With `reported` the money of a declined payment went back, and the
 * merchant gets a callback `fail` whose reason is the resolution.
 */
export async function closeUnresolved(
  both: PaymentWithTransaction,
  { id, amount }: Pick<Unresolved, 'id' | 'amount'>,
  { by, resolution, reported }: { by: string; resolution: string; reported: boolean },
  now: Date,
): Promise<boolean> {
  const { payment, transaction } = both;
  const values = { id, paymentId: payment.id, by, resolution, now };
  const report = { outcome: 'fail', type: callbackTypeOf(payment, transaction), reason: resolution } as const;
  const rows = reported
    ? await closeReported({ ...values, amountMinor: amount.minor, ...(await callbackValues(both, report)) })
    : await close(values);
  if (rows.length > 0 && reported) notifyJob('callbacks');
  return rows.length > 0;
}

/** Kinds that close automatically once provider and payment agree on the transaction's outcome. */
const autoClosingKinds: UnresolvedKind[] = [
  ...(['late_success', 'taken_back', 'amount_mismatch', 'wrong_outcome', 'underpaid'] as const),
  ...(['captured_elsewhere', 'not_cancelled', 'not_released', 'not_found'] as const),
];

const closeAgreed = statement<{ transactionId: string; now: Date; kinds: UnresolvedKind[] }>(
  'unresolved-close-agreed',
  `update unresolved set closed_at = :now::timestamptz, closed_by = 'florin', due_at = null,
          resolution = '${agreedResolution}'
    where transaction_id = :transactionId::uuid and closed_at is null and kind = any(:kinds::text[])`,
);

/** Closes the open items of a transaction on which provider and payment agree. */
export async function closeAgreedItems(transactionId: string, now: Date): Promise<void> {
  await closeAgreed({ transactionId, now, kinds: autoClosingKinds });
}

const itemsByPayment = statement<{ paymentId: string }, UnresolvedRow>(
  'unresolved-of',
  `select ${unresolvedColumns} from unresolved u where u.payment_id = :paymentId order by u.created_at, u.id`,
);

/** The items of a payment, oldest first. */
export async function unresolvedOf(paymentId: string): Promise<Unresolved[]> {
  return (await itemsByPayment({ paymentId })).map(toUnresolved);
}

const itemById = statement<{ id: string; merchantId: string | null }, UnresolvedRow>(
  'unresolved-find',
  `select ${unresolvedColumns} from unresolved u
    where u.id = :id and (:merchantId::uuid is null or u.merchant_id = :merchantId::uuid)`,
);

/** One item; with `merchantId` only that merchant's. Null when there is none. */
export async function findUnresolved(id: string, merchantId: string | null): Promise<Unresolved | null> {
  if (!isUuid(id)) return null;
  const [row] = await itemById({ id, merchantId });
  return row ? toUnresolved(row) : null;
}

type FinalOutcome = Extract<Outcome, { kind: 'approved' | 'authorized' | 'declined' }>;
const isFinalOutcome = (outcome: Outcome): outcome is FinalOutcome =>
  ['approved', 'authorized', 'declined'].includes(outcome.kind);

/**
 * Compares a provider's outcome with the outcome of a final transaction, and creates or closes items accordingly. A
 * reported outcome is never changed silently. False where the comparison has to wait, as a void, a capture or an expiry
 * in progress may explain the difference.
 */
export async function compareFinalOutcome(both: PaymentWithTransaction, outcome: Outcome, now: Date): Promise<boolean> {
  const { payment, transaction } = both;
  if (transaction.kind === 'chargeback') return true;
  if (!isFinalOutcome(outcome)) return true;
  const isBusy = payment.inFlightId !== null || transaction.cancelReason !== null;
  if (transaction.status === 'success' && isBusy) return false;
  const discrepancy = await findDiscrepancy(both, outcome);
  const { amountMinor: minor, currency } = transaction;
  const reportedAmount = (outcome.kind !== 'declined' && outcome.amount) || { minor, currency };
  const amount = discrepancy === 'overpaid' ? { minor: reportedAmount.minor - minor, currency } : reportedAmount;
  if (!discrepancy) return closeOnAgreement(both, now);
  await createUnresolved(both, discrepancy, now, { amount });
  return true;
}

/**
 * Closes the open items of a transaction. The end of a reported late success is reported too. Another process may have
 * found an item after this one had requested the outcome: only a look-up that begins when the item is known closes it.
 */
async function closeOnAgreement(both: PaymentWithTransaction, now: Date): Promise<boolean> {
  const { payment, transaction } = both;
  const open = (await unresolvedOf(payment.id)).filter(
    (item) => item.transactionId === transaction.id && item.closedAt === null,
  );
  if (open.length === 0) return true;
  const current = await lookUpOutcome(transaction);
  if (!isFinalOutcome(current)) return false;
  if (await findDiscrepancy(both, current)) return true;
  const late = open.find((item) => item.kind === 'late_success');
  if (late && (await isEndReported(both))) {
    await closeUnresolved(both, late, { by: 'florin', resolution: 'Undone at the provider', reported: true }, now);
  }
  await closeAgreedItems(transaction.id, now);
  return true;
}

async function findDiscrepancy(
  { payment, transaction }: PaymentWithTransaction,
  outcome: FinalOutcome,
): Promise<UnresolvedKind | null> {
  if (transaction.status === 'fail') {
    return outcome.kind === 'declined' || (await isRefunded(transaction, outcome.amount)) ? null : 'late_success';
  }
  if (outcome.kind === 'declined') return (await isReturnedToPayer(payment, transaction)) ? null : 'taken_back';
  if (transaction.kind === 'authorize' && payment.state === 'pending' && outcome.kind === 'approved') {
    return 'captured_elsewhere';
  }
  const { amount } = outcome;
  if (!amount || !isAttempt(transaction)) return null;
  if (amount.currency !== transaction.currency || amount.minor < transaction.amountMinor) return 'amount_mismatch';
  return amount.minor > transaction.amountMinor ? 'overpaid' : null;
}

// Whether Florin has refunded the reported amount of a declined attempt.
async function isRefunded({ id, paymentId, ...transaction }: Transaction, reported: Money | undefined) {
  const { minor, currency } = reported ?? { minor: transaction.amountMinor, currency: transaction.currency };
  return (await unresolvedOf(paymentId)).some(
    ({ transactionId, closedBy, resolution, amount }) =>
      transactionId === id &&
      closedBy === 'florin' &&
      resolution?.startsWith(refundedResolution) &&
      amount.currency === currency &&
      amount.minor >= minor,
  );
}

// Providers may report a voided, reversed or expired attempt as declined: its money was returned to the payer.
async function isReturnedToPayer(payment: Payment, transaction: Transaction): Promise<boolean> {
  if (payment.state === 'declined') return true;
  if (!isAttempt(transaction)) return false;
  return (await findUndone([payment.id])).has(payment.id);
}
