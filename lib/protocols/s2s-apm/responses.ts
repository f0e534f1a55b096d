// Builds the response fields of S2S APM in addition to those of both form protocols: the redirect of the payer, or the
// data that the merchant shows, because S2S has no payment page (interface.md, S2S APM; protocol.md 6).
import { checkoutBaseUrl } from '../../config/index.ts';
import { formatAmount } from '../../core/money.ts';
import type { Payment, PaymentWithTransaction, Transaction } from '../../core/payment.ts';
import type { StoredPresentation } from '../../core/presentation.ts';
import type { FormFields } from '../../http/index.ts';
import { findMethod } from '../../methods/catalog.ts';
import type { ApmAction } from '../../methods/method.ts';
import { qrPng } from '../../methods/qr.ts';
import { withWholePresentation } from '../../vault/index.ts';
import { chargeResponse } from '../shared/s2s-responses.ts';
import { definedFields } from '../shared/wire-fields.ts';
import { isCrypto } from './fields.ts';

// No method has this name, so that the member is never sent to a provider.
const actionKey = 'apm:action';

/** The member of a payment's parameters that stores the action that created it. */
export function actionParameter(action: ApmAction): { [name: string]: string } {
  return { [actionKey]: action };
}

/** Returns the action that created a payment; DEBIT2VIRTUAL for a calculated debit. */
export function actionOf({ parameters }: Pick<Payment, 'parameters'>): ApmAction {
  return parameters[actionKey] as ApmAction;
}

/** The response to SALE, DEBIT2VIRTUAL and the payouts. */
export async function apmResponse(action: string, result: PaymentWithTransaction): Promise<object> {
  const { payment } = result;
  const transaction = await withWholePresentation(result.transaction);
  return {
    ...chargeResponse(action, result, false),
    ...quoteFields(payment),
    ...apmDetailFields(payment, transaction, transaction.status === 'waiting'),
    ...(await qrPicture(transaction)),
  };
}

/** `commission` and `total_amount` of a debit; its `amount` is that of the order. */
export function quoteFields(payment: Payment): FormFields {
  const quote = quoteOf(payment);
  if (!quote) return {};
  const { currency, amountMinor } = payment;
  return {
    amount: formatAmount(quote.orderMinor, currency),
    commission: formatAmount(quote.commissionMinor, currency),
    total_amount: formatAmount(amountMinor, currency),
  };
}

/**
 * Fields of responses and callbacks in addition to the outcome: the address of a cryptocurrency payment, and with
 * `isOpen` the data that the payer needs to complete it. Names that protocol.md does not define are Florin's own.
 */
export function apmDetailFields(payment: Payment, transaction: Transaction, isOpen: boolean): FormFields {
  const { present: shown, extended } = transaction.providerData;
  const open = isOpen ? shown : undefined;
  return definedFields({
    crypto_address: shown?.kind === 'crypto' ? shown.address : undefined,
    crypto_network: networkOf(payment, transaction),
    ...(open && presentationFields(open, payment)),
    expires_at: open?.expiresAt,
    auth_method: extended?.auth_method,
    message: extended?.message,
  });
}

function presentationFields(shown: StoredPresentation, payment: Payment): FormFields {
  switch (shown.kind) {
    case 'app':
      return { redirect_url: shown.url, redirect_method: 'GET', redirect_params: {} };
    case 'qr':
      return { redirect_params: { qr_payload: shown.payload } };
    case 'crypto':
      return { crypto_currency: shown.currency, crypto_amount: shown.amount, crypto_memo: shown.memo };
    case 'details': {
      const rows = Object.fromEntries(shown.rows.map(({ name, value }) => [name, value]));
      const { barcode, symbology } = shown;
      const code = { ...(barcode !== undefined && { barcode }), ...(symbology && { barcode_symbology: symbology }) };
      return { payment_data: { ...rows, ...code } };
    }
    case 'message':
      return { sent_to: shown.channel === 'email' ? payment.payer.email : payment.payer.phone };
    case 'confirm':
      return { sent_to: shown.sentTo };
    case 'code':
      // Only the payer knows the code and enters it on Florin's page.
      return {
        sent_to: shown.sentTo,
        redirect_url: `${checkoutBaseUrl()}/return/${payment.attemptId}`,
        redirect_method: 'GET',
      };
  }
}

/** The QR code as a Base64 image for the merchant to show. Callbacks do not contain it. */
async function qrPicture({ status, providerData }: Transaction): Promise<FormFields> {
  if (status !== 'waiting' || providerData.present?.kind !== 'qr') return {};
  const { payload } = providerData.present;
  return { redirect_params: { qr_code: (await qrPng(payload)).toString('base64'), qr_payload: payload } };
}

/** The network that the provider has chosen, else that of the request. */
export function networkOf(
  payment: Payment,
  { providerData: { present: shown, extended } }: Transaction,
): string | undefined {
  if (shown?.kind === 'crypto') return shown.network;
  if (extended?.crypto_network !== undefined) return extended.crypto_network;
  const id = payment.method;
  const stored = id === null ? undefined : (payment.parameters[id] as { crypto_network?: string } | undefined);
  return stored?.crypto_network;
}

/** Reports whether a payment is in a cryptocurrency; its callbacks have a signature formula of their own. */
export function isCryptoPayment({ method }: Payment): boolean {
  return method !== null && isCrypto(findMethod(method));
}

/** The method, the order's amount and the commission in minor units, and the account of the payment. */
export type StoredQuote = { method: string; orderMinor: bigint; commissionMinor: bigint; midId: string };

// No method has such a name, so that the quote is never sent to a provider.
const quoteKey = 'commission:quoted';

/** The member of a payment's parameters that holds the quote. */
export function quoteParameters({ method, orderMinor, commissionMinor, midId }: StoredQuote): Record<string, unknown> {
  return { [quoteKey]: { method, order: String(orderMinor), commission: String(commissionMinor), midId } };
}

/** The quote of a payment; null for one that has none. */
export function quoteOf({ parameters }: Pick<Payment, 'parameters'>): StoredQuote | null {
  const stored = parameters[quoteKey] as
    | { method: string; order: string; commission: string; midId: string }
    | undefined;
  if (!stored) return null;
  const { method, order, commission, midId } = stored;
  return { method, orderMinor: BigInt(order), commissionMinor: BigInt(commission), midId };
}
