/** The list of payouts to a payee (credit) and transfers from card to card; each row links to its payment. */

import { type PaymentRow, paymentColumns, toPayment } from '../../payments/index.ts';
import { fullName } from '../../protocols/index.ts';
import { methodLabel, methodText } from '../labels.ts';
import { amount, created, merchant, order, status } from '../lists/columns.ts';
import { choice, currency, days, optionsOf } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { paymentLine, statusFilter } from '../lists/rows.ts';
import { samples } from '../lists/samples.ts';

const operations = { credit: 'Payout', transfer: 'Card to card' };

/** The list of payments with the operation credit or transfer. */
export const payouts = resource({
  name: 'payouts',
  title: 'Payouts',
  nouns: ['payout', 'payouts'],
  search: 'Payment, order, last four',
  filters: [
    statusFilter(['prepare', 'pending', 'settled', 'declined']),
    days('Created'),
    choice('operation', 'Kind', optionsOf(operations), (value, add) => `p.operation = ${add(value)}::"Operation"`),
    currency('p.currency'),
  ],
  views: [
    ['In progress', 'state=pending,prepare'],
    ['Declined', 'state=decline'],
  ],
  columns: [
    ...[amount, status, order],
    { id: 'operation', head: 'Kind', labels: operations, hideOnPhone: true },
    { id: 'to', head: 'To' },
    { id: 'payee', head: 'Payee', hideOnPhone: true, hideBelow: 'lg' },
    ...[merchant, created()],
  ],
  href: '/dashboard/payments/{id}',
  rowName: 'Payout {orderNumber}',
  empty: {
    title: 'No payouts yet',
    texts: [
      'A payout sends money to a cardholder: a refund of a deposit, winnings, a wage. A transfer moves money from card to card.',
    ],
    steps: ['A MID supports payouts', 'Your server sends CREDIT2CARD', 'The callback reports the settlement'],
    sample: ['Pay out to a card', samples.payout],
  },
  source: {
    columns: `${paymentColumns}, m.name as "merchantName"`,
    from: 'payments p join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id',
    at: 'p.created_at',
    id: 'p.id',
    merchant: 'p.merchant_id',
    // The same condition as the index, otherwise the planner does not use it.
    only: `p.operation = any (array['credit'::"Operation", 'transfer'::"Operation"])`,
  },
  toRow(row: PaymentRow & { merchantName: string }) {
    const payment = toPayment(row);
    return {
      ...paymentLine(payment),
      operation: payment.operation,
      /** The card or method of the recipient: for a transfer the payee's card, for a payout the stored one. */
      to: payment.operation === 'transfer' ? (payment.payee.card ?? null) : methodText(methodLabel(payment)),
      payee: fullName(payment.payee) || payment.payee.email || null,
      merchantName: row.merchantName,
    };
  },
});
