/**
 * Creates payments. One statement and a unique index on the order number ensure that concurrent requests create one
 * payment.
 */

import { throwApiError, throwClockWrong } from '../core/errors';
import { newId } from '../core/ids';
import type { Operation, PartyDetails, Payment, PaymentWithTransaction, Session } from '../core/payment';
import { query } from '../db';
import { isClockWrong } from '../db/clock';
import type { Caller, Mapping } from '../merchants';
import { asInserted, attemptCardSql, attemptSql, attemptValues, type Intent } from './attempt/intent';
import { findPayment, findSession } from './queries';
import { paymentColumns, sessionColumns, toPayment, toSession } from './row-mapping';

/** The caller that creates a payment, with its mapping. */
type MappedCaller = Caller & { mapping: Mapping };

/** A repeat within this time gets the first outcome (contract, Limits). */
export const repeatSeconds = 15;

/** The values of a new payment. */
export type PaymentInput = {
  operation: Operation;
  orderNumber: string;
  orderAmount: string;
  currency: string;
  amountMinor: bigint;
  description: string;
  authorizeOnly: boolean;
  recurringInit: boolean;
  requestToken: boolean;
  vatCalc: boolean;
  payer: PartyDetails;
  payee: PartyDetails;
  parameters: Record<string, unknown>;
  customData: unknown;
  notificationUrl: string | null;
  channelId: string | null;
  scheduleId: string | null;
  scheduleStart: string | null;
  scheduleAmount: string | null;
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

/** Additional values of a payment page or hosted fields. */
export type SessionFields = {
  methods: string[];
  successUrl: string | null;
  cancelUrl: string | null;
  errorUrl: string | null;
  expiryUrl: string | null;
  returnUrl: string | null;
  linkTarget: string | null;
  language: string | null;
  formId: string | null;
  expiresAt: Date;
  hostedFields: boolean;
  consentRequired: boolean;
  cardTokens: string[];
};

// The payment that has the order number releases it where the mapping allows reuse.
const releaseOrderNumberSql = `old as (
  update payments set current = false, version = version + 1
   where merchant_id = $2 and order_number = $3 and current and id <> $1::uuid
     and created_at <= $4::timestamptz - interval '${repeatSeconds} seconds'
     and ($5::text = 'always' or attempts = 0
          or ($5::text = 'after_failed' and state = 'declined' and in_flight_id is null))
  returning id
)`;

/** Inserts the payment; `extraColumns` are further columns with their values. */
function insertSql(extraColumns: Record<string, string> = {}): string {
  const columns = Object.keys(extraColumns).map((column) => `, ${column}`);
  const values = Object.values(extraColumns).map((value) => `, ${value}`);
  return `insert into payments (id, merchant_id, key_id, protocol, operation, request_digest, order_number, order_amount,
    currency, amount_minor, description, authorize_only, recurring_init, request_token, vat_calc, payer, payee,
    parameters, custom_data, notification_url, channel_id, schedule_id, schedule_start, schedule_amount, created_at,
    updated_at, return_url, return_target, recurring_token, recurring_first_id, subscription_id${columns.join('')})
  select $1::uuid, $2::uuid, $6::uuid, $26::"Protocol", $7::"Operation", $8, $3::text, $9, $10, $11::bigint, $12,
    $13::bool, $14::bool, $15::bool, $16::bool, $17::jsonb, $18::jsonb, $19::jsonb, $20::jsonb, $21, $22, $23::uuid,
    $24::date, $25, $4::timestamptz, $4::timestamptz, $27, $28, $29, $30::uuid, $31::uuid${values.join('')}
   where (select count(*) from old) >= 0
  on conflict do nothing
  returning *`;
}

const createSql = `
with ${releaseOrderNumberSql}, p as (
  ${insertSql()}
), s as (
  insert into sessions (payment_id, methods, language, success_url, cancel_url, error_url, expiry_url, return_url,
    link_target, card_tokens, form_id, expires_at, hosted_fields, consent_required)
  select id, $32::text[], $33, $34, $35, $36, $37, $38, $39, $40::text[], $41, $42::timestamptz, $43::bool, $44::bool from p
   where $32::text[] is not null
  returning *
)
select ${paymentColumns}, ${sessionColumns} from p
  left join s on s.payment_id = p.id left join cards k on k.id = p.card_id`;

// The payment refers to a known card by `known`, before the attempt's upsert returns its id.
const createWithAttemptSql = `
with ${releaseOrderNumberSql}, known as (
  select id from cards where merchant_id = $2 and fingerprint = $34::bytea
), p as (
  ${insertSql({
    version: '1',
    attempts: '1',
    attempt_id: '$43::uuid',
    in_flight_id: '$43::uuid',
    method: '$48::text',
    card_id: 'coalesce((select id from known), $32::uuid)',
    card_token: '$57::text',
    digital_wallet: '$58::text',
    pan_type: '$59::text',
    trace: '$60::jsonb',
  })}
), ${attemptSql(32, 'p')}
select ${paymentColumns}, (select due_back_at from t) as due_back_at from p ${attemptCardSql}`;

/** Rejects new payments and attempts (503) while this process's clock is too wrong to date them (lib/db/clock.ts). */
export function requireCorrectClock(): void {
  if (isClockWrong()) throwClockWrong();
}

/** A payment with its session, if it has one. `repeated`: it existed before the request. */
export type CreatedPayment = { payment: Payment; session: Session | null; repeated: boolean };

/**
 * Creates a payment, or returns the first one when the same signed values are repeated within 15 seconds. Throws
 * `duplicatePayment` for other values within that time, and afterwards where the mapping forbids reuse of an order
 * number (protocol.md 8).
 */
export async function createPayment(
  caller: MappedCaller,
  input: PaymentInput,
  session: SessionFields | null,
  now: Date,
): Promise<CreatedPayment> {
  requireCorrectClock();
  const values = [...paymentValues(input.id ?? newId(), caller, input, now), ...sessionValues(session)];
  const [row] = await query<{ [column: string]: unknown }>('payment-create', createSql, values);
  if (row) return { payment: toPayment(row), session: session && toSession(row), repeated: false };
  const firstId = (input.id && (await findPayment(input.id))?.id) || (await findOriginal(caller, input, now));
  const existing = session ? await findSession(firstId) : null;
  const payment = existing?.payment ?? (await findPayment(firstId));
  if (!payment) throw new Error(`payment ${firstId} is gone`);
  return { payment, session: existing?.session ?? null, repeated: true };
}

/**
 * Creates a payment with its first attempt in one statement. The payment of `intent` is a {@link draftPayment}. Null,
 * with nothing written, where the order number is taken or another request is storing the same card: the caller then
 * uses {@link createPayment}.
 */
export async function createPaymentWithAttempt(
  caller: MappedCaller,
  input: PaymentInput,
  intent: Intent,
  now: Date,
): Promise<PaymentWithTransaction | null> {
  const { payment, transaction, payer, payee, parameters } = intent;
  const startedAtMs = Date.now();
  const values = [
    ...paymentValues(payment.id, caller, input, now, {
      payer: { ...input.payer, ...payer },
      payee: { ...input.payee, ...payee },
      parameters: { ...input.parameters, ...parameters },
    }),
    ...attemptValues(intent, now),
    intent.cardToken ?? null,
    intent.wallet?.kind ?? null,
    intent.wallet?.panType ?? null,
    JSON.stringify(intent.routingLog ?? []),
  ];
  const rows = await query<{ [column: string]: unknown }>(
    'payment-create-with-attempt',
    createWithAttemptSql,
    values,
  ).catch((error: { code?: string; constraint?: string }) => {
    if (error.code === '23503' && error.constraint === 'payments_card_id_fkey') return [];
    throw error;
  });
  const [row] = rows;
  return row ? { payment: toPayment(row), transaction: asInserted(transaction, row, startedAtMs) } : null;
}

/** A payment as it will be created. Members are listed, because spreading that many is slow. */
export function draftPayment(
  { merchant, key, mapping }: MappedCaller,
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
    authorizeOnly: input.authorizeOnly,
    recurringInit: input.recurringInit,
    requestToken: input.requestToken,
    payer: input.payer,
    payee: input.payee,
    parameters: input.parameters,
    customData: input.customData,
    notificationUrl: input.notificationUrl,
    channelId: input.channelId,
    scheduleId: input.scheduleId,
    scheduleStart: input.scheduleStart,
    scheduleAmount: input.scheduleAmount,
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

function paymentValues(
  id: string,
  caller: MappedCaller,
  input: PaymentInput,
  now: Date,
  { payer, payee, parameters }: Pick<PaymentInput, 'payer' | 'payee' | 'parameters'> = input,
): unknown[] {
  return [
    id,
    caller.merchant.id,
    input.orderNumber,
    now,
    caller.mapping.orderIdReuse,
    caller.key.id,
    input.operation,
    input.requestDigest,
    input.orderAmount,
    input.currency,
    input.amountMinor,
    input.description,
    input.authorizeOnly,
    input.recurringInit,
    input.requestToken,
    input.vatCalc,
    JSON.stringify(payer),
    JSON.stringify(payee),
    JSON.stringify(parameters),
    input.customData === undefined || input.customData === null ? null : JSON.stringify(input.customData),
    input.notificationUrl,
    input.channelId,
    input.scheduleId,
    input.scheduleStart,
    input.scheduleAmount,
    caller.mapping.protocol,
    input.returnTo?.url ?? null,
    input.returnTo?.target ?? null,
    input.chain?.token ?? null,
    input.chain?.firstTransId ?? null,
    input.subscriptionId ?? null,
  ];
}

function sessionValues(session: SessionFields | null): unknown[] {
  if (!session) return Array.from({ length: 13 }, () => null);
  return [
    session.methods,
    session.language,
    session.successUrl,
    session.cancelUrl,
    session.errorUrl,
    session.expiryUrl,
    session.returnUrl,
    session.linkTarget,
    session.cardTokens,
    session.formId,
    session.expiresAt,
    session.hostedFields,
    session.consentRequired,
  ];
}

/** The payment that has the order number, if this request is its repeat; throws `duplicatePayment` otherwise. */
async function findOriginal(caller: Caller, input: PaymentInput, now: Date): Promise<string> {
  type Row = { id: string; request_digest: Buffer; created_at: Date };
  const [first] = await query<Row>(
    'order-holder',
    'select id, request_digest, created_at from payments where merchant_id = $1 and order_number = $2 and current',
    [caller.merchant.id, input.orderNumber],
  );
  const repeated =
    first !== undefined &&
    now.getTime() - first.created_at.getTime() < repeatSeconds * 1000 &&
    first.request_digest.equals(input.requestDigest);
  return repeated ? first.id : throwApiError('duplicatePayment');
}
