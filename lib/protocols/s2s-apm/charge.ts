// The S2S APM actions that create payments: SALE, DEBIT2VIRTUAL with its calculation, and the payouts CREDIT2VIRTUAL
// and CREDIT2CRYPTO (interface.md, S2S APM; protocol.md 6).
import { quote, readFeeOptions } from '../../core/commission.ts';
import { wireDate } from '../../core/dates.ts';
import { throwApiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Payment } from '../../core/payment.ts';
import { findMethod } from '../../methods/catalog.ts';
import type { ApmAction, Method } from '../../methods/method.ts';
import { splitSecretParameters } from '../../methods/parameters.ts';
import { supportsPayment } from '../../methods/payment-support.ts';
import { createPayment, findPayment, type PaymentInput, payDirect, payExisting } from '../../payments/index.ts';
import { type Eligibility, orderCandidates } from '../../routing/index.ts';
import { sealParameters } from '../../vault/index.ts';
import { type ActionContext, action, type KnownCaller, type Signature } from '../pipeline/handle.ts';
import { minorOf } from '../shared/fields.ts';
import { checkReachable, checkReturnUrls, type EligibleAccounts, eligibleAccounts } from '../shared/request-checks.ts';
import { orderInput, requiredPayerFieldsOf, withLanguage } from '../shared/s2s-requests.ts';
import { definedFields } from '../shared/wire-fields.ts';
import { type ApmCharge, type ApmCredit, creditSchema, debitSchema, saleSchema } from './fields.ts';
import { actionParameter, apmResponse, quoteFields, quoteOf, quoteParameters } from './responses.ts';

type Order = { order_id: string; order_amount: string; order_currency: string; hash: string };

/** Covers the identifier and the order; the password is uppercased with the other values. */
function chargeSignature(input: Order & { identifier?: string }): Signature {
  const { identifier, order_id: orderId, order_amount: amount, order_currency: currency, hash } = input;
  return { recipe: 'apmSale', values: { identifier, orderId, amount, currency }, hash };
}

/** Covers the order; the password is appended unchanged. */
function creditSignature(input: Order): Signature {
  const { order_id: orderId, order_amount: amount, order_currency: currency, hash } = input;
  return { recipe: 'apmCredit', values: { orderId, amount, currency }, hash };
}

type ChargeTerms = { action: ApmAction; operation: 'purchase' | 'debit' | 'credit'; authorizeOnly?: boolean };

/** Finds the eligible accounts of a request; the brand's catalogue row must support the action. */
async function eligibleFor(
  caller: KnownCaller,
  input: ApmCharge | ApmCredit,
  terms: ChargeTerms,
  now: Date,
  name: string = terms.action,
): Promise<EligibleAccounts & { amountMinor: bigint; row: Method }> {
  const { brand, order_currency: currency } = input;
  if ('returnUrl' in input) checkReturnUrls(caller, { [returnUrlField(terms.action)]: input.returnUrl });
  const amountMinor = minorOf(input.order_amount, currency);
  const order = { operation: terms.operation, authorizeOnly: terms.authorizeOnly, currency };
  const eligible = await eligibleAccounts(caller, now, {
    ...order,
    amountMinor,
    request: orderInput(name, brand, input, amountMinor),
    methods: [brand],
    supports: (method) => method.actions.includes(terms.action) && supportsPayment(method, order),
    amountPath: 'order_amount',
  });
  const row = findMethod(brand) ?? throwApiError('methodNotFound');
  return { ...eligible, amountMinor, row };
}

/** The field of the action's return URL. */
const returnUrlField = (action: ApmAction) => (action === 'SALE' ? 'return_url' : 'payer_return_url');

/** Builds the payment of a request. Secret parameters are encrypted. */
async function paymentInput(
  merchantId: string,
  name: string,
  input: ApmCharge | ApmCredit,
  terms: ChargeTerms,
  { amountMinor, row }: { amountMinor: bigint; row: Method },
): Promise<PaymentInput> {
  const network = input.crypto_network === undefined ? {} : { crypto_network: input.crypto_network };
  const identified = input.identifier === undefined ? {} : { identifier: input.identifier };
  const { open, secret } = splitSecretParameters(row, { ...network, ...input.parameters });
  const order = orderInput(name, input.brand, { ...input, parameters: open }, amountMinor);
  const returnUrl = 'returnUrl' in input ? input.returnUrl : null;
  const target = 'return_url_target' in input ? input.return_url_target : undefined;
  const id = newId();
  return {
    ...order,
    id,
    operation: terms.operation,
    authorizeOnly: terms.authorizeOnly,
    payer: { ...withLanguage(input), ...identified },
    payee: 'payee' in input ? input.payee : undefined,
    parameters: {
      ...order.parameters,
      ...(await sealParameters({ id, merchantId }, input.brand, secret)),
      ...actionParameter(terms.action),
    },
    returnTo: { url: returnUrl, target: target ?? null },
  };
}

/** Carries out a SALE or a payout: its payment with the first attempt. */
async function payAtOnce(
  { caller, input, now }: ActionContext<ApmCharge | ApmCredit, undefined>,
  terms: ChargeTerms,
): Promise<object> {
  const eligible = await eligibleFor(caller, input, terms, now);
  await checkReachable(input.callback_url, 'callback_url');
  const payment = await paymentInput(caller.merchant.id, terms.action, input, terms, eligible);
  const { eligibility } = eligible;
  return apmResponse(terms.action, await payDirect(caller, payment, { method: input.brand }, { eligibility }, now));
}

/** Builds a debit's payment with the quote of the account that it goes to: commission and total. */
async function quotedInput(
  name: string,
  { caller, input, now }: ActionContext<ApmCharge, undefined>,
): Promise<{ payment: PaymentInput; preferredMidId: string; eligibility: Eligibility }> {
  const requirements = { action: 'DEBIT2VIRTUAL', operation: 'debit' } as const;
  const found = await eligibleFor(caller, input, requirements, now, name);
  await checkReachable(input.callback_url, 'callback_url');
  const { amountMinor: orderMinor } = found;
  const { order_currency: currency } = input;
  const wanted = { operation: 'debit', currency, amountMinor: orderMinor } as const;
  const open = found.eligibility.candidates.filter(({ mid }) => found.mids.includes(mid));
  const [mid] = orderCandidates(open, caller.mapping, { ...wanted, method: input.brand }).mids;
  if (!mid) return throwApiError('mappingMissing');
  const fees = readFeeOptions(mid.feeOptions);
  const { commissionMinor, totalMinor } = quote({ minor: orderMinor, currency }, fees);
  const payment = await paymentInput(caller.merchant.id, name, input, requirements, {
    ...found,
    amountMinor: totalMinor,
  });
  const quotedParameters = quoteParameters({ method: input.brand, orderMinor, commissionMinor, midId: mid.id });
  const quoted = { ...payment, parameters: { ...payment.parameters, ...quotedParameters } };
  return { payment: quoted, preferredMidId: mid.id, eligibility: found.eligibility };
}

function calculationResponse(payment: Payment): object {
  return definedFields({
    action: 'DEBIT2VIRTUAL_CALC',
    result: 'SUCCESS',
    status: 'PREPARE',
    order_id: payment.orderNumber,
    trans_id: payment.id,
    trans_date: wireDate(payment.createdAt),
    currency: payment.currency,
    ...quoteFields(payment),
  });
}

/** Finds a merchant's calculated debit, collected or not, by the payment's id. */
export async function byCalculation(
  { merchant }: KnownCaller,
  { trans_id: id }: { trans_id: string },
  find: (id: string, merchantId: string) => Promise<Payment | null> = findPayment,
) {
  const payment = await find(id, merchant.id);
  return payment?.protocol === 's2s_apm' && quoteOf(payment) ? payment : null;
}

/** DEBIT2VIRTUAL_COMPLETE: collects a calculated debit once, under the id of its calculation. */
export async function completeDebit({ caller, subject, now }: ActionContext<unknown, Payment>): Promise<object> {
  const stored = quoteOf(subject);
  if (!stored) throw new Error(`payment ${subject.id} was never calculated`);
  const extras = { preferredMidId: stored.midId, transactionId: subject.id };
  const result = await payExisting(caller, subject, { method: stored.method }, extras, now);
  return apmResponse('DEBIT2VIRTUAL_COMPLETE', result);
}

/** A payout to an account, a wallet or a phone, or in a cryptocurrency. */
const credit = (name: 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO') =>
  action<ApmCredit>({
    schema: creditSchema,
    signature: creditSignature,
    paysOut: () => true,
    run: (context) => payAtOnce(context, { action: name, operation: 'credit' }),
  });

/** The actions that create payments, by name. */
export const chargeActions = {
  // With `auth=Y` it is an authorisation.
  SALE: action<ApmCharge>({
    schema: (caller) => saleSchema(requiredPayerFieldsOf(caller)),
    signature: chargeSignature,
    run: (context) => {
      const { authorizeOnly } = context.input;
      return payAtOnce(context, { action: 'SALE', operation: 'purchase', authorizeOnly });
    },
  }),
  CREDIT2VIRTUAL: credit('CREDIT2VIRTUAL'),
  CREDIT2CRYPTO: credit('CREDIT2CRYPTO'),
  // Collects the total.
  DEBIT2VIRTUAL: action<ApmCharge>({
    schema: (caller) => debitSchema(requiredPayerFieldsOf(caller)),
    signature: chargeSignature,
    run: async (context) => {
      const { caller, input, now } = context;
      const { payment, ...extras } = await quotedInput('DEBIT2VIRTUAL', context);
      const both = await payDirect(caller, payment, { method: input.brand }, extras, now);
      return apmResponse('DEBIT2VIRTUAL', both);
    },
  }),
  // Returns and stores the total; DEBIT2VIRTUAL_COMPLETE collects it.
  DEBIT2VIRTUAL_CALC: action<ApmCharge>({
    schema: (caller) => debitSchema(requiredPayerFieldsOf(caller)),
    signature: chargeSignature,
    run: async (context) => {
      const { caller, now } = context;
      const { payment: newPayment } = await quotedInput('DEBIT2VIRTUAL_CALC', context);
      const { payment } = await createPayment(caller, newPayment, null, now);
      return calculationResponse(payment);
    },
  }),
} as const;
