/** The list of chargebacks, each with its payment, to which its row links. */
import { formatAmount } from '../../core/money.ts';
import {
  type PaymentRow,
  paymentColumns,
  type TransactionRow,
  toPayment,
  toTransaction,
  transactionColumns,
} from '../../payments/index.ts';
import { methodLabel, moneyText } from '../labels.ts';
import { amount, created, merchant, order, payer } from '../lists/columns.ts';
import { currency, days, text } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { payerName } from '../lists/rows.ts';

/** The list of chargebacks; a row links to the payment that has it. */
export const chargebacks = resource({
  name: 'chargebacks',
  title: 'Chargebacks',
  nouns: ['chargeback', 'chargebacks'],
  search: 'Payment, order, email, last four',
  filters: [
    days('Chargeback date', 'taken'),
    text(
      'reason',
      'Reason code',
      /^[\w.-]{1,32}$/,
      (value, add) => `t.facts #>> '{extended,reason_code}' = ${add(value)}::text`,
    ),
    currency('t.currency'),
  ],
  columns: [
    amount,
    { id: 'reason', head: 'Reason', kind: 'chargeback', width: '26%' },
    order,
    { id: 'method', head: 'Method', kind: 'method' },
    payer,
    {
      id: 'ofAmount',
      head: 'Payment amount',
      none: 'full amount',
      align: 'end',
      width: 140,
      hideOnPhone: true,
      hideBelow: 'lg',
    },
    ...[merchant, created('Chargeback date')],
  ],
  href: '/dashboard/payments/{paymentId}',
  rowName: 'Chargeback of {orderNumber}',
  empty: {
    title: 'No chargebacks',
    texts: [
      "If a payer's bank takes money back, the chargeback appears here with the bank's reason, and your server gets a callback with the status `CHARGEBACK`.",
    ],
    sandboxSteps: [
      'Pay for something by card',
      "Open the payment's page at the sandbox provider and raise a chargeback",
      'It appears here, and its callback has the status CHARGEBACK',
    ],
    shop: true,
  },
  source: {
    columns: `${paymentColumns}, ${transactionColumns}, m.name as "merchantName"`,
    from: `transactions t join payments p on p.id = t.payment_id join merchants m on m.id = p.merchant_id
      left join cards k on k.id = p.card_id`,
    at: 't.created_at',
    id: 't.id',
    merchant: 'p.merchant_id',
    // The same condition as the index, otherwise the planner does not use it.
    only: `t.kind = 'chargeback'::"TransactionKind"`,
  },
  toRow(row: PaymentRow & TransactionRow & { merchantName: string }) {
    const payment = toPayment(row);
    const { id, amountMinor, currency: code, createdAt, providerData } = toTransaction(row);
    const reasonCode = providerData.extended?.reason_code ?? null;
    return {
      id,
      createdAt,
      currency: code,
      amount: formatAmount(amountMinor, code),
      /** The settled amount, if the bank took back less. */
      ofAmount: amountMinor < payment.settledMinor ? moneyText(payment.settledMinor, payment.currency) : null,
      reasonCode,
      reason: reasonCode && reasonCodeText(reasonCode),
      orderNumber: payment.orderNumber,
      paymentId: payment.id,
      method: methodLabel(payment),
      payer: payerName(payment),
      merchantName: row.merchantName,
    };
  },
});

/** Short descriptions of the schemes' common chargeback reason codes. An unknown code is shown as it is. */
const reasonCodeTexts: Readonly<Record<string, string>> = {
  '10.1': 'EMV liability shift: counterfeit fraud',
  '10.2': 'EMV liability shift: non-counterfeit fraud',
  '10.3': 'Other fraud: card present',
  '10.4': 'Other fraud: card absent',
  '10.5': 'Fraud monitoring programme',
  '11.1': 'Card recovery bulletin',
  '11.2': 'Declined authorisation',
  '11.3': 'No authorisation',
  '12.1': 'Late presentment',
  '12.2': 'Incorrect transaction code',
  '12.3': 'Incorrect currency',
  '12.4': 'Incorrect account number',
  '12.5': 'Incorrect amount',
  '12.6': 'Duplicate processing or paid by other means',
  '12.7': 'Invalid data',
  '13.1': 'Merchandise or services not received',
  '13.2': 'Cancelled recurring transaction',
  '13.3': 'Not as described',
  '13.4': 'Counterfeit merchandise',
  '13.5': 'Misrepresentation',
  '13.6': 'Credit not processed',
  '13.7': 'Cancelled merchandise or services',
  '13.8': 'Original credit not accepted',
  '13.9': 'Cash not received',
  '4808': 'No authorisation',
  '4834': 'Point-of-interaction error',
  '4837': 'No cardholder authorisation',
  '4849': 'Questionable merchant activity',
  '4853': 'Cardholder dispute',
  '4870': 'Chip liability shift',
};

/** The description of a code; null if it has none. */
export function reasonCodeText(code: string): string | null {
  return reasonCodeTexts[code] ?? null;
}
