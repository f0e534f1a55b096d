// The actions of S2S CARD that move money by themselves: SALE, DEBIT, CARD2CARD, CREDIT2CARD and the secondary charges
// RECURRING_SALE and RECURRING_DEBIT (interface.md, S2S CARD; protocol.md 5).
import { fragmentOf } from '../../core/cards';
import { isoDay } from '../../core/dates';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors';
import type { CredentialOnFile, Operation, PartyDetails, PaymentWithTransaction } from '../../core/payment';
import {
  type CardInstrument,
  type Chain,
  findChain,
  type PaymentInput,
  payDirect,
  paySubsequent,
} from '../../payments';
import { hasSchedule } from '../../schedules';
import { sealParameters } from '../../vault';
import { type ActionContext, action, type KnownCaller, type Signature } from '../pipeline/handle';
import { checkReachable, checkReturnUrls } from '../shared/addresses';
import { getUsableCardToken } from '../shared/card-token';
import { eligibleAccounts } from '../shared/eligibility';
import { orderAmountError, withoutUndefined } from '../shared/fields';
import { minorOf, orderInput, requiredPayerFieldsOf, withLanguage } from '../shared/s2s-order';
import { chargeResponse, descriptorOf } from '../shared/s2s-responses';
import {
  type ChargeInstrument,
  type DebitRequest,
  debitSchema,
  type PayoutRequest,
  payoutSchema,
  type SaleRequest,
  saleSchema,
  type TransferRequest,
  transferSchema,
} from './charge-fields';
import { type RecurringRequest, recurringDebitSchema, recurringSaleSchema } from './fields';
import { decryptWalletToken, walletPaymentFields } from './wallet';

type ChargeRequest = SaleRequest | DebitRequest | TransferRequest;

/** Formula 1 over the card or its token, formula 8 over a wallet's token. */
function chargeSignature({
  payer,
  means,
  hash,
}: {
  payer: PartyDetails;
  means: ChargeInstrument;
  hash: string;
}): Signature {
  const payerEmail = payer.email;
  switch (means.kind) {
    case 'card':
      return { recipe: 'card1', values: { payerEmail, fragment: fragmentOf(means.number) }, given: hash };
    case 'token':
      return { recipe: 'card1Token', values: { payerEmail, cardToken: means.token }, given: hash };
    case 'wallet':
      return { recipe: 'card8', values: { payerEmail }, given: hash };
  }
}

/** On `/v2/post` the parameters of a redirect are a list (protocol.md 2). */
const returnsParameterList = (request: Request) => new URL(request.url).pathname.includes('/v2/');

/** SALE. */
export const sale = action<SaleRequest>({
  schema: (caller) => saleSchema(requiredPayerFieldsOf(caller)),
  signature: chargeSignature,
  run: (accepted) => charge(accepted, { action: 'SALE', operation: 'purchase', mpi: accepted.input.mpi }),
});

/** DEBIT. */
export const debit = action<DebitRequest>({
  schema: (caller) => debitSchema(requiredPayerFieldsOf(caller)),
  signature: chargeSignature,
  run: (accepted) => charge(accepted, { action: 'DEBIT', operation: 'debit' }),
});

/** CARD2CARD: from the payer's card to another. */
export const transfer = action<TransferRequest>({
  schema: (caller) => transferSchema(requiredPayerFieldsOf(caller)),
  signature: chargeSignature,
  paysOut: () => true,
  run: (accepted) =>
    charge(accepted, { action: 'CARD2CARD', operation: 'transfer', payeeCard: accepted.input.payee_card_number }),
});

type Charge = { action: string; operation: Operation; mpi?: Record<string, string | undefined>; payeeCard?: string };

async function charge(accepted: ActionContext<ChargeRequest, undefined>, plan: Charge): Promise<object> {
  const { caller, input, now, request } = accepted;
  const loose = input as SaleRequest;
  checkReturnUrls(caller, { term_url_3ds: loose.term_url_3ds });
  const amountMinor = minorOf(input.order_amount, input.order_currency);
  const asked = { operation: plan.operation, authorizeOnly: loose.auth ?? false, currency: input.order_currency };
  const order = { amountMinor, currency: input.order_currency };
  const admitted = await eligibleAccounts(caller, now, {
    ...asked,
    amountMinor,
    methods: ['card'],
    amountPath: 'order_amount',
  });
  const opened =
    input.means.kind === 'wallet' && (await decryptWalletToken(caller, admitted.mids, input.means, order, now));
  const card = opened
    ? { ...opened.card, holder: opened.card.holder ?? holderOf(input) }
    : await instrumentOf(caller, input.means, now);
  await checkSchedule(caller, loose, now);
  if (input.callback_url) await checkReachable(input.callback_url, 'callback_url');
  const payment: PaymentInput = {
    ...orderInput(plan.action, 'card', input, amountMinor),
    operation: plan.operation,
    authorizeOnly: loose.auth ?? false,
    recurringInit: loose.recurring_init ?? false,
    // A card token is asked for in vain by who has one already.
    requestToken: (loose.req_token ?? false) && input.means.kind !== 'token',
    payer: withLanguage(input),
    payee: input.payee,
    scheduleId: loose.schedule_id ?? null,
    scheduleStart: loose.schedule_start_date ?? null,
    scheduleAmount: loose.payment_schedule_amount ?? null,
    returnTo: { url: loose.term_url_3ds ?? null, target: loose.term_url_target ?? null },
  };
  const origin = credentialOnFileOf(loose, input.means.kind === 'token');
  const payeeCard = plan.payeeCard === undefined ? undefined : { number: plan.payeeCard, expMonth: 0, expYear: 0 };
  const extras = {
    origin,
    ...(opened && walletPaymentFields(opened, payment, now)),
    payeeCard,
    mpi: plan.mpi && withoutUndefined(plan.mpi),
    eligibility: admitted.eligibility,
  };
  const both = await payDirect(caller, payment, card, extras, now);
  return chargeResponse(plan.action, both, returnsParameterList(request), descriptorOf(both, caller));
}

const holderOf = (body: ChargeRequest) => `${body.payer_first_name} ${body.payer_last_name}`;

/** Card on file: who began it, whether the card was typed or stored, and which charge of its row it is. */
function credentialOnFileOf(
  { payer_present: present, recurring_init: first }: SaleRequest,
  stored: boolean,
): CredentialOnFile {
  return {
    initiator: present === false ? 'merchant' : 'cardholder',
    source: stored ? 'stored' : 'card',
    sequence: stored ? 'subsequent' : first ? 'first' : null,
  };
}

async function instrumentOf(caller: KnownCaller, means: ChargeInstrument, now: Date): Promise<CardInstrument> {
  if (means.kind === 'card') {
    const { number, expMonth, expYear, cvv, holder } = means;
    return { number, expMonth, expYear, cvv, holder };
  }
  if (means.kind === 'wallet') throw new Error("a wallet's token is opened, not looked up");
  const { card } = await getUsableCardToken(caller, means.token, now);
  return { kept: { cardId: card.id, token: means.token, cvv: means.cvv } };
}

async function checkSchedule(caller: KnownCaller, input: SaleRequest, now: Date): Promise<void> {
  if (input.schedule_id && !(await hasSchedule(caller.merchant.id, input.schedule_id)))
    throwApiError('scheduleNotFound');
  if (input.schedule_start_date && input.schedule_start_date < isoDay(now)) {
    throwFieldErrors([{ path: 'schedule_start_date', text: fieldErrorTexts.notValid }]);
  }
}

/** CREDIT2CARD: a payout to a card. Formula 5, over the card or its token. */
export const payout = action<PayoutRequest>({
  schema: payoutSchema,
  signature: ({ means, hash }) =>
    means.kind === 'card'
      ? { recipe: 'card5', values: { fragment: fragmentOf(means.number) }, given: hash }
      : { recipe: 'card5Token', values: { cardToken: means.token }, given: hash },
  paysOut: () => true,
  run: async ({ caller, input, now, request }) => {
    const amountMinor = minorOf(input.order_amount, input.order_currency);
    const asked = { operation: 'credit', authorizeOnly: false, currency: input.order_currency, amountMinor } as const;
    const { eligibility } = await eligibleAccounts(caller, now, {
      ...asked,
      methods: ['card'],
      amountPath: 'order_amount',
    });
    const card = await payeeInstrument(caller, input, now);
    if (input.callback_url) await checkReachable(input.callback_url, 'callback_url');
    const payment: PaymentInput = {
      ...orderInput('CREDIT2CARD', 'card', input, amountMinor),
      operation: 'credit',
      authorizeOnly: false,
      recurringInit: false,
      requestToken: false,
      payer: withLanguage(input),
      payee: input.payee,
      parameters: { card: input.parameters, ...(await sealParameters('card', input.secretParameters)) },
      scheduleId: null,
      scheduleStart: null,
      scheduleAmount: null,
    };
    const both = await payDirect(caller, payment, card, { eligibility }, now);
    return chargeResponse('CREDIT2CARD', both, returnsParameterList(request), descriptorOf(both, caller));
  },
});

/** The payee's card: its date comes with the parameter sets that need one, else nobody knows it. */
async function payeeInstrument(caller: KnownCaller, input: PayoutRequest, now: Date): Promise<CardInstrument> {
  if (input.means.kind === 'token') return instrumentOf(caller, { kind: 'token', token: input.means.token }, now);
  const given = input.parameters as { card_exp_month?: string; card_exp_year?: string; expiry?: string };
  const [month, year] = given.expiry?.split('/') ?? [given.card_exp_month, given.card_exp_year];
  return { number: input.means.number, expMonth: Number(month ?? 0), expYear: Number(year ?? 0) };
}

const chainOfRequest = ({ merchant }: KnownCaller, input: RecurringRequest) =>
  findChain(merchant.id, input.recurring_first_trans_id, input.recurring_token);

/** Formula 1 with the e-mail and the card of the first payment. */
function chainSignature(input: RecurringRequest, chain: Chain | undefined): Signature {
  const card = chain?.first.card;
  const fragment = card ? card.first6 + card.last4 : undefined;
  return { recipe: 'card1', values: { payerEmail: chain?.first.payer.email, fragment }, given: input.hash };
}

function subsequentCharge(name: 'RECURRING_SALE' | 'RECURRING_DEBIT', schema: typeof recurringSaleSchema) {
  return action<RecurringRequest, Chain>({
    schema,
    signature: chainSignature,
    subject: chainOfRequest,
    signedOverSubject: true,
    missing: 'incorrectTransaction',
    run: async ({ caller, input, subject, now, request }) => {
      const isDebit = subject.operation === 'debit';
      if (isDebit !== (name === 'RECURRING_DEBIT')) throwApiError('incorrectTransaction');
      const both = await chargeChain(name, { caller, input, subject, now });
      return chargeResponse(name, both, returnsParameterList(request), descriptorOf(both, caller));
    },
  });
}

type SubsequentCharge = { caller: KnownCaller; input: RecurringRequest; subject: Chain; now: Date };

async function chargeChain(
  name: string,
  { caller, input, subject, now }: SubsequentCharge,
): Promise<PaymentWithTransaction> {
  const currency = input.order_currency ?? subject.first.currency;
  const fault = orderAmountError(input.order_amount, currency, false);
  if (fault) throwFieldErrors([{ path: 'order_amount', text: fault }]);
  const amountMinor = minorOf(input.order_amount, currency);
  const authorizeOnly = input.auth ?? false;
  const asked = { operation: subject.operation === 'debit' ? 'debit' : 'recurring', currency, amountMinor } as const;
  const wanted = { ...asked, authorizeOnly, methods: ['card'], amountPath: 'order_amount' };
  const { eligibility } = await eligibleAccounts(caller, now, wanted);
  if (input.callback_url) await checkReachable(input.callback_url, 'callback_url');
  const order = { ...input, order_currency: currency, parameters: undefined, channel_id: undefined };
  const {
    vatCalc: _never,
    parameters: _first,
    channelId: _its,
    ...rest
  } = orderInput(name, 'card', order, amountMinor);
  return paySubsequent(caller, subject, { ...rest, authorizeOnly, scheduleId: null }, now, eligibility);
}

export const recurringSale = subsequentCharge('RECURRING_SALE', recurringSaleSchema);
export const recurringDebit = subsequentCharge('RECURRING_DEBIT', recurringDebitSchema as typeof recurringSaleSchema);
