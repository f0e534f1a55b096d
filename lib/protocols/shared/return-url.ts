// Return URLs: the merchant's URL with signed query parameters (interface.md, Events 7; protocol.md 3).

import type { Payment } from '../../core/payment.ts';
import { sign } from '../../core/signatures.ts';
import type { Caller, Mapping } from '../../merchants/index.ts';
import { paymentMethod } from './wire-fields.ts';

type ReturnSettings = Pick<Mapping, 'digest' | 'uppercase' | 'redirectParameters'>;

/**
 * Appends payment_id, trans_id (if there was an attempt), order_id and hash to `url`, and payment_method and brand if
 * the mapping option is on. The merchant's text is not changed; a fragment stays at the end.
 */
export function signedReturnUrl(
  url: string,
  payment: Payment,
  caller: Pick<Caller, 'key'> & { mapping: ReturnSettings },
): string {
  const query = new URLSearchParams(returnFields(payment, caller)).toString();
  const [, base = url, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const separator = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?';
  return `${base}${separator}${query}${fragment}`;
}

/** Returns the parameters as fields, in their order. */
export function returnFields(
  payment: Payment,
  { key, mapping }: Pick<Caller, 'key'> & { mapping: ReturnSettings },
): Record<string, string> {
  const values = {
    password: key.password,
    paymentId: payment.id,
    orderId: payment.orderNumber,
    amount: payment.orderAmount,
    currency: payment.currency,
    description: payment.description,
  };
  const fields: Record<string, string> = { payment_id: payment.id };
  if (payment.attemptId) fields.trans_id = payment.attemptId;
  fields.order_id = payment.orderNumber;
  fields.hash = sign('checkoutCallback', values, mapping);
  if (!mapping.redirectParameters) return fields;
  const method = paymentMethod(payment);
  if (method) fields.payment_method = method;
  if (payment.card?.brand) fields.brand = payment.card.brand;
  return fields;
}
