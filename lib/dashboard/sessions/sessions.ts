/** The list of sessions, the links that servers requested, and the page of one with its attempts. */
import { isAttempt, isNotFinal, type Transaction } from '../../core/payment';
import { findMid } from '../../merchants';
import { findMethod, methods } from '../../methods/catalog';
import { transactionsOf } from '../../payments';
import type { PageContext } from '../guard';
import { kindNames, methodLabel } from '../labels';
import { amount, created, merchant, order, payer } from '../lists/columns';
import { choice, choices, days, optionsOf } from '../lists/filters';
import { resource } from '../lists/resource';
import { factGroup, maskToken, payerName, paymentLine, shownGroups } from '../lists/rows';
import { samples } from '../lists/samples';
import { findSession, type ListedSession, listSessions, sessionStates } from './queries';

/** A session in the list. */
export function sessionRow({ payment, session, merchantName, state }: ListedSession) {
  const { language, hostedFields, expiresAt } = session;
  return {
    ...{ ...paymentLine(payment), state, language, hostedFields, merchantName },
    payer: payerName(payment),
    methods: session.methods.map(nameOf),
    attempts: payment.attempts,
    expiresAt: expiresAt.toISOString(),
  };
}

const nameOf = (method: string): string => findMethod(method)?.name ?? method;

/** The page of a session; null if it does not exist for this user. */
export async function sessionPage(request: PageContext) {
  const row = await findSession(request);
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
    /** Methods by id, with the names that payers see. */
    offered: session.methods.map((each) => ({ id: each, name: nameOf(each) })),
    /** Where the payer is redirected afterwards, by the contract's names. */
    addresses: named.flatMap(([name, url]) => (url === null ? [] : [{ name, url }])),
    tries: await Promise.all(attempts.map((attempt) => tryOf(attempt, row))),
    groups: groupsOf(row),
  };
}

async function tryOf(attempt: Transaction, { payment }: ListedSession) {
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

function outcomeOf(attempt: Transaction): { text: string; tone: 'ok' | 'bad' | 'warn' } {
  if (isNotFinal(attempt)) return { text: 'In progress', tone: 'warn' };
  return attempt.status === 'success' ? { text: 'Approved', tone: 'ok' } : { text: 'Declined', tone: 'bad' };
}

function groupsOf({ payment, session, merchantName }: ListedSession) {
  return shownGroups([
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
  ]);
}

export const sessions = resource({
  name: 'sessions',
  title: 'Checkout sessions',
  nouns: ['session', 'sessions'],
  search: 'Payment, order, email, last four',
  filters: [
    choices('state', 'State', optionsOf(sessionStates)),
    days('Created'),
    choice(
      'method',
      'Methods',
      methods.map(({ id, name }) => ({ value: id, label: name })),
    ),
    choice('for', 'Used for', optionsOf({ page: 'Payment page', fields: 'Hosted fields' })),
  ],
  views: [
    ['Open', 'state=open,trying'],
    ['Expired unpaid', 'state=expired'],
    ['Cancelled', 'state=cancelled'],
  ],
  columns: [
    amount,
    { id: 'state', head: 'State', kind: 'session', width: '22%' },
    order,
    payer,
    { id: 'methods', head: 'Methods', kind: 'few', none: 'all methods', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'attempts', head: 'Attempts', align: 'end', width: 64, hideOnPhone: true },
    ...[merchant, created()],
  ],
  href: '/dashboard/sessions/{id}',
  rowName: 'Session of {orderNumber}',
  empty: {
    title: 'No sessions yet',
    texts: ['A session is one link for one payment. All sessions of your servers are listed here.'],
    steps: ['Your server creates a session', 'The payer opens the link', 'The payment settles, or the link expires'],
    shop: true,
    sample: ['Create a session', samples.session],
  },
  source: (filter, page, { now }) => listSessions(filter, page, now),
  placeOf: ({ payment }) => payment,
  toRow: sessionRow,
});
