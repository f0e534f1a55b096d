// The S2S CARD actions that create payments: SALE, DEBIT, CARD2CARD, CREDIT2CARD and the subsequent charges
// RECURRING_SALE and RECURRING_DEBIT (interface.md, S2S CARD; protocol.md 5).
import { fragmentOf } from '../../core/cards.ts';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { CredentialOnFile, Operation, PaymentWithTransaction } from '../../core/payment.ts';
import type { HttpRequest } from '../../http/index.ts';
import { acceptsDecryptedCards, type DecryptedToken, decryptToken, type Mid } from '../../merchants/index.ts';
import {
  type CardInstrument,
  type Chain,
  findChain,
  type PaymentInput,
  payDirect,
  paySubsequent,
} from '../../payments/index.ts';
import { claimWalletToken } from '../../risk/index.ts';
import { sealParameters } from '../../vault/index.ts';
import { type ActionContext, action, type KnownCaller, type Signature } from '../pipeline/handle.ts';
import { minorOf, positiveMinorOf, withoutUndefined } from '../shared/fields.ts';
import {
  checkReachable,
  checkReturnUrls,
  checkSchedule,
  eligibleCards,
  getUsableCardToken,
} from '../shared/request-checks.ts';
import * as s2s from '../shared/s2s-requests.ts';
import { chargeResponse, descriptorOf } from '../shared/s2s-responses.ts';
import * as fields from './charge-fields.ts';

type ChargeRequest = fields.SaleRequest | fields.DebitRequest | fields.TransferRequest;

/** Formula 1 for a card or card token, formula 8 for a wallet token. */
function chargeSignature({ payer, instrument, hash }: Pick<ChargeRequest, 'payer' | 'instrument' | 'hash'>): Signature {
  const payerEmail = payer.email;
  switch (instrument.kind) {
    case 'card':
      return { recipe: 'card1', values: { payerEmail, fragment: fragmentOf(instrument.number) }, hash };
    case 'token':
      return { recipe: 'card1Token', values: { payerEmail, cardToken: instrument.token }, hash };
    case 'wallet':
      return { recipe: 'card8', values: { payerEmail }, hash };
  }
}

/** On `/v2/post`, redirect parameters are a list (protocol.md 2). */
const returnsParameterList = (request: HttpRequest) => new URL(request.url).pathname.includes('/v2/');

type Charge = { action: string; operation: Operation; mpi?: Record<string, string | undefined>; payeeCard?: string };

async function charge(context: ActionContext<ChargeRequest, undefined>, terms: Charge): Promise<object> {
  const { caller, input, now } = context;
  const body = input as fields.SaleRequest;
  checkReturnUrls(caller, { term_url_3ds: body.term_url_3ds });
  const { operation } = terms;
  const { order_currency: currency } = input;
  const amountMinor = minorOf(input.order_amount, currency);
  const order = { currency, amountMinor };
  const request = s2s.orderInput(terms.action, 'card', input, amountMinor);
  const eligible = await eligibleCards(caller, now, { operation, authorizeOnly: body.auth, ...order, request });
  const decrypted =
    input.instrument.kind === 'wallet' &&
    (await decryptWalletToken(caller, eligible.mids, input.instrument, order, now));
  const card = decrypted
    ? { ...decrypted.card, holder: decrypted.card.holder ?? holderOf(input) }
    : await instrumentOf(caller, input.instrument, now);
  await checkSchedule(caller, body, now);
  await checkReachable(input.callback_url, 'callback_url');
  const payment: PaymentInput = {
    ...request,
    operation,
    authorizeOnly: body.auth,
    recurringInit: body.recurring_init,
    // `req_token` is ignored if a card token was sent.
    requestToken: (body.req_token ?? false) && input.instrument.kind !== 'token',
    payer: s2s.withLanguage(input),
    payee: input.payee,
    scheduleId: body.schedule_id,
    scheduleStart: body.schedule_start_date,
    scheduleAmount: body.payment_schedule_amount,
    returnTo: { url: body.term_url_3ds ?? null, target: body.term_url_target ?? null },
  };
  const credentialOnFile = credentialOnFileOf(body, input.instrument.kind === 'token');
  const payeeCard = terms.payeeCard === undefined ? undefined : { number: terms.payeeCard, expMonth: 0, expYear: 0 };
  const extras = {
    origin: credentialOnFile,
    ...(decrypted && walletPaymentFields(decrypted, payment, now)),
    payeeCard,
    mpi: terms.mpi && withoutUndefined(terms.mpi),
    eligibility: eligible.eligibility,
  };
  const result = await payDirect(caller, payment, card, extras, now);
  return chargeResponse(terms.action, result, returnsParameterList(context.request), descriptorOf(result, caller));
}

const holderOf = (body: ChargeRequest) => `${body.payer_first_name} ${body.payer_last_name}`;

/** Card on file: who began it, whether the card was typed or stored, and which charge of its row it is. */
function credentialOnFileOf(
  { payer_present: present, recurring_init: first }: fields.SaleRequest,
  stored: boolean,
): CredentialOnFile {
  return {
    initiator: present === false ? 'merchant' : 'cardholder',
    source: stored ? 'stored' : 'card',
    sequence: stored ? 'subsequent' : first ? 'first' : null,
  };
}

async function instrumentOf(
  caller: KnownCaller,
  instrument: fields.ChargeInstrument,
  now: Date,
): Promise<CardInstrument> {
  if (instrument.kind === 'card') {
    const { number, expMonth, expYear, cvv, holder } = instrument;
    return { number, expMonth, expYear, cvv, holder };
  }
  if (instrument.kind === 'wallet') throw new Error('A wallet token must be decrypted first');
  const { card } = await getUsableCardToken(caller, instrument.token, now);
  return { storedCard: { cardId: card.id, token: instrument.token, cvv: instrument.cvv } };
}

async function payOut(context: ActionContext<fields.PayoutRequest, undefined>): Promise<object> {
  const { caller, input, now } = context;
  const { order_currency: currency } = input;
  const amountMinor = minorOf(input.order_amount, currency);
  const request = s2s.orderInput('CREDIT2CARD', 'card', input, amountMinor);
  const { eligibility } = await eligibleCards(caller, now, { operation: 'credit', currency, amountMinor, request });
  const card = await payeeInstrument(caller, input, now);
  await checkReachable(input.callback_url, 'callback_url');
  const id = newId();
  const place = { id, merchantId: caller.merchant.id };
  const payment: PaymentInput = {
    ...request,
    id,
    operation: 'credit',
    payer: s2s.withLanguage(input),
    payee: input.payee,
    parameters: { card: input.parameters, ...(await sealParameters(place, 'card', input.secretParameters)) },
  };
  const both = await payDirect(caller, payment, card, { eligibility }, now);
  return chargeResponse('CREDIT2CARD', both, returnsParameterList(context.request), descriptorOf(both, caller));
}

/** The payee's card. Its expiry is known only if the parameters contain it. */
async function payeeInstrument(caller: KnownCaller, input: fields.PayoutRequest, now: Date): Promise<CardInstrument> {
  if (input.instrument.kind === 'token')
    return instrumentOf(caller, { kind: 'token', token: input.instrument.token }, now);
  const parameters = input.parameters as { card_exp_month?: string; card_exp_year?: string; expiry?: string };
  const [month, year] = parameters.expiry?.split('/') ?? [parameters.card_exp_month, parameters.card_exp_year];
  return { number: input.instrument.number, expMonth: Number(month ?? 0), expYear: Number(year ?? 0) };
}

const chainOfRequest = ({ merchant }: KnownCaller, input: s2s.RecurringRequest) =>
  findChain(merchant.id, input.recurring_first_trans_id, input.recurring_token);

/** Formula 1 with the e-mail and card of the initial payment. */
function chainSignature(input: s2s.RecurringRequest, chain: Chain | undefined): Signature {
  const card = chain?.first.card;
  const fragment = card ? card.first6 + card.last4 : undefined;
  return { recipe: 'card1', values: { payerEmail: chain?.first.payer.email, fragment }, hash: input.hash };
}

function subsequentCharge(name: 'RECURRING_SALE' | 'RECURRING_DEBIT', schema: typeof s2s.recurringSaleSchema) {
  return action<s2s.RecurringRequest, Chain>({
    schema,
    signature: chainSignature,
    subject: chainOfRequest,
    signedOverSubject: true,
    missing: 'incorrectTransaction',
    run: async ({ caller, input, subject, now, request }) => {
      const isDebit = subject.operation === 'debit';
      if (isDebit !== (name === 'RECURRING_DEBIT')) throwApiError('incorrectTransaction');
      const result = await chargeChain(name, caller, input, subject, now);
      return chargeResponse(name, result, returnsParameterList(request), descriptorOf(result, caller));
    },
  });
}

async function chargeChain(
  name: string,
  caller: KnownCaller,
  input: s2s.RecurringRequest,
  subject: Chain,
  now: Date,
): Promise<PaymentWithTransaction> {
  const currency = input.order_currency ?? subject.first.currency;
  const amountMinor = positiveMinorOf(input.order_amount, currency, 'order_amount');
  const authorizeOnly = input.auth;
  const operation = subject.operation === 'debit' ? 'debit' : 'recurring';
  const { parameters: _first, ...order } = s2s.orderInput(
    name,
    'card',
    { ...input, order_currency: currency },
    amountMinor,
  );
  const wanted = { operation, authorizeOnly, currency, amountMinor, request: order } as const;
  const { eligibility } = await eligibleCards(caller, now, wanted);
  await checkReachable(input.callback_url, 'callback_url');
  return paySubsequent(caller, subject, { ...order, authorizeOnly }, now, eligibility);
}

type WalletInstrument = Extract<fields.ChargeInstrument, { kind: 'wallet' }>;

/** One refusal for whatever is wrong with a token. */
const rejectToken = (): never => throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);

/**
 * Decrypts a token for an order. Throws 204004 if none of the accounts accepts decrypted cards or the merchant's wallet
 * settings cannot decrypt tokens, and a field error of `payment_token` for an invalid token.
 */
export async function decryptWalletToken(
  caller: KnownCaller,
  mids: readonly Mid[],
  { wallet, paymentToken }: WalletInstrument,
  order: { amountMinor: bigint; currency: string },
  now: Date,
): Promise<DecryptedToken> {
  if (!mids.some(acceptsDecryptedCards)) throwApiError('methodNotSupported');
  const money = { minor: order.amountMinor, currency: order.currency };
  const decrypted = await decryptToken(caller.merchant.id, wallet, paymentToken, money, now);
  if (!('unopened' in decrypted)) return decrypted;
  return decrypted.unopened === 'settings' ? throwApiError('methodNotSupported') : rejectToken();
}

/** The wallet fields of a payment with a decrypted token. A token that another request has claimed is refused. */
export function walletPaymentFields(
  decrypted: DecryptedToken,
  { requestDigest }: { requestDigest: Buffer },
  now: Date,
) {
  const claim = async () => (await claimWalletToken(decrypted, requestDigest, now)) ?? rejectToken();
  return { wallet: decrypted.wallet, claim };
}

/** The actions by name. */
export const chargeActions = {
  SALE: action<fields.SaleRequest>({
    schema: (caller) => fields.saleSchema(s2s.requiredPayerFieldsOf(caller)),
    signature: chargeSignature,
    run: (context) => charge(context, { action: 'SALE', operation: 'purchase', mpi: context.input.mpi }),
  }),
  DEBIT: action<fields.DebitRequest>({
    schema: (caller) => fields.debitSchema(s2s.requiredPayerFieldsOf(caller)),
    signature: chargeSignature,
    run: (context) => charge(context, { action: 'DEBIT', operation: 'debit' }),
  }),
  RECURRING_SALE: subsequentCharge('RECURRING_SALE', s2s.recurringSaleSchema),
  RECURRING_DEBIT: subsequentCharge('RECURRING_DEBIT', s2s.recurringDebitSchema as typeof s2s.recurringSaleSchema),
  // A transfer from the payer's card to another card.
  CARD2CARD: action<fields.TransferRequest>({
    schema: (caller) => fields.transferSchema(s2s.requiredPayerFieldsOf(caller)),
    signature: chargeSignature,
    paysOut: () => true,
    run: (context) =>
      charge(context, { action: 'CARD2CARD', operation: 'transfer', payeeCard: context.input.payee_card_number }),
  }),
  // A payout to a card. Formula 5 for the card or its token.
  CREDIT2CARD: action<fields.PayoutRequest>({
    schema: fields.payoutSchema,
    signature: ({ instrument, hash }) =>
      instrument.kind === 'card'
        ? { recipe: 'card5', values: { fragment: fragmentOf(instrument.number) }, hash }
        : { recipe: 'card5Token', values: { cardToken: instrument.token }, hash },
    paysOut: () => true,
    run: payOut,
  }),
} as const;
