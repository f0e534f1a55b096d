/**
 * The inserts of transactions before their providers are called, in one statement over a set of rows: with the update of
 * their payments, or with their payments themselves (create.ts), which uses the parts of the statement.
 */
import type { CardWallet } from '../../connectors/index.ts';
import type { PartyDetails, Payment, PaymentWithTransaction, RoutingStep, Transaction } from '../../core/payment.ts';
import type { BrowserInfo, Decline } from '../../core/provider-data.ts';
import { type Event, nextState } from '../../core/states.ts';
import { clockOffsetMilliseconds } from '../../db/clock.ts';
import { collected, type Query, rowSet, statement } from '../../db/index.ts';
import type { StoredCard } from '../../vault/index.ts';
import { type PaymentRow, paymentColumns, toPayment } from '../queries.ts';

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
  /** The payer's choice whether the merchant gets a token for the card; absent: the last choice holds. */
  keepsCard?: boolean;
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

/** The values of a transaction that is inserted, by their SQL types. */
const transactionTypes =
  `transactionId uuid, kind "TransactionKind", transactionMinor bigint, transactionCurrency text, midId uuid,
  transactionMethod text, attemptId uuid, browser jsonb, dueAt timestamptz, at timestamptz, initiator text,
  source text, sequence text, timeoutMs float8, settingsVersion int, testingKeys jsonb` as const;

function transactionValues(transaction: Transaction, browser: BrowserInfo | null | undefined, now: Date) {
  return {
    transactionId: transaction.id,
    kind: transaction.kind,
    transactionMinor: transaction.amountMinor,
    transactionCurrency: transaction.currency,
    midId: transaction.midId,
    transactionMethod: transaction.method,
    attemptId: transaction.attemptId,
    browser,
    dueAt: transaction.dueAt,
    at: now,
    initiator: transaction.initiator,
    source: transaction.source,
    sequence: transaction.sequence,
    timeoutMs: callTimeoutMilliseconds(transaction, now),
    settingsVersion: transaction.settingsVersion,
    testingKeys: transaction.testingKeys,
  };
}

/** The values of an attempt with its card, by their SQL types. */
export const attemptTypes =
  `${transactionTypes}, merchantId uuid, cardId uuid, fingerprint bytea, sealed bytea, first6 text, last4 text,
  brand text, expMonth int, expYear int, holder text, cardToken text, digitalWallet text, panType text,
  routingLog jsonb, idempotencyKey text, requestDigest bytea` as const;

export function attemptValues({ payment, transaction, browser, card, ...intent }: Intent, now: Date) {
  const { id: cardId, ...stored } = (card ?? {}) as { [Part in keyof StoredCard]: StoredCard[Part] | undefined };
  return {
    ...transactionValues(transaction, browser, now),
    transactionCurrency: payment.currency,
    merchantId: payment.merchantId,
    cardId,
    ...stored,
    cardToken: intent.cardToken,
    digitalWallet: intent.wallet?.kind,
    panType: intent.wallet?.panType,
    routingLog: intent.routingLog ?? [],
    idempotencyKey: intent.idempotencyKey?.key,
    requestDigest: intent.idempotencyKey?.digest,
  };
}

/** Whether the intent stores a card: its statement has another part. */
export const storesCard = ({ card }: Intent): boolean => card !== undefined && 'fingerprint' in card;

type CardValues = { merchantId: string; fingerprint?: Uint8Array; cardId?: string; sealed?: Uint8Array | null };

/**
 * Gives the rows of one new card one id: their payments refer to the card before it is stored. The number is sealed for
 * this id.
 */
export function shareCardIds(rows: CardValues[]): void {
  const first = new Map<string, Pick<CardValues, 'cardId' | 'sealed'>>();
  for (const row of rows) {
    if (!row.fingerprint) continue;
    const card = `${row.merchantId} ${Buffer.from(row.fingerprint).toString('hex')}`;
    const { cardId, sealed } = first.get(card) ?? row;
    first.set(card, { cardId, sealed });
    Object.assign(row, { cardId, sealed });
  }
}

/** The CTE `c` that stores the cards of the rows `i` whose payments are in `source`; rows may share a card. */
export const storeCardsSql = (source: string) => `c as (
  insert into cards (id, merchant_id, fingerprint, sealed, first6, last4, brand, exp_month, exp_year, holder, created_at)
  select distinct on (i.merchant_id, i.fingerprint)
         i.card_id, i.merchant_id, i.fingerprint, i.sealed, i.first6, i.last4, i.brand, i.exp_month, i.exp_year, i.holder, i.at
    from i join ${source} on ${source}.id = i.payment_id
   where i.fingerprint is not null
   order by i.merchant_id, i.fingerprint
  on conflict (merchant_id, fingerprint) do update set holder = coalesce(excluded.holder, cards.holder)
  returning id, merchant_id, fingerprint, first6, last4, brand, exp_month, exp_year, holder
)`;

/** The id of the card of the row `i`: the one that {@link storeCardsSql} stored, or a known one. */
export const cardIdSql = (storesCards: boolean) =>
  storesCards
    ? 'coalesce((select c.id from c where c.merchant_id = i.merchant_id and c.fingerprint = i.fingerprint), i.card_id)'
    : 'i.card_id';

/** The CTE `t` that inserts the transactions of the rows `i` whose payments are in `source`. */
export const insertTransactionsSql = (source: string, storesCards: boolean) => `t as (
  insert into transactions (id, payment_id, kind, amount_minor, currency, mid_id, method, attempt_id, card_id, browser,
                            due_at, created_at, initiator, source, sequence, due_back_at, settings_version,
                            testing_keys, idempotency_key, request_digest)
  select i.transaction_id, i.payment_id, i.kind, i.transaction_minor, i.transaction_currency, i.mid_id,
         i.transaction_method, i.attempt_id, ${cardIdSql(storesCards)}, i.browser, i.due_at, i.at, i.initiator, i.source,
         i.sequence, clock_timestamp() + i.timeout_ms * interval '1 millisecond', i.settings_version,
         i.testing_keys, i.idempotency_key, i.request_digest
    from i join ${source} on ${source}.id = i.payment_id
  returning payment_id, due_back_at
)`;

/** The card `k` of the payment `p`: the one that {@link storeCardsSql} stored, or a known one. */
export const joinCardSql = (storesCards: boolean) =>
  storesCards
    ? `left join lateral (
    select id, first6, last4, brand, exp_month, exp_year, holder from c where c.id = p.card_id
    union all
    select id, first6, last4, brand, exp_month, exp_year, holder from cards
     where cards.id = p.card_id and not exists (select 1 from c where c.id = p.card_id)
  ) k on true`
    : 'left join cards k on k.id = p.card_id';

/** The time that a call has from now; null where no provider is called. The database adds it to its own clock. */
export function callTimeoutMilliseconds(
  { responseDueAt }: Pick<Transaction, 'responseDueAt'>,
  now: Date,
): number | null {
  return responseDueAt && responseDueAt.getTime() - now.getTime() + clockOffsetMilliseconds();
}

/** The deadline of a call's response as its statement has set it. */
export type Inserted = { responseDueAt: Date | null };

/** A transaction as its statement has inserted it. `startedAtMs`: the system time before the statement. */
export function asInserted(transaction: Transaction, { responseDueAt }: Inserted, startedAtMs: number): Transaction {
  return { ...transaction, responseDueAt, insertedAtMs: startedAtMs };
}

/** The first item of each payment: a set has one row for a payment, and {@link inOrder} answers the others with null. */
export function firstOfEachPayment<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const ids = new Set<string>();
  return items.filter((item) => !ids.has(idOf(item)) && ids.add(idOf(item)));
}

/**
 * The CTEs `i`, the rows of a set, one for a payment, and `l`, their payments, locked in the version that was read. The array
 * has the index used also where the table's statistics are of a time when it was small.
 */
export const lockedRowsSql = (from: string, paymentId = 'payment_id') => `
with i as materialized (
  select * from ${from}
), l as (
  select p.id from payments p join i on i.${paymentId} = p.id and i.version = p.version
   where p.id = any(array(select ${paymentId} from i)) order by p.id for update of p
)`;

export type InsertedRow = PaymentRow & Inserted;

/** The results of a set's rows in their order; null for a row that was not written. */
export function inOrder<Item, Row extends Pick<PaymentRow, 'p.id'>, Result>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  rows: Row[],
  toResult: (item: Item, row: Row) => Result,
): (Result | null)[] {
  const byId = new Map(rows.map((row) => [row['p.id'], row]));
  return items.map((item) => {
    const row = byId.get(idOf(item));
    byId.delete(idOf(item));
    return row ? toResult(item, row) : null;
  });
}

/** The payments and transactions that a statement has inserted, by the intents of its set. */
export const insertedInOrder = (
  items: readonly { intent: Intent }[],
  rows: InsertedRow[],
  startedAtMs: number,
): (PaymentWithTransaction | null)[] =>
  inOrder(
    items,
    ({ intent }) => intent.payment.id,
    rows,
    ({ intent: { transaction } }, row) => ({
      payment: toPayment(row),
      transaction: asInserted(transaction, row, startedAtMs),
    }),
  );

const intents = rowSet(
  'intents',
  `${attemptTypes}, paymentId uuid, version int, state "PaymentState", exclusive bool, payer jsonb, payee jsonb,
  parameters jsonb, reserveMinor bigint, keepsCard bool`,
);

const insertAttemptsSql = (storesCards: boolean) => `
${lockedRowsSql(intents.from)}, ${storesCards ? `${storeCardsSql('l')}, ` : ''}${insertTransactionsSql('l', storesCards)}, p as (
  update payments set
    state = i.state, version = payments.version + 1, updated_at = i.at,
    attempt_id = case when i.attempt_id is null then i.transaction_id else payments.attempt_id end,
    attempts = payments.attempts + case when i.attempt_id is null then 1 else 0 end,
    in_flight_id = case when i.exclusive then i.transaction_id else payments.in_flight_id end,
    method = case when i.attempt_id is null then i.transaction_method else payments.method end,
    card_id = case when i.attempt_id is null then ${cardIdSql(storesCards)} else payments.card_id end,
    card_token = coalesce(i.card_token, payments.card_token),
    keeps_card = coalesce(i.keeps_card, payments.keeps_card),
    digital_wallet = case when i.attempt_id is null then i.digital_wallet else payments.digital_wallet end,
    pan_type = case when i.attempt_id is null then i.pan_type else payments.pan_type end,
    payer = payments.payer || i.payer,
    payee = payments.payee || i.payee,
    parameters = payments.parameters || i.parameters,
    refunding_minor = payments.refunding_minor + i.reserve_minor,
    trace = payments.trace || i.routing_log
   from i join l on l.id = i.payment_id where payments.id = l.id
  returning payments.*
)
select ${paymentColumns}, t.due_back_at as "responseDueAt" from p join t on t.payment_id = p.id ${joinCardSql(storesCards)}`;

const insertKnownCards = statement<{ intents: string }, InsertedRow>('attempts-insert', insertAttemptsSql(false));
const insertNewCards = statement<{ intents: string }, InsertedRow>('attempts-insert-cards', insertAttemptsSql(true));

/**
 * Inserts the transactions. Null for one whose payment has changed since it was read. `run`: the query function of an
 * enclosing database transaction (lib/routing/turnover-limits.ts).
 */
export async function insertAttempts(
  items: readonly { intent: Intent; now: Date }[],
  run?: Query,
): Promise<(PaymentWithTransaction | null)[]> {
  const startedAtMs = Date.now();
  const insert = items.some(({ intent }) => storesCard(intent)) ? insertNewCards : insertKnownCards;
  const encoded = intents.encode(
    firstOfEachPayment(items, ({ intent }) => intent.payment.id).map(({ intent, now }) => ({
      ...attemptValues(intent, now),
      paymentId: intent.payment.id,
      version: intent.payment.version,
      state: stateAfter(intent.payment, intent.event),
      exclusive: intent.exclusive,
      payer: intent.payer ?? {},
      payee: intent.payee ?? {},
      parameters: intent.parameters ?? {},
      reserveMinor: intent.reserveMinor ?? 0n,
      keepsCard: intent.keepsCard,
    })),
  );
  const rows = await insert({ intents: encoded }, run);
  return insertedInOrder(items, rows, startedAtMs);
}

/** {@link insertAttempts} for one transaction. */
export async function insertAttempt(intent: Intent, now: Date, run?: Query): Promise<PaymentWithTransaction | null> {
  if (!run) return insertCollected({ intent, now });
  const [inserted = null] = await insertAttempts([{ intent, now }], run);
  return inserted;
}

const insertCollected = collected(
  (items: readonly { intent: Intent; now: Date }[]) => insertAttempts(items),
  ({ intent }) => intent.payment.id,
);

export function stateAfter(payment: Payment, event: Event | null): Payment['state'] {
  const state = event ? nextState(payment.state, event) : payment.state;
  if (!state) throw new Error(`${event} cannot happen to a payment in ${payment.state}`);
  return state;
}

/** An attempt that was soft-declined at one account and continues at the next. */
export type Failover = {
  payment: Payment;
  failed: Transaction;
  decline: Decline;
  next: Transaction;
  routingLog: RoutingStep[];
};

const failovers = rowSet(
  'failovers',
  `${transactionTypes}, paymentId uuid, version int, failedId uuid, failedStatus "TransactionStatus", declineCode text,
  declineReason text, declineClass text, routingLog jsonb`,
);

const insertFailovers = statement<{ failovers: string }, InsertedRow>(
  'payment-failovers',
  `${lockedRowsSql(failovers.from)}, f as (
  update transactions set status = 'fail', decline_code = i.decline_code, decline_reason = i.decline_reason,
         decline_class = i.decline_class, decline_soft = true, due_at = null, finished_at = i.at,
         testing_keys = null, sealed_present = null
    from i join l on l.id = i.payment_id
   where transactions.id = i.failed_id and transactions.payment_id = l.id and transactions.status = i.failed_status
  returning transactions.payment_id, transactions.card_id
), t as (
  insert into transactions (id, payment_id, kind, amount_minor, currency, mid_id, method, attempt_id, card_id, browser,
                            due_at, created_at, initiator, source, sequence, due_back_at, settings_version,
                            testing_keys)
  select i.transaction_id, i.payment_id, i.kind, i.transaction_minor, i.transaction_currency, i.mid_id,
         i.transaction_method, i.attempt_id, f.card_id, i.browser, i.due_at, i.at, i.initiator, i.source, i.sequence,
         clock_timestamp() + i.timeout_ms * interval '1 millisecond', i.settings_version, i.testing_keys
    from i join f on f.payment_id = i.payment_id
  returning payment_id, due_back_at
), p as (
  update payments set version = payments.version + 1, updated_at = i.at, in_flight_id = i.transaction_id,
         trace = payments.trace || i.routing_log
    from i join f on f.payment_id = i.payment_id where payments.id = f.payment_id
  returning payments.*
)
select ${paymentColumns}, t.due_back_at as "responseDueAt" from p join t on t.payment_id = p.id left join cards k on k.id = p.card_id`,
);

/**
 * Closes failed transactions and inserts the next ones in one statement, so that no crash leaves a payment between two
 * accounts. No callback is queued: only the last account's outcome is reported. Null where the payment or the failed
 * transaction has changed since it was read.
 */
export async function commitFailovers(
  items: readonly { failover: Failover; now: Date }[],
  run?: Query,
): Promise<(PaymentWithTransaction | null)[]> {
  const startedAtMs = Date.now();
  const encoded = failovers.encode(
    firstOfEachPayment(items, ({ failover }) => failover.payment.id).map(
      ({ failover: { payment, failed, decline, next, routingLog }, now }) => ({
        ...transactionValues(next, next.browser, now),
        paymentId: payment.id,
        version: payment.version,
        failedId: failed.id,
        failedStatus: failed.status,
        declineCode: decline.code,
        declineReason: decline.reason,
        declineClass: decline.class,
        routingLog,
      }),
    ),
  );
  return inOrder(
    items,
    ({ failover }) => failover.payment.id,
    await insertFailovers({ failovers: encoded }, run),
    ({ failover: { next } }, row) => ({ payment: toPayment(row), transaction: asInserted(next, row, startedAtMs) }),
  );
}

/** {@link commitFailovers} for one attempt. */
export async function failover(change: Failover, now: Date, run?: Query): Promise<PaymentWithTransaction | null> {
  if (!run) return failoverCollected({ failover: change, now });
  const [moved = null] = await commitFailovers([{ failover: change, now }], run);
  return moved;
}

const failoverCollected = collected(
  (items: readonly { failover: Failover; now: Date }[]) => commitFailovers(items),
  (item) => item.failover.payment.id,
);
