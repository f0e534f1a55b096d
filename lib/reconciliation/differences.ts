/**
 * What users do about a difference: explain it, adjust the ledger by an entry, or accept it. Above the merchant's limit
 * another user approves or rejects what one has proposed. Each step is one statement that is guarded by the former state.
 */
import { rowSet, statement } from '../db/index.ts';
import { postedFrom } from './entries.ts';

/** The kinds of differences. */
export const differenceKinds = [
  ...(['missing_here', 'missing_at_provider', 'amount_differs', 'currency_differs', 'duplicate'] as const),
  ...(['fee_unexpected', 'batch_total', 'adjusted_before'] as const),
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** `adjusted` posts an entry, `accepted` none. */
export type Resolution = 'adjusted' | 'accepted';

export type Difference = {
  id: string;
  kind: DifferenceKind;
  merchantId: string;
  midId: string;
  paymentId: string | null;
  lineId: string | null;
  reportedMinor: bigint | null;
  reportedCurrency: string | null;
  expectedMinor: bigint | null;
  expectedCurrency: string | null;
  /** What an adjustment adds to the receivable from the provider, in the reported currency, else in the expected one. */
  deltaMinor: bigint;
  /** The same in the expected currency, if the currencies differ. */
  convertedMinor: bigint;
  /** Whether an entry can settle it. */
  adjustable: boolean;
  state: 'open' | 'proposed' | 'closed';
  resolution: Resolution | 'resolved' | null;
  note: string | null;
  notedBy: string | null;
  proposedBy: string | null;
  closedBy: string | null;
  createdAt: Date;
  closedAt: Date | null;
};

// The postings of an adjustment (entries.ts), and their sum in the currency of the difference.
const effect = '(d.delta_minor - d.fee_minor - d.bank_minor)';
const currencyOf = 'coalesce(d.reported_currency, d.expected_currency)';
/** Whether an entry can settle a difference `d`. */
export const isAdjustable = '(d.delta_minor, d.fee_minor, d.bank_minor, d.converted_minor) <> (0, 0, 0, 0)';

export const differenceColumns = `d.id, d.kind, d.merchant_id as "merchantId", d.mid_id as "midId", d.payment_id as "paymentId",
  d.line_id as "lineId", d.reported_minor as "reportedMinor", d.reported_currency as "reportedCurrency",
  d.expected_minor as "expectedMinor", d.expected_currency as "expectedCurrency", ${effect} as "deltaMinor",
  d.converted_minor as "convertedMinor", ${isAdjustable} as adjustable, d.state, d.resolution, d.note, d.noted_by as "notedBy",
  d.proposed_by as "proposedBy", d.closed_by as "closedBy", d.created_at as "createdAt", d.closed_at as "closedAt"`;

const readDifference = statement<{ id: string; scope: string | null }, Difference>(
  'settlement-difference',
  `select ${differenceColumns} from settlement_differences d
    where d.id = :id::uuid and (:scope::uuid is null or d.merchant_id = :scope::uuid)`,
);

/** A difference of the merchant `scope`, or of any with null; null if there is none. */
export const findDifference = async (id: string, scope: string | null): Promise<Difference | null> =>
  (await readDifference({ id, scope }))[0] ?? null;

type Noted = { id: string; by: string; note: string };

const setNote = statement<Noted, { id: string }>(
  'explain-settlement-difference',
  `update settlement_differences set note = :note::text, noted_by = :by::text
    where id = :id::uuid and state = 'open' returning id`,
);

/** Stores a user's explanation of an open difference; false if it is not open any more. */
export const explain = async (noted: Noted): Promise<boolean> => (await setNote(noted)).length === 1;

/** The size of a difference, in minor units: what limits are compared with. */
const sizeOf = `greatest(abs(${effect}), case when d.expected_minor is null or d.reported_minor is null
    or d.reported_currency <> d.expected_currency then coalesce(abs(d.reported_minor), abs(d.expected_minor))
    else abs(d.reported_minor - d.expected_minor) end)`;

// A merchant with limits has them for its currencies; any amount of another currency needs a second user. What has needed one
// once always does: the limits could be changed meanwhile.
const needsSecond = `(d.second or (
    exists (select from settlement_limits s where s.merchant_id = d.merchant_id)
    and not exists (select from settlement_limits s where s.merchant_id = d.merchant_id and s.currency = ${currencyOf}
                       and ${sizeOf} <= s.minor)))`;

/** The entries of a difference that was closed as adjusted by the statement's part `closed`. */
const adjustment = postedFrom(
  `select d.*, ${currencyOf} as currency from closed d where d.resolution = 'adjusted' and d.state = 'closed'`,
);

/** What the user has seen: a decision about another amount is refused. */
export type Seen = { deltaMinor: bigint; currency: string };
const isAsSeen = `${effect} = :deltaMinor::bigint and ${currencyOf} = :currency::text`;

type Decision = Noted & Seen & { resolution: Resolution; now: Date };

const decide = statement<Decision, { state: 'proposed' | 'closed' }>(
  'decide-settlement-difference',
  `with closed as (
     update settlement_differences d
        set state = case when ${needsSecond} then 'proposed' else 'closed' end, resolution = :resolution::text,
            note = :note::text, noted_by = :by::text, proposed_by = :by::text, second = ${needsSecond},
            closed_by = case when ${needsSecond} then null else :by::text end,
            closed_at = case when ${needsSecond} then null else :now::timestamptz end
      where d.id = :id::uuid and d.state = 'open' and (:resolution::text <> 'adjusted' or ${isAdjustable}) and ${isAsSeen}
     returning d.*),
   posted as (${adjustment})
   select state from closed`,
);

/**
 * Adjusts or accepts an open difference. Returns `closed`, or `proposed` if the merchant's limit requires another user; null
 * if it is not open any more, has another amount than the user has seen, or no entry can settle it.
 */
export const resolveDifference = async (decision: Decision): Promise<'proposed' | 'closed' | null> =>
  (await decide(decision))[0]?.state ?? null;

type Approval = Seen & { id: string; by: string; now: Date };

const approveProposal = statement<Approval, { id: string }>(
  'approve-settlement-difference',
  `with closed as (
     update settlement_differences d
        set state = 'closed', closed_by = :by::text, closed_at = :now::timestamptz,
            limit_minor = (select s.minor from settlement_limits s where s.merchant_id = d.merchant_id and s.currency = ${currencyOf})
      where d.id = :id::uuid and d.state = 'proposed' and d.proposed_by <> :by::text and ${isAsSeen}
     returning d.*),
   posted as (${adjustment})
   select id from closed`,
);

/**
 * Carries out what another user has proposed, and stores the limit; false if it is not proposed any more, by the same user, or
 * of another amount than the user has seen.
 */
export const approve = async (approval: Approval): Promise<boolean> => (await approveProposal(approval)).length === 1;

const rejectProposal = statement<{ id: string }, { id: string }>(
  'reject-settlement-difference',
  `update settlement_differences set state = 'open', resolution = null, proposed_by = null
    where id = :id::uuid and state = 'proposed' returning id`,
);

/** Opens a proposed difference again; its proposer may do so too. */
export const reject = async (id: string): Promise<boolean> => (await rejectProposal({ id })).length === 1;

export type Limit = { currency: string; minor: bigint };

/** The limits of a merchant, by currency. */
export const findLimits = statement<{ merchant: string }, Limit>(
  'settlement-limits',
  'select currency, minor from settlement_limits where merchant_id = :merchant::uuid order by currency',
);

const limitSet = rowSet('i', 'currency text, minor bigint');

const writeLimits = statement<{ merchant: string; i: string }>(
  'save-settlement-limits',
  `with kept as (
     insert into settlement_limits (merchant_id, currency, minor)
     select :merchant::uuid, i.currency, i.minor from ${limitSet.from} where i.currency is not null
         on conflict (merchant_id, currency) do update set minor = excluded.minor
     returning currency)
   delete from settlement_limits where merchant_id = :merchant::uuid and currency not in (select currency from kept)`,
);

/** Replaces the limits of a merchant, with one amount for each currency. */
export const saveLimits = (merchant: string, limits: Limit[]): Promise<object[]> =>
  writeLimits({ merchant, i: limitSet.encode(limits) });
