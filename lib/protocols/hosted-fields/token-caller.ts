// Identifies the caller of requests from pages with hosted fields by the header `Token` alone.
import { throwApiError, throwTooManyRequests } from '../../core/errors.ts';
import type { Payment, Session } from '../../core/payment.ts';
import type { HttpRequest } from '../../http/index.ts';
import { type Caller, callerOf } from '../../merchants/index.ts';
import { findFieldsSession } from '../../payments/index.ts';
import { retryAfterForPayment } from '../../risk/index.ts';

/** The payment and session of a token. */
export type SessionSubject = { payment: Payment; session: Session };

/** Sessions found while identifying the caller, kept for the subject check of the same request. */
const subjects = new WeakMap<HttpRequest, SessionSubject>();

/** Returns the merchant of the session in the header `Token`; 401 for an invalid or expired token. */
async function callerOfToken(request: HttpRequest, now: Date): Promise<Caller> {
  const subject = await findFieldsSession(request.headers.get('token') ?? '', now);
  if (!subject) return throwApiError('tokenNotValid');
  limitPayerRequests(subject.payment.id);
  subjects.set(request, subject);
  return callerOf(subject.payment);
}

/** Refuses requests of a payer over the limit of their payment. */
export function limitPayerRequests(paymentId: string): void {
  const seconds = retryAfterForPayment('pay', paymentId);
  if (seconds > 0) throwTooManyRequests(seconds);
}

/** The shared properties of actions that payers' browsers call with a token. */
export const tokenAuthenticated = {
  caller: callerOfToken,
  // The IP allowlist names the merchant's servers; these requests come from payers' browsers.
  fromPayers: true,
  subject: async (_caller: unknown, _input: unknown, request: HttpRequest) => subjects.get(request) ?? null,
  missing: 'tokenNotValid',
  signature: () => null,
} as const;
