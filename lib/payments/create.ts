/** Creates payments: one statement and a unique index on the order number, so that concurrent requests create one. */

import { ApiError, throwApiError, throwClockWrong } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type Payment, type PaymentWithTransaction, repeatSeconds, type Session } from '../core/payment.ts';
import { isClockWrong } from '../db/clock.ts';
import { collected, membersOf, type RowOf, rowSet, statement } from '../db/index.ts';
import type { Caller, KnownCaller } from '../merchants/index.ts';
import {
  attemptTypes,
  attemptValues,
  firstOfEachPayment,
  type InsertedRow,
  type Intent,
  inOrder,
  insertedInOrder,
  insertTransactionsSql,
  joinCardSql,
  shareCardIds,
  storeCardsSql,
  storesCard,
} from './attempt/insert.ts';
import * as queries from './queries.ts';

/** The values of a new payment. What is absent is false, null or empty. */
export type PaymentInput = Pick<
  Payment,
  'operation' | 'orderNumber' | 'orderAmount' | 'currency' | 'amountMinor' | 'description'
> & {
  [Member in OptionalMember]?: Payment[Member];
} & {
  vatCalc?: boolean;
  /** Where a payer of a form protocol is redirected after 3DS, and in which window. */
  returnTo?: { url: string | null; target: string | null };
  /** The recurring chain of a subsequent payment. */
  chain?: { token: string; firstTransId: string };
  /** The subscription that makes this charge. */
  subscriptionId?: string;
  /** SHA-256 over the signed values: a request with the same digest is a repeat. */
  requestDigest: Buffer;
  /** The id of the payment, so that a retry does not create a second one. A new id when absent. */
  id?: string;
};

type OptionalMember =
  | ('authorizeOnly' | 'recurringInit' | 'requestToken' | 'payer' | 'payee' | 'parameters' | 'customData')
  | ('notificationUrl' | 'channelId' | 'scheduleId' | 'scheduleStart' | 'scheduleAmount');

/** Additional values of a payment page or hosted fields. */
export type SessionFields = Omit<Session, 'paymentId' | 'cancelledAt' | 'repeatedStops'>;

/** The values of a new payment, by their SQL types. */
const paymentTypes =
  `paymentId uuid, merchantId uuid, keyId uuid, protocol "Protocol", operation "Operation", orderDigest bytea,
  orderNumber text, orderAmount text, currency text, amountMinor bigint, description text, authorizeOnly bool,
  recurringInit bool, requestToken bool, vatCalc bool, payer jsonb, payee jsonb, parameters jsonb, customData jsonb,
  notificationUrl text, channelId text, scheduleId uuid, scheduleStart date, scheduleAmount text, payerReturnUrl text,
  returnTarget text, chainToken text, chainFirstId uuid, subscriptionId uuid, at timestamptz, reuse text` as const;

// The columns of payments that have another name than their members.
const otherColumns: { [member: string]: string[] } = {
  paymentId: ['id'],
  orderDigest: ['request_digest'],
  payerReturnUrl: ['return_url'],
  reuse: [],
  chainToken: ['recurring_token'],
  chainFirstId: ['recurring_first_id'],
  at: ['created_at', 'updated_at'],
};

/** Each column of a new payment with its value in the row `i`. */
const paymentColumnValues = Object.fromEntries(
  membersOf(paymentTypes).flatMap(([member, column]) =>
    (otherColumns[member] ?? [column]).map((name) => [name, `i.${column}`]),
  ),
);

/** The payment that has the order number releases it where the mapping allows reuse. */
const releaseOrderNumbersSql = `old as (
  update payments set current = false, version = payments.version + 1 from i
   where payments.merchant_id = i.merchant_id and payments.order_number = i.order_number and payments.current
     and payments.id <> i.payment_id and payments.created_at <= i.at - interval '${repeatSeconds} seconds'
     and (i.reuse = 'always' or payments.attempts = 0
          or (i.reuse = 'after_failed' and payments.state = 'declined' and payments.in_flight_id is null))
  returning payments.id
)`;

/** Inserts the payments of the rows `i`, after their order numbers were released. */
function insertPaymentsSql(values: Record<string, string>, from = 'i'): string {
  return `insert into payments (${Object.keys(values).join(', ')})
  select ${Object.values(values).join(', ')} from ${from}
   where (select count(*) from old) >= 0
  on conflict do nothing
  returning *`;
}

const payments = rowSet('payments', paymentTypes);
const pageTypes =
  `${paymentTypes}, methods text[], language text, successUrl text, cancelUrl text, errorUrl text, expiryUrl text,
  returnUrl text, linkTarget text, cardTokens text[], formId text, expiresAt timestamptz, hostedFields bool,
  consentRequired bool` as const;
const pages = rowSet('pages', pageTypes);
const direct = rowSet('direct', `${paymentTypes}, ${attemptTypes}`);

/** An archived payment keeps its order number as one in the table does. A join would change the order of the rows. */
const rowsSql = (from: string) => `with i as materialized (
  select * from (select * from ${from}) i where (
    select true from archived_payments a
     where a.order_number = i.order_number and a.merchant_id = i.merchant_id and a.holds_order
       and i.reuse <> 'always' and not (i.reuse = 'after_failed' and a.state = 'declined')
     limit 1) is null
)`;

const insertPayments = statement<{ payments: string }, queries.PaymentRow>(
  'payments-create',
  `${rowsSql(payments.from)}, ${releaseOrderNumbersSql}, p as (${insertPaymentsSql(paymentColumnValues)})
select ${queries.paymentColumns} from p left join cards k on k.id = p.card_id`,
);

const insertPages = statement<{ pages: string }, queries.PaymentRow & queries.SessionRow>(
  'payments-create-sessions',
  `${rowsSql(pages.from)}, ${releaseOrderNumbersSql}, p as (${insertPaymentsSql(paymentColumnValues)}), s as (
  insert into sessions (payment_id, methods, language, success_url, cancel_url, error_url, expiry_url, return_url,
    link_target, card_tokens, form_id, expires_at, hosted_fields, consent_required)
  select p.id, i.methods, i.language, i.success_url, i.cancel_url, i.error_url, i.expiry_url, i.return_url,
    i.link_target, i.card_tokens, i.form_id, i.expires_at, i.hosted_fields, i.consent_required
    from i join p on p.id = i.payment_id
  returning *
)
select ${queries.paymentColumns}, ${queries.sessionColumns} from p
  join s on s.payment_id = p.id left join cards k on k.id = p.card_id`,
);

// A payment refers to a known card by `known`, before the attempt's upsert returns its id.
const knownCardsSql = `known as (
  select cards.id, cards.merchant_id, cards.fingerprint from cards
    join i on cards.merchant_id = i.merchant_id and cards.fingerprint = i.fingerprint
)`;
const knownCardSql =
  'coalesce((select known.id from known where known.merchant_id = i.merchant_id and known.fingerprint = i.fingerprint limit 1), i.card_id)';

const createDirectSql = (storesCards: boolean) => `
${rowsSql(direct.from)}, ${releaseOrderNumbersSql}, ${storesCards ? `${knownCardsSql}, ` : ''}p as (${insertPaymentsSql(
  {
    ...paymentColumnValues,
    version: '1',
    attempts: '1',
    attempt_id: 'i.transaction_id',
    in_flight_id: 'i.transaction_id',
    method: 'i.transaction_method',
    card_id: storesCards ? knownCardSql : 'i.card_id',
    card_token: 'i.card_token',
    digital_wallet: 'i.digital_wallet',
    pan_type: 'i.pan_type',
    trace: 'i.routing_log',
  },
)}), ${storesCards ? `${storeCardsSql('p')}, ` : ''}${insertTransactionsSql('p', storesCards)}
select ${queries.paymentColumns}, t.due_back_at as "responseDueAt" from p join t on t.payment_id = p.id ${joinCardSql(storesCards)}`;

const insertDirect = statement<{ direct: string }, InsertedRow>('payments-create-direct', createDirectSql(false));
const insertDirectCards = statement<{ direct: string }, InsertedRow>(
  'payments-create-direct-cards',
  createDirectSql(true),
);

/** Rejects new payments and attempts (503) while this process's clock is too wrong to date them (lib/db/clock.ts). */
export function requireCorrectClock(): void {
  if (isClockWrong()) throwClockWrong();
}

/** Whether {@link requireCorrectClock} has rejected a request: another process, or this one later, accepts it. */
export const isRejectedByClock = (err: unknown) => err instanceof ApiError && err.key === 'clockWrong';

/** A payment with its session, if it has one. `repeated`: it existed before the request. */
export type CreatedPayment = { payment: Payment; session: Session | null; repeated: boolean };

/**
 * Creates a payment, or returns the first one when the same signed values are repeated within 15 seconds. Throws
 * `duplicatePayment` for other values within that time, and afterwards where the mapping forbids reuse of an order
 * number (protocol.md 8).
 */
export async function createPayment(
  caller: KnownCaller,
  input: PaymentInput,
  session: SessionFields | null,
  now: Date,
): Promise<CreatedPayment> {
  requireCorrectClock();
  const created = await insertPayment(
    paymentValues(draftPayment(caller, input, input.id ?? newId(), now), caller, input),
    session,
  );
  if (created) return { ...created, repeated: false };
  const firstId =
    (input.id && (await queries.findPayment(input.id))?.id) ||
    ((await findRepeated(caller, input, now)) ?? throwApiError('duplicatePayment'));
  const existing = session ? await queries.findSession(firstId) : null;
  const payment = existing?.payment ?? (await queries.getPayment(firstId));
  return { payment, session: existing?.session ?? null, repeated: true };
}

async function insertPayment(values: NewPayment, session: SessionFields | null) {
  if (!session) {
    const row = await insertPaymentCollected(values);
    return row && { payment: queries.toPayment(row), session };
  }
  const row = await insertPageCollected({ ...session, ...values, returnUrl: session.returnUrl });
  return row && { payment: queries.toPayment(row), session: queries.toSession(row) };
}

type NewPayment = RowOf<typeof paymentTypes>;
const orderOfRow = ({ merchantId, orderNumber }: NewPayment) => orderOf(merchantId ?? '', orderNumber ?? '');

const idOfRow = ({ paymentId }: NewPayment) => paymentId ?? '';

/** Inserts new payments as a set; null for one whose order number is taken. */
const insertCollected = <Item extends NewPayment, Row extends queries.PaymentRow>(
  insert: (items: Item[]) => Promise<Row[]>,
) =>
  collected(
    async (items: readonly Item[]) =>
      inOrder(items, idOfRow, await insert(firstOfEachPayment(items, idOfRow)), (_item, row) => row),
    orderOfRow,
  );

const insertPaymentCollected = insertCollected((items: NewPayment[]) =>
  insertPayments({ payments: payments.encode(items) }),
);
const insertPageCollected = insertCollected((items: RowOf<typeof pageTypes>[]) =>
  insertPages({ pages: pages.encode(items) }),
);

/**
 * Creates a payment with its first attempt in one statement. The payment of `intent` is a {@link draftPayment}. Null,
 * with nothing written, where the order number is taken or another request is storing the same card: the caller then
 * uses {@link createPayment}.
 */
export async function createPaymentWithAttempt(
  caller: KnownCaller,
  input: PaymentInput,
  intent: Intent,
  now: Date,
): Promise<PaymentWithTransaction | null> {
  return createCollected({ caller, input, intent, now });
}

type DirectPayment = { caller: KnownCaller; input: PaymentInput; intent: Intent; now: Date };

/** {@link createPaymentWithAttempt} for a set of payments; each is answered by itself. */
export async function createPaymentsWithAttempts(
  items: readonly DirectPayment[],
): Promise<(PaymentWithTransaction | null)[]> {
  const startedAtMs = Date.now();
  const insert = items.some(({ intent }) => storesCard(intent)) ? insertDirectCards : insertDirect;
  const idOf = ({ intent }: DirectPayment) => intent.payment.id;
  const values = firstOfEachPayment(items, idOf).map(({ caller, input, intent, now }) => ({
    ...paymentValues(intent.payment, caller, input),
    ...attemptValues(intent, now),
    payer: { ...input.payer, ...intent.payer },
    payee: { ...input.payee, ...intent.payee },
    parameters: { ...input.parameters, ...intent.parameters },
  }));
  if (values.length > 1) shareCardIds(values);
  const rows = await insert({ direct: direct.encode(values) }).catch(
    (error: { code?: string; constraint?: string }) => {
      // Another request is storing the same card. A larger set is repeated row by row, so that the others do not fail with it.
      if (items.length === 1 && error.code === '23503' && error.constraint === 'payments_card_id_fkey') return [];
      throw error;
    },
  );
  return insertedInOrder(items, rows, startedAtMs);
}

const orderOf = (merchantId: string, orderNumber: string) => `${merchantId} ${orderNumber}`;

const createCollected = collected(createPaymentsWithAttempts, ({ caller, input }) =>
  orderOf(caller.merchant.id, input.orderNumber),
);

/** A payment as it will be created. Members are listed, because spreading that many is slow. */
export function draftPayment(
  { merchant, key, mapping }: KnownCaller,
  input: PaymentInput,
  id: string,
  now: Date,
): Payment {
  return {
    id,
    merchantId: merchant.id,
    keyId: key.id,
    protocol: mapping.protocol,
    operation: input.operation,
    state: 'prepare',
    version: 0,
    current: true,
    orderNumber: input.orderNumber,
    orderAmount: input.orderAmount,
    currency: input.currency,
    amountMinor: input.amountMinor,
    description: input.description,
    settledMinor: 0n,
    refundedMinor: 0n,
    refundingMinor: 0n,
    chargedBackMinor: 0n,
    authorizeOnly: input.authorizeOnly ?? false,
    recurringInit: input.recurringInit ?? false,
    requestToken: input.requestToken ?? false,
    keepsCard: false,
    payer: input.payer ?? {},
    payee: input.payee ?? {},
    parameters: input.parameters ?? {},
    customData: input.customData ?? null,
    notificationUrl: input.notificationUrl ?? null,
    channelId: input.channelId ?? null,
    scheduleId: input.scheduleId ?? null,
    scheduleStart: input.scheduleStart ?? null,
    scheduleAmount: input.scheduleAmount ?? null,
    attemptId: null,
    inFlightId: null,
    attempts: 0,
    declines: 0,
    method: null,
    card: null,
    cardToken: null,
    returnUrl: input.returnTo?.url ?? null,
    returnTarget: input.returnTo?.target ?? null,
    firstRecurring: null,
    routingLog: [],
    recurringToken: input.chain?.token ?? null,
    recurringFirstId: input.chain?.firstTransId ?? null,
    subscriptionId: input.subscriptionId ?? null,
    digitalWallet: null,
    panType: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
    settledAt: null,
  };
}

/** The values of a {@link draftPayment} for its statement. */
function paymentValues(payment: Payment, { mapping }: KnownCaller, input: PaymentInput) {
  return {
    ...payment,
    paymentId: payment.id,
    orderDigest: input.requestDigest,
    vatCalc: input.vatCalc ?? false,
    payerReturnUrl: payment.returnUrl,
    chainToken: payment.recurringToken,
    chainFirstId: payment.recurringFirstId,
    at: payment.createdAt,
    reuse: mapping.orderIdReuse,
  };
}

const findOrderHolder = statement<
  { merchantId: string; orderNumber: string },
  { id: string; requestDigest: Buffer; createdAt: Date }
>(
  'order-holder',
  `select id, request_digest as "requestDigest", created_at as "createdAt" from payments
    where merchant_id = :merchantId and order_number = :orderNumber and current`,
);

/** What makes a request the repeat of another one. */
export type RequestIdentity = Pick<PaymentInput, 'orderNumber' | 'requestDigest'>;

/** The id of the payment that this request repeats; undefined for a new request (protocol.md 8). */
export async function findRepeated(
  { merchant }: Pick<Caller, 'merchant'>,
  { orderNumber, requestDigest }: RequestIdentity,
  now: Date,
): Promise<string | undefined> {
  const [first] = await findOrderHolder({ merchantId: merchant.id, orderNumber });
  const repeated =
    first !== undefined &&
    now.getTime() - first.createdAt.getTime() < repeatSeconds * 1000 &&
    first.requestDigest.equals(requestDigest);
  return repeated ? first.id : undefined;
}
