// The actions of S2S APM that move money by themselves: SALE, DEBIT2VIRTUAL with its calculation, and the payouts
// CREDIT2VIRTUAL and CREDIT2CRYPTO (interface.md, S2S APM; protocol.md 6).
import { quote, readFeeOptions } from '../../core/commission';
import { wireDate } from '../../core/dates';
import { throwApiError } from '../../core/errors';
import type { Payment } from '../../core/payment';
import { findMethod } from '../../methods/catalog';
import type { ApmAction, Method } from '../../methods/method';
import { splitSecretParameters } from '../../methods/parameters';
import { supportsPayment } from '../../methods/payment-support';
import { createPayment, type PaymentInput, payDirect, payExisting, quoteOf, quoteParameters } from '../../payments';
import { type Eligibility, orderCandidates } from '../../routing';
import { sealParameters } from '../../vault';
import { type ActionContext, action, type KnownCaller, type Signature } from '../pipeline/handle';
import { checkReachable, checkReturnUrls } from '../shared/addresses';
import { type EligibleAccounts, eligibleAccounts } from '../shared/eligibility';
import { minorOf, orderInput, requiredPayerFieldsOf, withLanguage } from '../shared/s2s-order';
import { definedFields } from '../shared/wire-fields';
import { type ApmCharge, type ApmCredit, creditSchema, debitSchema, saleSchema } from './fields';
import { actionParameter, apmResponse, quoteFields } from './responses';

type Order = { order_id: string; order_amount: string; order_currency: string; hash: string };

/** Over the identifier and the order; the password is uppercased with the rest. */
function chargeSignature(input: Order & { identifier?: string }): Signature {
  const { identifier, order_id: orderId, order_amount: amount, order_currency: currency, hash } = input;
  return { recipe: 'apmSale', values: { identifier, orderId, amount, currency }, given: hash };
}

/** Over the order; the password stands behind it as it is. */
function creditSignature({
  order_id: orderId,
  order_amount: amount,
  order_currency: currency,
  hash,
}: Order): Signature {
  return { recipe: 'apmCredit', values: { orderId, amount, currency }, given: hash };
}

type ChargeTerms = { action: ApmAction; operation: 'purchase' | 'debit' | 'credit'; authorizeOnly: boolean };

/** The accounts that can carry a request, after the checks of shared/eligibility.ts; the brand's row has a say in them. */
async function eligibleFor(
  caller: KnownCaller,
  input: ApmCharge | ApmCredit,
  asked: ChargeTerms,
  now: Date,
): Promise<EligibleAccounts & { amountMinor: bigint; row: Method }> {
  const { brand, order_currency: currency } = input;
  if ('returnUrl' in input) checkReturnUrls(caller, { [returnUrlField(asked.action)]: input.returnUrl });
  const amountMinor = minorOf(input.order_amount, currency);
  const order = { operation: asked.operation, authorizeOnly: asked.authorizeOnly, currency };
  const found = await eligibleAccounts(caller, now, {
    ...order,
    amountMinor,
    methods: [brand],
    supports: (method) => method.actions.includes(asked.action) && supportsPayment(method, order),
    amountPath: 'order_amount',
  });
  const row = findMethod(brand) ?? throwApiError('methodNotFound');
  return { ...found, amountMinor, row };
}

/** What the action calls its return address. */
const returnUrlField = (action: ApmAction) => (action === 'SALE' ? 'return_url' : 'payer_return_url');

/** A payment as it begins; what must not be read of its parameters is sealed. */
async function paymentInput(
  name: string,
  input: ApmCharge | ApmCredit,
  asked: ChargeTerms,
  { amountMinor, row }: { amountMinor: bigint; row: Method },
): Promise<PaymentInput> {
  const network = input.crypto_network === undefined ? {} : { crypto_network: input.crypto_network };
  const who = input.identifier === undefined ? {} : { identifier: input.identifier };
  const { open, secret } = splitSecretParameters(row, { ...network, ...input.parameters });
  const order = orderInput(name, input.brand, { ...input, parameters: open }, amountMinor);
  const returnUrl = 'returnUrl' in input ? input.returnUrl : null;
  const target = 'return_url_target' in input ? input.return_url_target : undefined;
  return {
    ...order,
    operation: asked.operation,
    authorizeOnly: asked.authorizeOnly,
    recurringInit: false,
    requestToken: false,
    payer: { ...withLanguage(input), ...who },
    payee: 'payee' in input ? input.payee : {},
    parameters: {
      ...order.parameters,
      ...(await sealParameters(input.brand, secret)),
      ...actionParameter(asked.action),
    },
    scheduleId: null,
    scheduleStart: null,
    scheduleAmount: null,
    returnTo: { url: returnUrl, target: target ?? null },
  };
}

/** SALE. With `auth=Y` the money is held. */
export const sale = action<ApmCharge>({
  schema: (caller) => saleSchema(requiredPayerFieldsOf(caller)),
  signature: chargeSignature,
  run: async ({ caller, input, now }) => {
    const asked = { action: 'SALE', operation: 'purchase', authorizeOnly: input.authorizeOnly } as const;
    const found = await eligibleFor(caller, input, asked, now);
    if (input.callback_url) await checkReachable(input.callback_url, 'callback_url');
    const payment = await paymentInput('SALE', input, asked, found);
    return apmResponse(
      'SALE',
      await payDirect(caller, payment, { method: input.brand }, { eligibility: found.eligibility }, now),
    );
  },
});

/** What a debit's payment begins with: the total that the account it goes to asks for, and the quote beside it. */
async function quotedInput(
  name: string,
  { caller, input, now }: ActionContext<ApmCharge, undefined>,
): Promise<{ payment: PaymentInput; preferredMidId: string; eligibility: Eligibility }> {
  const asked = { action: 'DEBIT2VIRTUAL', operation: 'debit', authorizeOnly: false } as const;
  const found = await eligibleFor(caller, input, asked, now);
  if (input.callback_url) await checkReachable(input.callback_url, 'callback_url');
  const { amountMinor: orderMinor } = found;
  const { order_currency: currency } = input;
  const wanted = { operation: 'debit', authorizeOnly: false, currency, amountMinor: orderMinor } as const;
  const open = found.eligibility.candidates.filter(({ mid }) => found.mids.includes(mid));
  const [mid] = orderCandidates(open, caller.mapping, { ...wanted, method: input.brand }).mids;
  if (!mid) return throwApiError('mappingMissing');
  const fees = readFeeOptions(mid.feeOptions);
  const { commissionMinor, totalMinor } = quote({ minor: orderMinor, currency }, fees);
  const payment = await paymentInput(name, input, asked, { ...found, amountMinor: totalMinor });
  const kept = quoteParameters({ method: input.brand, orderMinor, commissionMinor, midId: mid.id });
  const quoted = { ...payment, parameters: { ...payment.parameters, ...kept } };
  return { payment: quoted, preferredMidId: mid.id, eligibility: found.eligibility };
}

/** DEBIT2VIRTUAL: the total is taken at once. */
export const debit = action<ApmCharge>({
  schema: (caller) => debitSchema(requiredPayerFieldsOf(caller)),
  signature: chargeSignature,
  run: async (accepted) => {
    const { caller, input, now } = accepted;
    const { payment, ...extras } = await quotedInput('DEBIT2VIRTUAL', accepted);
    const both = await payDirect(caller, payment, { method: input.brand }, extras, now);
    return apmResponse('DEBIT2VIRTUAL', both);
  },
});

/** DEBIT2VIRTUAL_CALC: the total is told and kept; nobody is asked for money before DEBIT2VIRTUAL_COMPLETE. */
export const debitCalculation = action<ApmCharge>({
  schema: (caller) => debitSchema(requiredPayerFieldsOf(caller)),
  signature: chargeSignature,
  run: async (accepted) => {
    const { caller, now } = accepted;
    const { payment: begin } = await quotedInput(calculationName, accepted);
    const { payment } = await createPayment(caller, begin, null, now);
    return calculationResponse(payment);
  },
});

const calculationName = 'DEBIT2VIRTUAL_CALC';
const completionName = 'DEBIT2VIRTUAL_COMPLETE';

function calculationResponse(payment: Payment): object {
  return definedFields({
    action: calculationName,
    result: 'SUCCESS',
    status: 'PREPARE',
    order_id: payment.orderNumber,
    trans_id: payment.id,
    trans_date: wireDate(payment.createdAt),
    currency: payment.currency,
    ...quoteFields(payment),
  });
}

/** A calculated debit is run once, under the id that its calculation has told; again, it is told the same. */
export async function completeDebit(caller: KnownCaller, payment: Payment, now: Date): Promise<object> {
  const kept = quoteOf(payment);
  if (!kept) throw new Error(`payment ${payment.id} was never calculated`);
  const extras = { preferredMidId: kept.midId, transactionId: payment.id };
  return apmResponse(completionName, await payExisting(caller, payment, { method: kept.method }, extras, now));
}

function credit(name: 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO') {
  const asked = { action: name, operation: 'credit', authorizeOnly: false } as const;
  return action<ApmCredit>({
    schema: creditSchema,
    signature: creditSignature,
    paysOut: () => true,
    run: async ({ caller, input, now }) => {
      const found = await eligibleFor(caller, input, asked, now);
      if (input.callback_url) await checkReachable(input.callback_url, 'callback_url');
      const payment = await paymentInput(name, input, asked, found);
      return apmResponse(
        name,
        await payDirect(caller, payment, { method: input.brand }, { eligibility: found.eligibility }, now),
      );
    },
  });
}

/** CREDIT2VIRTUAL: a payout to an account, a wallet, a phone. */
export const creditVirtual = credit('CREDIT2VIRTUAL');

/** CREDIT2CRYPTO: a payout in coins. */
export const creditCrypto = credit('CREDIT2CRYPTO');
