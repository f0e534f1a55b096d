/** The list of payouts and transfers; each row links to its payment. */

import type { Payment } from '../../core/payment';
import { type State, states } from '../../core/states';
import { checkoutStatus, fullName } from '../../protocols';
import { methodLabel } from '../labels';
import type { ListOf, PayoutRow } from '../lists/contract';
import { readPage } from '../lists/paging';
import { type ListRequest, readChoice, readCode, readListParams } from '../lists/params';
import { paymentLine } from '../lists/rows';
import { listPayouts } from './queries';

const operations = ['credit', 'transfer'] as const;

/** A page of the payouts: `q`, `state` (statuses), `operation`, `currency`, `from`, `to`. */
export async function payoutList({ query, scope, zone }: ListRequest): Promise<ListOf<PayoutRow>> {
  const params = readListParams(query, zone);
  const named = new Set((query.get('state') ?? '').split(','));
  const filter = {
    ...params,
    merchantId: scope,
    states: states.filter((state: State) => named.has(checkoutStatus[state])),
    operation: readChoice(query, 'operation', operations),
    currency: readCode(query, 'currency'),
  };
  const page = await readPage(
    params,
    (place) => listPayouts(filter, place),
    ({ payment }) => payment,
  );
  const rows = page.rows.map(({ payment, merchantName }) => ({
    ...paymentLine(payment),
    operation: payment.operation as PayoutRow['operation'],
    to: toOf(payment),
    payee: fullName(payment.payee) || payment.payee.email || null,
    merchantName,
  }));
  return { ...page, rows };
}

/** The card or method of the recipient: for a transfer the payee's card, for a payout the stored one. */
function toOf(payment: Payment): string | null {
  if (payment.operation === 'transfer') return payment.payee.card ?? null;
  const method = methodLabel(payment);
  return method && (method.last4 === null ? method.name : `${method.name} •••• ${method.last4}`);
}
