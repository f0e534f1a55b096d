/** The list of payments as its page shows it. */
import type { PaymentList, PaymentRow } from '../../components/dashboard/model';
import { formatAmount } from '../core/money';
import { type ListedPayment, listPayments } from '../payments/list';
import type { Payment } from '../payments/payment';
import { checkoutStatus, fullName } from '../protocols/record';
import { type ListQuery, writePlace } from './query';
import { amountText, methodOf } from './words';

const pageSize = 50;

/** A page of the payments that a query finds among those of `merchantId`, or of every merchant. */
export async function paymentList(query: ListQuery, merchantId: string | null): Promise<PaymentList> {
  const filter = { ...query.filter, merchantId };
  const { after, before } = query;
  let listed = await listPayments(filter, { size: pageSize, after, before });
  // Whoever has paged back to the beginning wants a whole first page, not what is left before the second.
  const atStart = before !== undefined && !listed.more;
  if (atStart) listed = await listPayments(filter, { size: pageSize });
  const backwards = before !== undefined && !atStart;
  const first = listed.rows[0];
  const last = listed.rows.at(-1);
  const hasNewer = backwards ? listed.more : after !== undefined;
  const hasOlder = backwards || listed.more;
  return {
    rows: listed.rows.map(rowOf),
    newer: hasNewer && first ? writePlace(first.payment) : null,
    older: hasOlder && last ? writePlace(last.payment) : null,
  };
}

function rowOf({ payment, merchantName }: ListedPayment): PaymentRow {
  return {
    id: payment.id,
    amount: formatAmount(payment.amountMinor, payment.currency),
    currency: payment.currency,
    status: checkoutStatus[payment.state],
    remark: remarkOf(payment),
    orderNumber: payment.orderNumber,
    method: methodOf(payment),
    payer: payment.payer.email || fullName(payment.payer) || payment.card?.holder || null,
    merchantName,
    createdAt: payment.createdAt.toISOString(),
  };
}

function remarkOf({ state, reason, refundedMinor, settledMinor, amountMinor, currency }: Payment): string | null {
  if (state === 'declined') return reason;
  if (state !== 'settled') return null;
  if (refundedMinor > 0n) return `${amountText(refundedMinor, currency)} refunded`;
  return settledMinor < amountMinor ? `${amountText(settledMinor, currency)} captured` : null;
}
