// Whose request it is that a page with hosted fields makes: the token in its header says so, and nothing else does.
import { throwApiError } from '../../core/errors';
import type { Payment, Session } from '../../core/payment';
import { type Caller, callerOf } from '../../merchants';
import { findSession, isExpired, verifyLinkToken } from '../../payments';

/** The payment that a token is for. */
export type SessionSubject = { payment: Payment; session: Session };

/** The session of the token: known when it was asked whose request it is, and needed again when it is carried out. */
const subjects = new WeakMap<Request, SessionSubject>();

/** Who opened the session of the header `Token`; 401 for a token that is none, or none any more. */
async function callerOfToken(request: Request, now: Date): Promise<Caller> {
  const paymentId = await verifyLinkToken(request.headers.get('token') ?? '', 'fields');
  const subject = paymentId === null ? null : await findSession(paymentId);
  if (!subject?.session.hostedFields || isOver(subject.session, now)) return throwApiError('tokenNotValid');
  subjects.set(request, subject);
  return callerOf(subject.payment);
}

const isOver = (session: Session, now: Date) => session.cancelledAt !== null || isExpired(session, now);

/** What a row of the pipeline needs that is called by a page of the payer's with its token. */
export const tokenAuthenticated = {
  caller: callerOfToken,
  // The merchant's addresses are those of its servers; this is called by the browsers of its payers.
  fromPayers: true,
  subject: async (_caller: unknown, _input: unknown, request: Request) => subjects.get(request) ?? null,
  missing: 'tokenNotValid',
  signature: () => null,
} as const;
