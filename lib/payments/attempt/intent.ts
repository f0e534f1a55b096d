/**
 * The insert of a transaction before its provider is called: its values, and the part of a statement that inserts it
 * with its card. The complete statement creates the payment (create.ts) or updates it (transitions.ts).
 */
import type { CardWallet } from '../../connectors';
import type { PartyDetails, Payment, RoutingStep, Transaction } from '../../core/payment';
import type { BrowserInfo } from '../../core/provider-data';
import type { Event } from '../../core/states';
import { clockOffsetMilliseconds } from '../../db/clock';
import type { StoredCard } from '../../vault';

/** The `Idempotency-Key` of a modification, and the digest of its request. */
export type IdempotencyKey = { key: string; digest: Uint8Array };

/** A transaction that is about to be inserted and sent. */
export type Intent = {
  payment: Payment;
  transaction: Transaction;
  /** `retry` when a declined payment gets another attempt. */
  event: Event | null;
  /** Whether the transaction blocks all others of the payment until its outcome is known. */
  exclusive: boolean;
  /** A card to store, or the id of a stored one. */
  card?: StoredCard | { id: string };
  cardToken?: string;
  /** The wallet of an attempt's card; its cryptogram is not stored. */
  wallet?: CardWallet;
  payer?: PartyDetails;
  payee?: PartyDetails;
  /** Members to add to the payment's parameters. */
  parameters?: Record<string, unknown>;
  browser?: BrowserInfo;
  /** Minor units that a refund reserves. */
  reserveMinor?: bigint;
  /** The idempotency key of a modification: a repeat under it gets this transaction. */
  idempotencyKey?: IdempotencyKey | undefined;
  routingLog?: RoutingStep[];
};

/**
 * Inserts an attempt's card, if there is one to store, and its transaction, for the payment in `source`: the CTEs `c`
 * and `t` over the values of {@link attemptValues}, which begin at parameter `first` of the statement. `keyNumber`: the
 * parameter number of the first of the two values of an {@link IdempotencyKey}, where the statement can have one.
 */
export function attemptSql(first: number, source: string, keyNumber?: number): string {
  const at = (place: number) => `$${first + place}`;
  const [keyColumns, keyValues] = keyNumber
    ? [', idempotency_key, request_digest', `, $${keyNumber}::text, $${keyNumber + 1}::bytea`]
    : ['', ''];
  return `c as (
  insert into cards (id, merchant_id, fingerprint, sealed, first6, last4, brand, exp_month, exp_year, holder, created_at)
  select ${at(0)}::uuid, ${at(1)}::uuid, ${at(2)}::bytea, ${at(3)}::bytea, ${at(4)}::text, ${at(5)}::text, ${at(6)}::text,
         ${at(7)}::int, ${at(8)}::int, ${at(9)}::text, ${at(10)}::timestamptz
    from ${source}
   where ${at(2)}::bytea is not null
  on conflict (merchant_id, fingerprint) do update set holder = coalesce(excluded.holder, cards.holder)
  returning id, first6, last4, brand, exp_month, exp_year, holder
), t as (
  insert into transactions (id, payment_id, kind, amount_minor, currency, mid_id, method, attempt_id, card_id,
                            browser, due_at, created_at, initiator, source, sequence, due_back_at, settings_version${keyColumns})
  select ${at(11)}::uuid, ${source}.id, ${at(12)}::"TransactionKind", ${at(13)}::bigint, ${at(14)}::text, ${at(15)}::uuid,
         ${at(16)}::text, ${at(17)}::uuid, coalesce((select id from c), ${at(0)}::uuid), ${at(18)}::jsonb,
         ${at(19)}::timestamptz, ${at(10)}::timestamptz, ${at(20)}::text, ${at(21)}::text, ${at(22)}::text,
         clock_timestamp() + ${at(23)}::float8 * interval '1 millisecond', ${at(24)}::int${keyValues}
    from ${source}
  returning due_back_at
)`;
}

/** The values of {@link attemptSql}. */
export function attemptValues({ transaction, payment, card, browser }: Intent, now: Date): unknown[] {
  const stored = card && 'fingerprint' in card ? card : null;
  return [
    card?.id ?? null,
    payment.merchantId,
    stored?.fingerprint ?? null,
    stored?.sealed ?? null,
    stored?.first6 ?? null,
    stored?.last4 ?? null,
    stored?.brand ?? null,
    stored?.expMonth ?? null,
    stored?.expYear ?? null,
    stored?.holder ?? null,
    now,
    transaction.id,
    transaction.kind,
    transaction.amountMinor,
    payment.currency,
    transaction.midId,
    transaction.method,
    transaction.attemptId,
    browser ? JSON.stringify(browser) : null,
    transaction.dueAt,
    transaction.initiator,
    transaction.source,
    transaction.sequence,
    callTimeoutMilliseconds(transaction, now),
    transaction.settingsVersion,
  ];
}

/** The time that a call has from now; null where no provider is called. The database adds it to its own clock. */
export function callTimeoutMilliseconds(
  { responseDueAt }: Pick<Transaction, 'responseDueAt'>,
  now: Date,
): number | null {
  return responseDueAt && responseDueAt.getTime() - now.getTime() + clockOffsetMilliseconds();
}

/** A transaction as its statement has inserted it. `startedAtMs`: the system time before the statement. */
export function asInserted(
  transaction: Transaction,
  row: { [column: string]: unknown },
  startedAtMs: number,
): Transaction {
  return { ...transaction, responseDueAt: row.due_back_at as Date | null, insertedAtMs: startedAtMs };
}

/** The card of the payment `p` under the alias `k`: the one that {@link attemptSql} inserts, or a stored one. */
export const attemptCardSql = `left join lateral (
    select id, first6, last4, brand, exp_month, exp_year, holder from c
    union all
    select id, first6, last4, brand, exp_month, exp_year, holder from cards
     where cards.id = p.card_id and not exists (select 1 from c)
  ) k on true`;
