/** Sessions of payment pages and hosted fields. A session and its payment are created together. */
import { timingSafeEqual } from 'node:crypto';
import { throwApiError } from '../core/errors';
import { isUuid } from '../core/ids';
import type { Payment, Session } from '../core/payment';
import { statement } from '../db';
import type { Caller, Mapping } from '../merchants';
import { linkHmac } from '../vault';
import { createPayment, type PaymentInput, type SessionFields } from './create';

export { findSession } from './queries';

/** The values of a valid session request. */
export type SessionInput = PaymentInput & SessionFields;

export type CreatedSession = { payment: Payment; session: Session; token: string; repeated: boolean };

/** Creates a session with its payment, as {@link createPayment} does, and its link token. */
export async function createSession(
  caller: Caller & { mapping: Mapping },
  input: SessionInput,
  now: Date,
): Promise<CreatedSession> {
  const { payment, session, repeated } = await createPayment(caller, input, input, now);
  if (!session || session.hostedFields !== input.hostedFields) return throwApiError('duplicatePayment');
  const token = await createLinkToken(payment.id, input.hostedFields ? 'fields' : 'page');
  return { payment, session, token, repeated };
}

/** The values of a session that may change before its first attempt. */
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

type UpdateParams = {
  [Name in keyof Omit<Required<SessionChanges>, 'payer' | 'customData' | 'parameters'>]: SessionChanges[Name] | null;
} & { paymentId: string; version: number; now: Date; payer: string; customData: string | null; parameters: string };

const update = statement<UpdateParams, { payment_id: string }>(
  'session-update',
  `with p as (
     update payments set
       order_amount = coalesce(:orderAmount, order_amount), amount_minor = coalesce(:amountMinor::bigint, amount_minor),
       currency = coalesce(:currency, currency), description = coalesce(:description, description),
       payer = payer || :payer::jsonb, custom_data = coalesce(:customData::jsonb, custom_data),
       notification_url = coalesce(:notificationUrl, notification_url), parameters = parameters || :parameters::jsonb,
       request_digest = coalesce(:requestDigest::bytea, request_digest), version = version + 1,
       updated_at = :now::timestamptz
      where id = :paymentId and version = :version and attempts = 0 and state = 'prepare' and current
     returning id
   )
   update sessions s set
     success_url = coalesce(:successUrl, success_url), cancel_url = coalesce(:cancelUrl, cancel_url),
     error_url = coalesce(:errorUrl, error_url), expiry_url = coalesce(:expiryUrl, expiry_url),
     language = coalesce(:language, language), link_target = coalesce(:linkTarget, link_target),
     methods = coalesce(:methods::text[], methods), expires_at = coalesce(:expiresAt::timestamptz, expires_at)
    from p where s.payment_id = p.id and s.cancelled_at is null and s.expires_at > :now::timestamptz
   returning s.payment_id`,
);

/** Changes a session without attempts; throws `sessionInUse` after the first one. */
export async function updateSession(payment: Payment, changes: SessionChanges, now: Date): Promise<void> {
  const { customData } = changes;
  const rows = await update({
    paymentId: payment.id,
    version: payment.version,
    now,
    orderAmount: changes.orderAmount ?? null,
    amountMinor: changes.amountMinor ?? null,
    currency: changes.currency ?? null,
    description: changes.description ?? null,
    payer: JSON.stringify(changes.payer ?? {}),
    customData: customData === undefined ? null : JSON.stringify(customData),
    notificationUrl: changes.notificationUrl ?? null,
    parameters: JSON.stringify(changes.parameters ?? {}),
    requestDigest: changes.requestDigest ?? null,
    successUrl: changes.successUrl ?? null,
    cancelUrl: changes.cancelUrl ?? null,
    errorUrl: changes.errorUrl ?? null,
    expiryUrl: changes.expiryUrl ?? null,
    language: changes.language ?? null,
    linkTarget: changes.linkTarget ?? null,
    methods: changes.methods ?? null,
    expiresAt: changes.expiresAt ?? null,
  });
  if (rows.length === 0) throwApiError('sessionInUse');
}

const cancel = statement<{ paymentId: string; now: Date }, { payment_id: string }>(
  'session-cancel',
  `with p as (
     update payments set version = version + 1, updated_at = :now::timestamptz
      where id = :paymentId and in_flight_id is null and state in ('prepare', 'declined')
        and exists (select 1 from sessions s where s.payment_id = :paymentId and s.cancelled_at is null)
     returning id
   )
   update sessions s set cancelled_at = :now::timestamptz from p where s.payment_id = p.id returning s.payment_id`,
);

/**
 * Cancels a session when the payer returns to the shop. False where an attempt is in progress or the payment is paid.
 */
export async function cancelSession(paymentId: string, now: Date): Promise<boolean> {
  return (await cancel({ paymentId, now })).length > 0;
}

/** Whether the session has expired. An attempt that was made before may still settle. */
export function isExpired(session: Session, now: Date): boolean {
  return session.expiresAt <= now;
}

/**
 * The token of a session in a link or a `Token` header: the payment's id and its HMAC. It is not stored, and a forged
 * one is rejected without a query.
 */
export async function createLinkToken(paymentId: string, purpose: 'page' | 'fields'): Promise<string> {
  const id = Buffer.from(paymentId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, await macOf(paymentId, purpose)]).toString('base64url');
}

/** The payment id of a token, or null for a forged or malformed one. */
export async function verifyLinkToken(token: string, purpose: 'page' | 'fields'): Promise<string | null> {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== token) return null;
  const hex = bytes.toString('hex', 0, 16);
  const paymentId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(paymentId)) return null;
  return timingSafeEqual(bytes.subarray(16), await macOf(paymentId, purpose)) ? paymentId : null;
}

async function macOf(paymentId: string, purpose: string): Promise<Buffer> {
  return (await linkHmac(`${purpose}:${paymentId}`)).subarray(0, 16);
}
