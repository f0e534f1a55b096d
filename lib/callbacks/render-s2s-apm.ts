// What a callback of S2S APM has of its own: what is told besides, and the three forms of its signature (protocol.md 1 and
// 7). The action it reports stands with the payment, because payouts of two actions can go by one method.

import type { Payment } from '../core/payment';
import type { CallbackSignature, SignedFields } from '../core/signatures';
import type { FormFields } from '../http';
import {
  actionOf,
  apmDetailFields,
  type FieldSource,
  isCryptoPayment,
  type KnownCaller,
  quoteFields,
} from '../protocols';
import type { DueCallback } from './queue';

type ApmSubject = FieldSource & { caller: KnownCaller; callback: DueCallback };

/** The fields besides those of every form protocol. `action` is the one that is reported. */
export function apmFields(action: string, { callback, payment, movement }: ApmSubject): FormFields {
  // A follow-up has an amount of its own, and nothing that the payer is shown.
  if (action !== actionOf(payment) || !movement) return {};
  // By what is reported: the payment may have gone on since.
  const isOpen = callback.type === 'init' || callback.type === 'redirect';
  return { ...quoteFields(payment), ...apmDetailFields(payment, movement, isOpen) };
}

/** The signature of a callback with these fields: payouts and sales in coins have forms of their own. */
export function apmCallbackSignature(fields: FormFields, payment: Payment): CallbackSignature {
  const begins = fields.action === actionOf(payment);
  const transId = fields.trans_id as string;
  if (begins && payment.operation === 'credit') {
    const values = { transId, orderId: fields.order_id as string, status: fields.status as string };
    return { recipe: 'apmCreditCallback', values };
  }
  if (begins && fields.action === 'SALE' && isCryptoPayment(payment)) {
    return { recipe: 'apmCryptoCallback', values: { payerEmail: payment.payer.email, transId } };
  }
  return { recipe: 'apmCallback', values: { fields: fields as SignedFields } };
}
