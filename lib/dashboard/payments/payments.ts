/** The payments list: rows, filters, and columns, of which users choose those between amount and time. */

import { formatAmount } from '../../core/money.ts';
import type { Payment } from '../../core/payment.ts';
import { pick } from '../../core/pick.ts';
import { statement, unprepared } from '../../db/index.ts';
import { checkoutStatus } from '../../protocols/index.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { amountText, methodLabel, methodName, protocolNames } from '../labels.ts';
import { amount, created } from '../lists/columns.ts';
import type { ColumnDef } from '../lists/description.ts';
import { namedOptions } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { payerName } from '../lists/rows.ts';
import { merchantChoices } from '../merchants/choices.ts';
import { type Offer, offersOf } from './allowed-actions.ts';
import { findArchived } from './archived.ts';
import { filters, readPaymentFilter } from './list-filter.ts';
import { countPayments, type ListedPayment, listPayments } from './queries.ts';

/** The count stops here, because a higher number has no use and counting would scan the table. */
const countMax = 1000;

/** The number of payments that an address finds; `more` if the count stopped early. */
export async function paymentCount(request: DashboardRequest) {
  const count = await countPayments(readPaymentFilter(request), countMax);
  return { count: Math.min(count, countMax), more: count > countMax };
}

/** A payment in the list, with what this user may do with it. */
export function paymentRow({ payment, merchantName, mid, offer }: ListedPayment & { offer: Offer | undefined }) {
  const { currency } = payment;
  const { capture, refund } = offer?.actions ?? {};
  return {
    ...pick(payment, 'id', 'version', 'currency', 'orderNumber', 'description', 'createdAt', 'settledAt'),
    merchantName,
    transId: payment.attemptId,
    amount: formatAmount(payment.amountMinor, currency),
    status: checkoutStatus[payment.state],
    remark: remarkOf(payment),
    method: methodLabel(payment),
    payer: payerName(payment),
    country: payment.payer.country ?? null,
    midName: mid?.name ?? null,
    /** `Checkout, purchase`. */
    channel: `${protocolNames[payment.protocol]}, ${payment.operation}`,
    captured: formatAmount(payment.settledMinor, currency),
    refunded: formatAmount(payment.refundedMinor, currency),
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

/** A column that is shown only if a user chooses it: it stays longer in a narrow window than the default ones. */
const extra = (column: ColumnDef): ColumnDef => ({ hideOnPhone: true, ...column });

/** The list of payments. Its filters are also those of the export and of saved views. */
export const payments = resource({
  name: 'payments',
  title: 'Payments',
  nouns: ['payment', 'payments'],
  search: 'Payment, order, email, card last four, token',
  filters,
  choices,
  views: [
    ['Needs attention', 'attention=yes'],
    ['Pending', 'state=pending'],
    ['Declined', 'state=decline'],
    ['Refunded', 'state=refund'],
  ],
  columns: [
    { ...amount, width: 144 },
    { id: 'status', head: 'Status', kind: 'payment', width: 176 },
    { id: 'order', field: 'orderNumber', head: 'Order', width: 124, mono: true },
    { id: 'method', head: 'Method', kind: 'method', width: 168, hideBelow: 'lg', hideOnPhone: true },
    { id: 'payer', head: 'Payer' },
    { id: 'merchant', field: 'merchantName', head: 'Merchant', width: 116, hideBelow: 'lg', hideOnPhone: true },
    { id: 'mid', field: 'midName', head: 'MID', width: 116, hideBelow: 'lg', hideOnPhone: true },
    extra({ id: 'channel', head: 'Channel', width: 150 }),
    extra({ id: 'description', head: 'Description' }),
    extra({ id: 'captured', head: 'Captured', width: 104, align: 'end' }),
    extra({ id: 'refunded', head: 'Refunded', width: 104, align: 'end' }),
    extra({ id: 'country', head: 'Country', width: 72 }),
    extra({ id: 'payment_id', field: 'id', head: 'payment_id', width: '14%', mono: true }),
    extra({ id: 'trans_id', field: 'transId', head: 'trans_id', width: '14%', mono: true }),
    extra({ id: 'settled', field: 'settledAt', head: 'Settled', kind: 'time', width: 140, align: 'end' }),
    { ...created(), id: 'created', field: 'createdAt', width: 136 },
  ],
  href: '/dashboard/payments/{id}',
  rowName: '{amount} {currency}, order {orderNumber}',
  empty: {
    title: 'No payments yet',
    texts: ['A payment appears here seconds after your server creates a session.'],
    shop: true,
  },
  async source(_filter, page, request) {
    const { rows, more } = await listPayments(readPaymentFilter(request), page);
    const offers = await offersOf(rows, request.viewer.role, request.now);
    return { rows: rows.map((listed, at) => ({ ...listed, offer: offers[at] })), more };
  },
  placeOf: ({ payment }) => payment,
  toRow: paymentRow,
  archived: findArchived,
});

async function choices({ scope }: PageContext) {
  const { merchants, mids, methods, currencies } = await paymentChoices(scope);
  const many = new Set(mids.map(({ merchantName }) => merchantName)).size > 1;
  return {
    merchant: merchants.length > 1 ? namedOptions(merchants) : [],
    mid: mids.map(({ id, name, merchantName }) => ({ value: id, label: many ? `${name}, ${merchantName}` : name })),
    method: namedOptions(methods),
    currency: currencies.map((code) => ({ value: code, label: code })),
  };
}

const wallets = [
  { id: 'applepay', name: 'Apple Pay' },
  { id: 'googlepay', name: 'Google Pay' },
];

type MidRow = { id: string; name: string; merchantName: string; methods: string[] };

const readMids = statement<{ scope: string | null }, MidRow>(
  'choices-mids',
  `select i.id, i.name, m.name as "merchantName", i.methods from mids i join merchants m on m.id = i.merchant_id
    where :scope::uuid is null or i.merchant_id = :scope order by lower(i.name), lower(m.name), i.id`,
);

/** The choices among the payments of `scope`, or of every merchant. */
export async function paymentChoices(scope: string | null) {
  const [merchants, mids, found] = await Promise.all([
    scope === null ? merchantChoices(scope) : [],
    readMids({ scope }),
    readCurrencies({ scope }),
  ]);
  const methods = [...new Set(mids.flatMap((mid) => mid.methods))].sort();
  const named = methods.map((id) => ({ id, name: methodName(id) }));
  return {
    merchants,
    currencies: found.map(({ currency }) => currency),
    mids: mids.map(({ methods: _methods, ...mid }) => mid),
    methods: [...named, ...wallets.filter(({ id }) => !methods.includes(id))],
  };
}

// Steps from one currency to the next in the index, without reading the payments between.
const readCurrencies = unprepared<{ scope: string | null }, { currency: string }>(
  `select distinct found.currency from merchants m cross join lateral (
       with recursive each(currency) as (
         select min(currency) from payments where merchant_id = m.id
         union all
         select (select min(p.currency) from payments p where p.merchant_id = m.id and p.currency > each.currency)
           from each where each.currency is not null
       )
       select currency from each where currency is not null
     ) found where :scope::uuid is null or m.id = :scope order by found.currency`,
);
