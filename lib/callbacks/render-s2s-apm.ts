// The S2S APM parts of a callback: additional fields and the three signature formulas (protocol.md 1 and 7). The
// reported action is stored with the payment, because payouts of two actions can use one method.

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

/** The fields in addition to those of every form protocol. `action` is the reported action. */
export function apmFields(action: string, { callback, payment, movement }: ApmSubject): FormFields {
  // A modification has its own amount and no instructions for the payer.
  if (action !== actionOf(payment) || !movement) return {};
  // Decided by the callback: the payment may have changed since.
  const isOpen = callback.type === 'init' || callback.type === 'redirect';
  return { ...quoteFields(payment), ...apmDetailFields(payment, movement, isOpen) };
}

/** The signature of a callback with these fields: payouts and cryptocurrency sales have their own formulas. */
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
