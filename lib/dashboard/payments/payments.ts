/** The payments list as its page shows it. */

import type { Role } from '../../auth';
import { formatAmount } from '../../core/money';
import type { Payment } from '../../core/payment';
import { checkoutStatus, fullName } from '../../protocols';
import type { PaymentCount, PaymentList, PaymentRow } from '../contract';
import { amountText, methodLabel, protocolNames } from '../labels';
import { readPage } from '../lists/paging';
import type { PaymentListQuery } from '../lists/query';
import { type Offer, offersOf } from './allowed-actions';
import { countPayments, type ListedPayment, listPayments } from './queries';

/** The user of the list and their merchant; null for every merchant. */
export type ListViewer = { scope: string | null; role: Role; now: Date };

/** A page of the payments that a query finds. */
export async function paymentList(query: PaymentListQuery, onlooker: ListViewer): Promise<PaymentList> {
  const filter = filterOf(query, onlooker.scope);
  const page = await readPage(
    query,
    (requested) => listPayments(filter, requested),
    ({ payment }) => payment,
  );
  const offers = await offersOf(page.rows, onlooker.role, onlooker.now);
  return { ...page, rows: page.rows.map((listed, place) => rowOf(listed, offers[place])) };
}

/** The user's merchant overrides the one in the address. */
export const filterOf = ({ filter, merchantId }: PaymentListQuery, scope: string | null) => ({
  ...filter,
  merchantId: scope ?? merchantId,
});

/** The count stops here, because a higher number has no use and counting would scan the table. */
const countMax = 1000;

/** The number of payments that a query finds. */
export async function paymentCount(query: PaymentListQuery, scope: string | null): Promise<PaymentCount> {
  const count = await countPayments(filterOf(query, scope), countMax);
  return { count: Math.min(count, countMax), more: count > countMax };
}

function rowOf({ payment, merchantName, mid }: ListedPayment, offer: Offer | undefined): PaymentRow {
  const { currency } = payment;
  const { capture, refund } = offer?.actions ?? {};
  return {
    id: payment.id,
    version: payment.version,
    amount: formatAmount(payment.amountMinor, currency),
    currency,
    status: checkoutStatus[payment.state],
    remark: remarkOf(payment),
    orderNumber: payment.orderNumber,
    description: payment.description,
    method: methodLabel(payment),
    payer: payment.payer.email || fullName(payment.payer) || payment.card?.holder || null,
    country: payment.payer.country ?? null,
    merchantName,
    midName: mid?.name ?? null,
    channel: `${protocolNames[payment.protocol]}, ${payment.operation}`,
    captured: formatAmount(payment.settledMinor, currency),
    refunded: formatAmount(payment.refundedMinor, currency),
    transId: payment.attemptId,
    createdAt: payment.createdAt.toISOString(),
    settledAt: payment.settledAt?.toISOString() ?? null,
    ...(capture && { capture: capture.most }),
    ...(refund && { refund: refund.most }),
  };
}

function remarkOf({ state, reason, refundedMinor, settledMinor, amountMinor, currency }: Payment): string | null {
  if (state === 'declined') return reason;
  if (state !== 'settled') return null;
  if (refundedMinor > 0n) return `${amountText(refundedMinor, currency)} refunded`;
  return settledMinor < amountMinor ? `${amountText(settledMinor, currency)} captured` : null;
}
