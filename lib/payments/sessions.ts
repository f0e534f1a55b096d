/** Sessions of payment pages and hosted fields. A session and its payment are created together. */
import { throwApiError } from '../core/errors.ts';
import type { Payment, Session, Transaction } from '../core/payment.ts';
import { type RowOf, rowStep, statement } from '../db/index.ts';
import type { KnownCaller } from '../merchants/index.ts';
import { testingDecline } from '../risk/index.ts';
import { createLinkToken, verifyLinkToken } from '../vault/index.ts';
import { createPayment, type PaymentInput, type SessionFields } from './create.ts';
import { findSession, lastAttempt, type TransactionRow, toTransaction, transactionColumns } from './queries.ts';

/** The values of a valid session request. */
export type SessionInput = PaymentInput & SessionFields;

type CreatedSession = { payment: Payment; session: Session; token: string; repeated: boolean };

/** Creates a session with its payment, as {@link createPayment} does, and its link token. */
export async function createSession(caller: KnownCaller, input: SessionInput, now: Date): Promise<CreatedSession> {
  const { payment, session, repeated } = await createPayment(caller, input, input, now);
  if (!session || session.hostedFields !== input.hostedFields) return throwApiError('duplicatePayment');
  const token = await createLinkToken(payment.id, input.hostedFields ? 'fields' : 'page');
  return { payment, session, token, repeated };
}

const changeTypes =
  `orderAmount text, amountMinor bigint, currency text, description text, successUrl text, cancelUrl text, errorUrl text,
  expiryUrl text, language text, linkTarget text, methods text[], payer jsonb, customData jsonb, notificationUrl text,
  expiresAt timestamptz, parameters jsonb, requestDigest bytea` as const;

/** The values of a session that may change before its first attempt. */
export type SessionChanges = Partial<RowOf<typeof changeTypes>>;

const update = rowStep(
  'sessions-update',
  `version int, at timestamptz, ${changeTypes}`,
  (from) => `with i as materialized (select * from ${from}), p as (
     update payments set
       order_amount = coalesce(i.order_amount, payments.order_amount),
       amount_minor = coalesce(i.amount_minor, payments.amount_minor), currency = coalesce(i.currency, payments.currency),
       description = coalesce(i.description, payments.description), payer = payments.payer || i.payer,
       custom_data = coalesce(i.custom_data, payments.custom_data),
       notification_url = coalesce(i.notification_url, payments.notification_url),
       parameters = payments.parameters || i.parameters,
       request_digest = coalesce(i.request_digest, payments.request_digest), version = payments.version + 1,
       updated_at = i.at
      from i where payments.id = i.id and payments.version = i.version and payments.attempts = 0
       and payments.state = 'prepare' and payments.current
     returning payments.id
   )
   update sessions s set
     success_url = coalesce(i.success_url, s.success_url), cancel_url = coalesce(i.cancel_url, s.cancel_url),
     error_url = coalesce(i.error_url, s.error_url), expiry_url = coalesce(i.expiry_url, s.expiry_url),
     language = coalesce(i.language, s.language), link_target = coalesce(i.link_target, s.link_target),
     methods = coalesce(i.methods, s.methods), expires_at = coalesce(i.expires_at, s.expires_at)
    from p join i on i.id = p.id
   where s.payment_id = p.id and s.cancelled_at is null and s.expires_at > i.at
   returning p.id`,
);

/** Changes a session without attempts; throws `sessionInUse` after the first one. */
export async function updateSession({ id, version }: Payment, changes: SessionChanges, at: Date): Promise<void> {
  const row = { payer: {}, parameters: {}, ...changes, id, version, at };
  const [updated] = await update([row as RowOf<typeof changeTypes> & typeof row]);
  if (!updated) throwApiError('sessionInUse');
}

const cancel = rowStep(
  'sessions-cancel',
  'at timestamptz',
  (from) => `with p as (
     update payments set version = payments.version + 1, updated_at = i.at from ${from}
      where payments.id = i.id and payments.in_flight_id is null and payments.state in ('prepare', 'declined')
        and exists (select 1 from sessions s where s.payment_id = i.id and s.cancelled_at is null)
     returning i.id, i.at
   )
   update sessions s set cancelled_at = p.at from p where s.payment_id = p.id returning p.id`,
);

/** Cancels a session when the payer returns to the shop; false for a payment that is paid or in progress. */
export async function cancelSession(paymentId: string, now: Date): Promise<boolean> {
  return (await cancel([{ id: paymentId, at: now }]))[0] !== null;
}

const stoppedAttempt = statement<{ paymentId: string; code: string }, TransactionRow>(
  'attempt-stopped',
  `select ${transactionColumns} from transactions t where t.payment_id = :paymentId and t.decline_code = :code
    order by t.number desc limit 1`,
);

/** The attempt of a payment that was stopped as card testing. Later ones are counted by its session and not stored. */
export async function findStopped({ id, attempts }: Payment): Promise<Transaction | null> {
  const [row] = attempts > 0 ? await stoppedAttempt({ paymentId: id, code: testingDecline.code }) : [];
  return row ? toTransaction(row) : null;
}

// A form that was submitted twice at once counts once.
const repeatStop = statement<{ paymentId: string; attempts: number; stops: number }>(
  'sessions-repeat-stop',
  `update sessions set repeated_stops = repeated_stops || :attempts::int
    where payment_id = :paymentId and cardinality(repeated_stops) = :stops`,
);

/** Counts a stopped attempt that is not stored, after another one of the same payment. */
export async function countRepeatedStop({ id, attempts }: Payment, { repeatedStops }: Session): Promise<void> {
  await repeatStop({ paymentId: id, attempts, stops: repeatedStops.length });
}

/** A payment with its session, if it has one. */
export type Submitted = { payment: Payment; session: Session | null };

/** How often the payer has submitted a payment: its attempts, and those that were stopped and not stored. */
export function submissionsOf({ payment, session }: Submitted): number {
  return payment.attempts + (session?.repeatedStops.length ?? 0);
}

/** The attempt that the payer submitted last. One that was not stored has the outcome of the payment's stopped attempt. */
export async function lastSubmitted({ payment, session }: Submitted): Promise<Transaction | null> {
  const isStopped = payment.state === 'declined' && session?.repeatedStops.at(-1) === payment.attempts;
  return isStopped ? findStopped(payment) : lastAttempt(payment.id);
}

/** Whether the session has expired. An attempt that was made before may still settle. */
export function isExpired(session: Session, now: Date): boolean {
  return session.expiresAt <= now;
}

/** The open session of a hosted fields token; null for an invalid token or a session that is over. */
export async function findFieldsSession(
  token: string,
  now: Date,
): Promise<{ payment: Payment; session: Session } | null> {
  const paymentId = await verifyLinkToken(token, 'fields');
  const stored = paymentId === null ? null : await findSession(paymentId);
  const isOpen = stored?.session.hostedFields && !stored.session.cancelledAt && !isExpired(stored.session, now);
  return isOpen ? stored : null;
}
