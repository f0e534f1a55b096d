/**
 * Sessions: one link, one payment. The payment exists from the session on; who comes second with the same order
 * number is told apart by one statement and a unique index, so that two requests at once open one payment.
 */
import { timingSafeEqual } from 'node:crypto';
import { refuse } from '../core/errors';
import { query } from '../db';
import { findSession } from './find';
import { isUuid, newId } from './ids';
import type { Caller, Mapping } from './merchants';
import type { Operation, Payment, Person, Session } from './payment';
import { linkMac } from './vault';

export { findSession } from './find';

/** A repeat within this time gets the first outcome (contract, Limits). */
const repeatSeconds = 15;

/** A checked session request. */
export type SessionInput = {
  operation: Operation;
  methods: string[];
  orderNumber: string;
  orderAmount: string;
  currency: string;
  amountMinor: bigint;
  description: string;
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
  authorizeOnly: boolean;
  recurringInit: boolean;
  requestToken: boolean;
  vatCalc: boolean;
  payer: Person;
  payee: Person;
  parameters: Record<string, unknown>;
  customData: unknown;
  notificationUrl: string | null;
  channelId: string | null;
  scheduleId: string | null;
  scheduleStart: string | null;
  scheduleAmount: string | null;
  cardTokens: string[];
  /** SHA-256 over the signed values: what makes a repeat a repeat. */
  requestDigest: Buffer;
};

export type Opened = { payment: Payment; session: Session; token: string; repeated: boolean };

const openSql = `
with old as (
  update payments set current = false, version = version + 1
   where merchant_id = $2 and order_number = $3 and current
     and created_at <= $4::timestamptz - interval '${repeatSeconds} seconds'
     and ($5::text = 'always' or attempts = 0
          or ($5::text = 'after_failed' and state = 'declined' and in_flight_id is null))
  returning id
), p as (
  insert into payments (id, merchant_id, key_id, protocol, operation, request_digest, order_number, order_amount,
    currency, amount_minor, description, authorize_only, recurring_init, request_token, vat_calc, payer, payee,
    parameters, custom_data, notification_url, channel_id, schedule_id, schedule_start, schedule_amount, created_at,
    updated_at)
  select $1::uuid, $2::uuid, $6::uuid, 'checkout', $7::"Operation", $8, $3::text, $9, $10, $11::bigint, $12, $13::bool,
    $14::bool, $15::bool, $16::bool, $17::jsonb, $18::jsonb, $19::jsonb, $20::jsonb, $21, $22, $23::uuid, $24::date,
    $25, $4::timestamptz, $4::timestamptz
   where (select count(*) from old) >= 0
  on conflict do nothing
  returning id
)
insert into sessions (payment_id, methods, language, success_url, cancel_url, error_url, expiry_url, return_url,
  link_target, card_tokens, form_id, expires_at, hosted_fields)
select id, $26::text[], $27, $28, $29, $30, $31, $32, $33, $34::text[], $35, $36::timestamptz, $37::bool from p
returning payment_id`;

/**
 * Opens a session, or gives back the first one when the same signed values come again within 15 seconds. Refuses
 * `duplicatePayment` for other values within that time, and afterwards where the mapping forbids to use an order
 * number again (protocol.md 8).
 */
export async function openSession(
  caller: Caller & { mapping: Mapping },
  input: SessionInput,
  now: Date,
): Promise<Opened> {
  const id = newId();
  const opened = await query('session-open', openSql, openValues(id, caller, input, now));
  const paymentId = opened.length > 0 ? id : await firstOf(caller, input, now);
  const found = await findSession(paymentId);
  if (!found) return refuse('duplicatePayment');
  const token = await linkToken(paymentId, input.hostedFields ? 'fields' : 'page');
  return { ...found, token, repeated: paymentId !== id };
}

function openValues(id: string, caller: Caller & { mapping: Mapping }, input: SessionInput, now: Date): unknown[] {
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
    JSON.stringify(input.payer),
    JSON.stringify(input.payee),
    JSON.stringify(input.parameters),
    input.customData === undefined || input.customData === null ? null : JSON.stringify(input.customData),
    input.notificationUrl,
    input.channelId,
    input.scheduleId,
    input.scheduleStart,
    input.scheduleAmount,
    input.methods,
    input.language,
    input.successUrl,
    input.cancelUrl,
    input.errorUrl,
    input.expiryUrl,
    input.returnUrl,
    input.linkTarget,
    input.cardTokens,
    input.formId,
    input.expiresAt,
    input.hostedFields,
  ];
}

/** The payment that holds the order number, if this request is its repeat; refuses otherwise. */
async function firstOf(caller: Caller, input: SessionInput, now: Date): Promise<string> {
  type Row = { id: string; request_digest: Buffer; created_at: Date; hosted_fields: boolean | null };
  const [first] = await query<Row>(
    'order-holder',
    `select p.id, p.request_digest, p.created_at, s.hosted_fields
       from payments p left join sessions s on s.payment_id = p.id
      where p.merchant_id = $1 and p.order_number = $2 and p.current`,
    [caller.merchant.id, input.orderNumber],
  );
  const repeated =
    first !== undefined &&
    now.getTime() - first.created_at.getTime() < repeatSeconds * 1000 &&
    first.hosted_fields === input.hostedFields &&
    first.request_digest.equals(input.requestDigest);
  return repeated ? first.id : refuse('duplicatePayment');
}

/** What a session may still change before its first attempt. */
export type SessionChanges = Partial<
  Pick<
    SessionInput,
    | 'orderAmount'
    | 'amountMinor'
    | 'currency'
    | 'description'
    | 'successUrl'
    | 'cancelUrl'
    | 'errorUrl'
    | 'expiryUrl'
    | 'language'
    | 'linkTarget'
    | 'methods'
    | 'payer'
    | 'customData'
    | 'notificationUrl'
    | 'expiresAt'
    | 'parameters'
    | 'requestDigest'
  >
>;

/** Changes a session that nobody has tried to pay yet; refuses `sessionInUse` afterwards. */
export async function updateSession(payment: Payment, changes: SessionChanges, now: Date): Promise<void> {
  const given = (value: unknown) => (value === undefined ? null : value);
  const rows = await query(
    'session-update',
    `with p as (
       update payments set
         order_amount = coalesce($4, order_amount), amount_minor = coalesce($5::bigint, amount_minor),
         currency = coalesce($6, currency), description = coalesce($7, description),
         payer = payer || $8::jsonb, custom_data = coalesce($9::jsonb, custom_data),
         notification_url = coalesce($10, notification_url), parameters = parameters || $11::jsonb,
         request_digest = coalesce($12::bytea, request_digest), version = version + 1, updated_at = $3::timestamptz
        where id = $1 and version = $2 and attempts = 0 and state = 'prepare' and current
       returning id
     )
     update sessions s set
       success_url = coalesce($13, success_url), cancel_url = coalesce($14, cancel_url),
       error_url = coalesce($15, error_url), expiry_url = coalesce($16, expiry_url),
       language = coalesce($17, language), link_target = coalesce($18, link_target),
       methods = coalesce($19::text[], methods), expires_at = coalesce($20::timestamptz, expires_at)
      from p where s.payment_id = p.id and s.cancelled_at is null and s.expires_at > $3::timestamptz
     returning s.payment_id`,
    [
      payment.id,
      payment.version,
      now,
      given(changes.orderAmount),
      given(changes.amountMinor),
      given(changes.currency),
      given(changes.description),
      JSON.stringify(changes.payer ?? {}),
      changes.customData === undefined ? null : JSON.stringify(changes.customData),
      given(changes.notificationUrl),
      JSON.stringify(changes.parameters ?? {}),
      given(changes.requestDigest),
      given(changes.successUrl),
      given(changes.cancelUrl),
      given(changes.errorUrl),
      given(changes.expiryUrl),
      given(changes.language),
      given(changes.linkTarget),
      given(changes.methods),
      given(changes.expiresAt),
    ],
  );
  if (rows.length === 0) refuse('sessionInUse');
}

/** The payer goes back to the shop: the link is dead. False where an attempt is under way or money has moved. */
export async function cancelSession(paymentId: string, now: Date): Promise<boolean> {
  const rows = await query(
    'session-cancel',
    `with p as (
       update payments set version = version + 1, updated_at = $2::timestamptz
        where id = $1 and in_flight_id is null and state in ('prepare', 'declined')
          and exists (select 1 from sessions s where s.payment_id = $1 and s.cancelled_at is null)
       returning id
     )
     update sessions s set cancelled_at = $2::timestamptz from p where s.payment_id = p.id returning s.payment_id`,
    [paymentId, now],
  );
  return rows.length > 0;
}

/** Whether the session's time is over. An attempt that began before may still settle. */
export function isExpired(session: Session, now: Date): boolean {
  return session.expiresAt <= now;
}

/**
 * The text that stands for a session in a link or in a `Token` header: the payment's id and a keyed hash of it. It is
 * not stored, and a forged one is refused without asking the database.
 */
export async function linkToken(paymentId: string, purpose: 'page' | 'fields'): Promise<string> {
  const id = Buffer.from(paymentId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, await macOf(paymentId, purpose)]).toString('base64url');
}

/** The payment behind a token, or null for a forged or misshapen one. */
export async function readLinkToken(token: string, purpose: 'page' | 'fields'): Promise<string | null> {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== token) return null;
  const hex = bytes.toString('hex', 0, 16);
  const paymentId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(paymentId)) return null;
  return timingSafeEqual(bytes.subarray(16), await macOf(paymentId, purpose)) ? paymentId : null;
}

async function macOf(paymentId: string, purpose: string): Promise<Buffer> {
  return (await linkMac(`${purpose}:${paymentId}`)).subarray(0, 16);
}
