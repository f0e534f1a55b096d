/** The page of a session with its offered methods and attempts, and its row in the list. */

import { formatAmount } from '../../core/money';
import { isAttempt, isNotFinal, type Transaction } from '../../core/payment';
import { findMid } from '../../merchants';
import { findMethod } from '../../methods/catalog';
import { transactionsOf } from '../../payments';
import { checkoutStatus } from '../../protocols';
import type { DashboardRequest } from '../guard';
import { kindNames, methodLabel } from '../labels';
import type { AttemptLine, SessionPage, SessionRow } from '../lists/contract';
import { factGroup, maskToken, payerName } from '../lists/rows';
import { findListedSession, type ListedSession } from './queries';

/** A session in the list. */
export function sessionRow({ payment, session, merchantName, state }: ListedSession): SessionRow {
  return {
    id: payment.id,
    amount: formatAmount(payment.amountMinor, payment.currency),
    currency: payment.currency,
    state,
    status: checkoutStatus[payment.state],
    orderNumber: payment.orderNumber,
    payer: payerName(payment),
    language: session.language,
    methods: session.methods.map(nameOf),
    attempts: payment.attempts,
    hostedFields: session.hostedFields,
    merchantName,
    createdAt: payment.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}

const nameOf = (method: string): string => findMethod(method)?.name ?? method;

/** The page of a session; null if it does not exist for this user. */
export async function sessionPage(
  id: string,
  { scope, now }: Pick<DashboardRequest, 'scope' | 'now'>,
): Promise<SessionPage | null> {
  const row = await findListedSession(id, scope, now);
  if (!row) return null;
  const { payment, session } = row;
  const attempts = (await transactionsOf(payment.id)).filter(isAttempt);
  const named: [string, string | null][] = [
    ['success_url', session.successUrl],
    ['cancel_url', session.cancelUrl],
    ['error_url', session.errorUrl],
    ['expiry_url', session.expiryUrl],
    ['return_url', session.returnUrl],
    ['notification_url', payment.notificationUrl],
  ];
  return {
    ...sessionRow(row),
    description: payment.description,
    reason: payment.reason,
    cancelledAt: session.cancelledAt?.toISOString() ?? null,
    offered: session.methods.map((each) => ({ id: each, name: nameOf(each) })),
    addresses: named.flatMap(([name, url]) => (url === null ? [] : [{ name, url }])),
    tries: await Promise.all(attempts.map((attempt) => tryOf(attempt, row))),
    groups: groupsOf(row),
  };
}

async function tryOf(attempt: Transaction, { payment }: ListedSession): Promise<AttemptLine> {
  const mid = await findMid(attempt.midId);
  const isLatest = payment.attemptId === attempt.id;
  const name = nameOf(attempt.method);
  return {
    id: attempt.id,
    at: attempt.createdAt.toISOString(),
    what: kindNames[attempt.kind],
    method: (isLatest ? methodLabel(payment) : null) ?? { name, last4: null },
    midName: mid?.name ?? 'a removed MID',
    outcome: outcomeOf(attempt),
    detail: attempt.status === 'fail' ? attempt.declineReason : null,
  };
}

function outcomeOf(attempt: Transaction): AttemptLine['outcome'] {
  if (isNotFinal(attempt)) return { text: 'In progress', tone: 'warn' };
  return attempt.status === 'success' ? { text: 'Approved', tone: 'ok' } : { text: 'Declined', tone: 'bad' };
}

function groupsOf({ payment, session, merchantName }: ListedSession): SessionPage['groups'] {
  return [
    factGroup('Payer', [
      ['Name', payment.payer.name],
      ['Email', payment.payer.email, { mail: true }],
      ['Country', payment.payer.country],
      ['IP address', payment.payer.ip],
    ]),
    factGroup('Link', [
      ['Used for', session.hostedFields ? 'Hosted fields' : 'Payment page'],
      ['Language', session.language ?? 'Browser language'],
      ['url_target', session.linkTarget, { code: true }],
      ['form_id', session.formId],
      ['Saved cards', session.cardTokens.map(maskToken).join(', ')],
    ]),
    factGroup('References', [
      ['payment_id', payment.id, { code: true }],
      ['Merchant', merchantName],
    ]),
  ].filter(({ facts }) => facts.length > 0);
}
