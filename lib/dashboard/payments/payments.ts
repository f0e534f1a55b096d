/** The payments list as its page shows it. */

import { formatAmount } from '../../core/money';
import type { Payment } from '../../core/payment';
import { checkoutStatus } from '../../protocols';
import type { DashboardRequest } from '../guard';
import { amountText, methodLabel, protocolNames } from '../labels';
import { readPage } from '../lists/paging';
import { type PaymentListQuery, readPaymentListQuery } from '../lists/query';
import type { ListRequest } from '../lists/resource';
import { payerName } from '../lists/rows';
import { type Offer, offersOf } from './allowed-actions';
import { countPayments, type ListedPayment, listPayments } from './queries';

/** A page of the payments that an address finds. */
export async function paymentList({ query, zone, scope, viewer, now }: ListRequest) {
  const wanted = readPaymentListQuery(query, zone);
  const filter = filterOf(wanted, scope);
  const page = await readPage(
    wanted,
    (requested) => listPayments(filter, requested),
    ({ payment }) => payment,
  );
  const offers = await offersOf(page.rows, viewer.role, now);
  return { ...page, rows: page.rows.map((listed, place) => rowOf(listed, offers[place])) };
}

/** The user's merchant overrides the one in the address. */
export const filterOf = ({ filter, merchantId }: PaymentListQuery, scope: string | null) => ({
  ...filter,
  merchantId: scope ?? merchantId,
});

/** The count stops here, because a higher number has no use and counting would scan the table. */
const countMax = 1000;

/** The number of payments that an address finds; `more` if the count stopped early. */
export async function paymentCount({ query, zone, scope }: DashboardRequest) {
  const count = await countPayments(filterOf(readPaymentListQuery(query, zone), scope), countMax);
  return { count: Math.min(count, countMax), more: count > countMax };
}

function rowOf({ payment, merchantName, mid }: ListedPayment, offer: Offer | undefined) {
  const { id, version, currency, orderNumber, description, payer } = payment;
  const { capture, refund } = offer?.actions ?? {};
  return {
    ...{ id, version, currency, orderNumber, description, merchantName, transId: payment.attemptId },
    amount: formatAmount(payment.amountMinor, currency),
    status: checkoutStatus[payment.state],
    remark: remarkOf(payment),
    method: methodLabel(payment),
    payer: payerName(payment),
    country: payer.country ?? null,
    /** The MID of the latest attempt. */
    midName: mid?.name ?? null,
    /** `Checkout, purchase`. */
    channel: `${protocolNames[payment.protocol]}, ${payment.operation}`,
    captured: formatAmount(payment.settledMinor, currency),
    refunded: formatAmount(payment.refundedMinor, currency),
    createdAt: payment.createdAt.toISOString(),
    settledAt: payment.settledAt?.toISOString() ?? null,
    /** The maximum amount that this user can capture or refund now; absent if none. */
    ...(capture && { capture: capture.most }),
    ...(refund && { refund: refund.most }),
  };
}

/** Secondary text beside the status: a decline's reason, or a refunded or captured part. */
function remarkOf({ state, reason, refundedMinor, settledMinor, amountMinor, currency }: Payment): string | null {
  if (state === 'declined') return reason;
  if (state !== 'settled') return null;
  if (refundedMinor > 0n) return `${amountText(refundedMinor, currency)} refunded`;
  return settledMinor < amountMinor ? `${amountText(settledMinor, currency)} captured` : null;
}
