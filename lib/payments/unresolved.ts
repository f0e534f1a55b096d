/**
 * Unresolved items: differences between a provider and a payment, such as money taken after a decline was reported, a
 * withdrawn approval or a wrong amount. An item stays open until the provider agrees, it is resolved automatically
 * (both in resolve-unresolved.ts) or it is closed manually. A transaction has one row of each kind; of chargebacks, one for
 * each of the provider's ids (`subject`).
 */
import { isUuid, newId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import { isAttempt, isNotFinal, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import { attemptKindsSql, type EntityRow, entity, rowSet, statement } from '../db/index.ts';
import { notifyJob } from '../db/notify-job.ts';
import { findMidOf } from '../merchants/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import { insertLookupSql } from './due-lookups.ts';
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
  /** Recorded before a refund was first sent; null where none was, or where the provider has rejected it. */
  refundSentAt: Date | null;
  createdAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  resolution: string | null;
};

/** The reason of an item for users; of an open task also that a refund was sent, whose money may have been returned. */
export function reasonText({ reason, action, refundSentAt, closedAt }: Unresolved): string {
  const isOpenTask = closedAt === null && action === 'task';
  return isOpenTask && refundSentAt
    ? `${reason}; Florin has sent a refund, which the provider may have approved`
    : reason;
}

type UnresolvedFields = Omit<Unresolved, 'amount'> & { amountMinor: bigint; currency: string };

const items = entity<UnresolvedFields>()(
  'u',
  `id, paymentId, transactionId, merchantId, kind, reason, amountMinor, currency, action::text, polls, refundSentAt,
  createdAt, closedAt, closedBy, resolution`,
);

/** An item's columns; expects the item under the alias `u`. */
export const unresolvedColumns = items.columns;

export type UnresolvedRow = EntityRow<UnresolvedFields, 'u'>;

/** An item from a row of {@link unresolvedColumns}. */
export function toUnresolved(row: UnresolvedRow): Unresolved {
  const { amountMinor: minor, currency, ...item } = items.read(row);
  return { ...item, amount: { minor, currency } };
}

// The callback is inserted in the same statement as the change of the item `u` of the payment `p` that it reports.
const itemCallbackSql = `, cb as (
  insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, reason,
                         amount_minor, facts, url, address, state, due_at, created_at)
  select :callbackId::uuid, p.id, :transactionId::uuid, p.merchant_id, p.version, :outcome::"CallbackOutcome", :type::text,
         p.state, :callbackReason::text, :amountMinor::bigint, ${callbackSnapshotSql('x.facts', 'null::jsonb')},
         :url::text, :address::text, (case when :url::text is null then 'undelivered' else 'waiting' end)::"CallbackState",
         case when :url::text is null then null else :now::timestamptz end, :now::timestamptz
    from p join u on u.payment_id = p.id join transactions x on x.id = :transactionId::uuid
)`;

type ItemReport = { outcome: 'undefined' | 'fail'; type: string; reason: string | null };

async function callbackValues({ payment, transaction }: PaymentWithTransaction, { reason, ...report }: ItemReport) {
  const { id: callbackId, ...target } = await newCallback(payment);
  return { ...report, transactionId: transaction.id, callbackId, callbackReason: reason, ...target };
}

type CallbackParams = Awaited<ReturnType<typeof callbackValues>>;

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
    reason = excluded.reason, amount_minor = excluded.amount_minor, currency = excluded.currency,
    polls = unresolved.polls + 1,
    action = 'task', due_at = excluded.due_at, created_at = excluded.created_at, closed_at = null, closed_by = null,
    resolution = null
   where unresolved.closed_by = 'florin' and unresolved.closed_at = :reopens::timestamptz
  returning id, payment_id
)`;

type CreateParams = { items: string; reopens: Date | null };
const create = statement<CreateParams, { id: string }>('unresolved-create', `${createSql} select u.id from u`);
const createReported = statement<CreateParams & { amountMinor: bigint; now: Date } & CallbackParams, { id: string }>(
  'unresolved-create-reported',
  `${createSql}, p as (
     update payments set version = version + 1, updated_at = :now::timestamptz
       from u where payments.id = u.payment_id returning payments.*
   )${itemCallbackSql} select u.id from u`,
);

type AmountParams = { transactionId: string; kind: string; subject: string; minor: bigint; currency: string };
const setAmount = statement<AmountParams>(
  'unresolved-set-amount',
  `update unresolved set amount_minor = :minor::bigint, currency = :currency::text
    where transaction_id = :transactionId::uuid and kind = :kind::text and subject = :subject::text
      and closed_at is null and refund_sent_at is null and (amount_minor, currency) <> (:minor::bigint, :currency::text)`,
);

/** Gives an open item the amount that the provider reports now. A refund is repeated with the amount that was sent. */
export async function updateAmount(
  transactionId: string,
  kind: UnresolvedKind,
  { minor, currency }: Money,
  subject = '',
): Promise<void> {
  await setAmount({ transactionId, kind, subject, minor, currency });
}

type NewItem = { amount?: Money | undefined; reason?: string; subject?: string; reopens?: Date | null };

/**
 * Creates an item; false where the transaction has one of this kind and subject, which gets the amount if it is open.
 * `reopens` is the time at which such an item was closed automatically: it is opened again, as a manual task, unless it
 * has changed since. Its look-ups are counted on, so that an earlier one does not close it. `amount` is the provider's
 * amount that differs from the request.
 */
export async function createUnresolved(
  both: PaymentWithTransaction,
  kind: UnresolvedKind,
  now: Date,
  { amount, reason, subject = '', reopens = null }: NewItem = {},
): Promise<boolean> {
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
    dueAt: now,
    createdAt: now,
  };
  const items = newItems.encode([item]);
  const report = { outcome: 'undefined', type: callbackTypeOf(payment, transaction), reason: null } as const;
  const rows = isReported
    ? await createReported({ items, reopens, amountMinor: minor, now, ...(await callbackValues(both, report)) })
    : await create({ items, reopens });
  if (rows.length === 0) {
    await updateAmount(transaction.id, kind, { minor, currency }, subject);
    return false;
  }
  metrics.unresolved.inc({ kind });
  log.error({ payment: payment.id, transaction: transaction.id, kind, action }, 'a payment needs attention');
  notifyJob('unresolved');
  if (isReported) notifyJob('callbacks');
  return true;
}

/** Whether a failed transaction decides its payment's state: not where the payment continues or was paid later. */
function decidesPayment({ payment, transaction }: PaymentWithTransaction): boolean {
  return transaction.status === 'fail' && (!isAttempt(transaction) || payment.state === 'declined');
}

const endsReport = statement<{ id: string; paymentId: string }, { id: string }>(
  'unresolved-ends-report',
  `with reported as (
     select r.id, r.closed_at, t.kind in ${attemptKindsSql()} as attempt
       from unresolved r join transactions t on t.id = r.transaction_id
       join callbacks c on c.payment_id = r.payment_id and c.transaction_id = r.transaction_id
        and c.outcome = 'undefined' and c.created_at >= r.created_at
      where r.payment_id = :paymentId::uuid and r.kind = 'late_success'
   )
   select id from reported where id = :id::uuid
      and (not attempt or not exists (select 1 from reported other
                                       where other.id <> :id::uuid and other.attempt and other.closed_at is null))`,
);

/**
 * Whether the end of a late success is reported: the merchant has learned of it, and that of no other attempt is open.
 * One that was found while the payment went on was not reported.
 */
export async function isEndReported({ id, paymentId }: Unresolved, both: PaymentWithTransaction): Promise<boolean> {
  return decidesPayment(both) && (await endsReport({ id, paymentId })).length > 0;
}

const closingSql = (condition = '') => `u as (
  update unresolved set closed_at = :now::timestamptz, closed_by = :by::text, resolution = :resolution::text, due_at = null
   where id = :id::uuid and payment_id = :paymentId::uuid and closed_at is null
     and (:polls::int is null or polls = :polls::int)${condition}
  returning id, payment_id, transaction_id
), again as (
  ${insertLookupSql(`select t.id, t.mid_id, :now::timestamptz as at from u join transactions t on t.id = u.transaction_id
                      where :isLookedUpAgain::boolean`)}
)`;

type Closing = { by: string; resolution: string; polls?: number | null; isLookedUpAgain?: boolean };
type Report = { reported: boolean; unlessChanged?: boolean };
type CloseParams = Required<Closing> & { id: string; paymentId: string; now: Date };

// The item is locked before the payment, as in the other statements.
const closingUnlessChangedSql = `item as (
  select payment_id from unresolved where id = :id::uuid and closed_at is null for update
), p as (
  update payments set version = version + 1, updated_at = :now::timestamptz
    from item where payments.id = item.payment_id and version = :version::int returning payments.*
), ${closingSql(' and exists (select 1 from p)')}`;

type CloseUnlessChangedParams = CloseParams & { version: number };

const close = statement<CloseParams, { id: string }>('unresolved-close', `with ${closingSql()} select u.id from u`);
const closeUnlessChanged = statement<CloseUnlessChangedParams, { id: string }>(
  'unresolved-close-unless-changed',
  `with ${closingUnlessChangedSql} select u.id from u`,
);
const closeReported = statement<CloseUnlessChangedParams & CallbackParams & { amountMinor: bigint }, { id: string }>(
  'unresolved-close-reported',
  `with ${closingUnlessChangedSql}${itemCallbackSql} select u.id from u`,
);

/**
 * Closes an item; false where it is closed already, or was due again since it was read with `polls`. With `reported` the
 * money of a declined payment went back, and the merchant gets a callback `fail` whose reason is the resolution. With
 * `isLookedUpAgain` the transaction is looked up and compared again. A late success (`reported` or `unlessChanged`) stays
 * open where the payment has changed: another one may be closed at the same time, or the merchant may have tried again,
 * which decides whether its end is reported.
 */
export async function closeUnresolved(
  both: PaymentWithTransaction,
  { id, amount }: Pick<Unresolved, 'id' | 'amount'>,
  { reported, unlessChanged = false, polls = null, isLookedUpAgain = false, ...closing }: Report & Closing,
  now: Date,
): Promise<boolean> {
  const { payment, transaction } = both;
  const values = { ...closing, id, paymentId: payment.id, polls, isLookedUpAgain, now };
  const report = { outcome: 'fail', type: callbackTypeOf(payment, transaction), reason: closing.resolution } as const;
  const { version } = payment;
  const rows = reported
    ? await closeReported({ ...values, version, amountMinor: amount.minor, ...(await callbackValues(both, report)) })
    : await (unlessChanged ? closeUnlessChanged({ ...values, version }) : close(values));
  if (rows.length > 0 && reported) notifyJob('callbacks');
  if (rows.length > 0 && isLookedUpAgain) notifyJob('notifications');
  return rows.length > 0;
}

const recheck = statement<{ transactionId: string; now: Date }, { id: string }>(
  'unresolved-recheck',
  `update unresolved set due_at = :now::timestamptz, polls = polls + 1
    where transaction_id = :transactionId::uuid and closed_at is null returning id`,
);

/**
 * Has the open items of a transaction compared with the provider again; false where there are none. An outcome alone
 * closes no item: the item may have been created after the outcome was requested.
 */
export async function recheckItems(transactionId: string, now: Date): Promise<boolean> {
  const rows = await recheck({ transactionId, now });
  if (rows.length > 0) notifyJob('unresolved');
  return rows.length > 0;
}

const itemsByPayment = statement<{ paymentId: string }, UnresolvedRow>(
  'unresolved-of',
  `select ${unresolvedColumns} from unresolved u where u.payment_id = :paymentId order by u.created_at, u.id`,
);

/** The items of a payment, oldest first. */
export async function unresolvedOf(paymentId: string): Promise<Unresolved[]> {
  return (await itemsByPayment({ paymentId })).map(toUnresolved);
}

/** The items of a transaction, oldest first. */
export async function itemsOf({ id, paymentId }: Pick<Transaction, 'id' | 'paymentId'>): Promise<Unresolved[]> {
  return (await unresolvedOf(paymentId)).filter(({ transactionId }) => transactionId === id);
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
