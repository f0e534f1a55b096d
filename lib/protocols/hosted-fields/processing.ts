// POST /api/v1/processing/purchase/card and /debit/card: pays a session/token session with the card from the hosted
// fields (protocol.md 4) or with a wallet token. The merchant's page or server calls it; the header `Token` identifies
// the payment, and the response contains the payer's next step.
import { z } from 'zod';
import { numberError } from '../../core/cards.ts';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import { type LocaleCode, resolveLocale } from '../../core/locales.ts';
import type { Operation, PartyDetails, Payment, Session, Transaction } from '../../core/payment.ts';
import type { BrowserInfo } from '../../core/provider-data.ts';
import { translationsOf } from '../../http/index.ts';
import {
  type CardInstrument,
  findSession,
  lastSubmitted,
  missingPayerFields,
  type PayInput,
  type PayResult,
  pay,
  paymentCallsEnd,
} from '../../payments/index.ts';
import { shownAgreement } from '../../recurring/index.ts';
import { markPayingRequest } from '../../request-log/index.ts';
import { type UsableWallet, walletOffers } from '../../routing/index.ts';
import {
  endPaymentCall,
  type FieldsPayment,
  findToken,
  markPaymentCall,
  type PendingCard,
  takenVersion,
  takePendingCard,
} from '../../vault/index.ts';
import { type ActionContext, action, type KnownCaller } from '../pipeline/handle.ts';
import {
  billingAddress,
  choice,
  customer,
  eachOf,
  flag,
  withoutBlanks,
  withoutUndefined,
  wrongType,
} from '../shared/fields.ts';
import { walletInstrument } from '../shared/wallets.ts';
import { definedFields, returnFields } from '../shared/wire-fields.ts';
import { type SessionSubject, tokenAuthenticated } from './token-caller.ts';

const short = z.string().max(1024).optional().catch(undefined);
const number = z.coerce
  .number()
  .int()
  .min(-100_000)
  .max(100_000)
  .meta({ type: ['integer', 'string'] })
  .optional()
  .catch(undefined);
const looseBoolean = z.coerce
  .string()
  .meta({ type: ['boolean', 'string'] })
  .optional()
  .catch(undefined);

// Browser data is forwarded to the provider; malformed values are dropped, never refused.
const browserInfo = z
  .object({
    ...eachOf(['accept_headers', 'accept_header', 'user_agent', 'language'], short),
    ...eachOf(['color_depth', 'screen_height', 'screen_width', 'timezone_offset'], number),
    ...eachOf(['java_enabled', 'javascript_enabled'], looseBoolean),
    platform: short,
  })
  .optional()
  .catch(undefined);

// The name appears in callbacks, so a card number in this field is refused.
const name = customer.shape.name.unwrap().refine((value) => numberError(value) !== null, fieldErrorTexts.notValid);

/** Well above the size of real wallet tokens. */
const walletTokenMax = 20_000;

/** The two ways to pay: the card of the hosted fields with the name on it, or a wallet token. */
const fieldsShape = {
  name,
  with_hosted_fields: z
    .unknown()
    .refine((value) => flag.safeParse(value).data === true, { error: wrongType })
    .meta({ enum: [true, 1, 'true', '1', 'Y'] }),
};
const walletShape = {
  name: name.optional(),
  digital_wallet: choice(['applepay', 'googlepay']),
  payment_token: z.string({ error: wrongType }).max(walletTokenMax, fieldErrorTexts.notValid),
  // Both ways in one request would be ambiguous.
  with_hosted_fields: z.undefined(fieldErrorTexts.notValid).optional(),
};

const isWalletRequest = (body: unknown) =>
  typeof body === 'object' && body !== null && ('digital_wallet' in body || 'payment_token' in body);

/** The body of both paths. It contains no card data. */
function schemaOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({
    ...shape,
    email: customer.shape.email,
    ...eachOf(['birth_date', 'birth_day'], customer.shape.birth_date),
    billing_address: billingAddress.optional(),
    selected_language: z.string().max(16).optional().catch(undefined),
    browser_info: browserInfo,
  });
}

const fieldsRequest = schemaOf(fieldsShape);
const walletRequest = schemaOf(walletShape);

/** The two shapes of the body for the OpenAPI documents; {@link processingSchema} selects one in code. */
export const processingShapes = z.union([fieldsRequest, walletRequest]);

type FieldsRequest = z.output<typeof fieldsRequest>;
type WalletRequest = z.output<typeof walletRequest>;
type ProcessingRequest = FieldsRequest | WalletRequest;
type ProcessingContext = ActionContext<ProcessingRequest, SessionSubject>;

export const processingSchema = z
  .unknown()
  .transform((body) => withoutBlanks(body, ['billing_address', 'browser_info', 'digital_wallet', 'payment_token']))
  .transform((body, context): ProcessingRequest => {
    const parsed = isWalletRequest(body) ? walletRequest.safeParse(body) : fieldsRequest.safeParse(body);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });

function processing(operation: Operation) {
  return action<ProcessingRequest, SessionSubject>({
    schema: processingSchema,
    ...tokenAuthenticated,
    run: (context) => process(operation, context),
  });
}

/** POST /api/v1/processing/purchase/card. */
export const purchaseCard = processing('purchase');

/** POST /api/v1/processing/debit/card. */
export const debitCard = processing('debit');

async function process(operation: Operation, context: ProcessingContext): Promise<object> {
  const { caller, input, subject } = context;
  const { payment, session } = subject;
  const language = resolveLocale(input.selected_language ?? session.language, caller.mapping.defaultLanguage, null);
  if (payment.operation !== operation) throwApiError('actionNotSupported');
  requireFields(caller, { ...payment.payer, ...payerOf(input) });
  // Only one of several concurrent calls gets the card or the token. The others wait for it.
  const result = await ('payment_token' in input ? payByWallet(context, input) : payByFields(context, input));
  if (!('takenVersion' in result)) return paymentResponse(context, result, language);
  await paymentCallsEnd(payment.id, result.takenVersion);
  return repeatedResponse(context, language);
}

/** The call that has the card or the wallet token of this one. */
type Repeat = { takenVersion: number | null };

/** Pays with the card from the hosted fields, if there is one. Refuses an agreement that the payer has not read. */
async function payByFields(context: ProcessingContext, input: FieldsRequest): Promise<PayResult | Repeat> {
  const { caller, subject, now } = context;
  const taken = await takePendingCard(fieldsPayment(context), now);
  if ('takenVersion' in taken) return taken;
  return makeCall(context, async () => {
    const { mark, address, keepsCard } = taken.card;
    if (mark !== undefined && mark !== (await shownAgreement({ caller, ...subject }, now)).mark) return throwNoCard();
    const instrument = await instrumentOf(caller, subject.session, taken.card, input, now);
    return payWith(context, { instrument, address, keepsCard });
  });
}

/** Pays with a wallet token that this payment has not used already. */
async function payByWallet(
  context: ProcessingContext,
  { digital_wallet: kind, payment_token: token, name: holder }: WalletRequest,
): Promise<PayResult | Repeat> {
  const { caller, subject, now } = context;
  const offers = await walletOffers({ ...subject, caller });
  const wallet = offers.find((offer): offer is UsableWallet => offer.kind === kind && offer.flow !== null);
  if (!wallet) return throwApiError('methodNotSupported');
  const walletPayment = await walletInstrument(subject.payment, wallet, token, now, holder);
  // One refusal for whatever is wrong with a token.
  if (walletPayment === null) return throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);
  if (walletPayment === 'repeated') return { takenVersion: await takenVersion(subject.payment.id, now) };
  await markPaymentCall(fieldsPayment(context), now);
  return makeCall(context, () => payWith(context, walletPayment));
}

const fieldsPayment = ({ subject: { payment }, request }: ProcessingContext): FieldsPayment => ({
  ...payment,
  token: request.headers.get('token') ?? '',
});

/** Makes the call that has taken the card or the wallet token; without an attempt it is ended, so that no repeat waits. */
async function makeCall({ subject, request }: ProcessingContext, call: () => Promise<PayResult>): Promise<PayResult> {
  try {
    const result = await call();
    if ('refused' in result) await endPaymentCall(subject.payment.id);
    else markPayingRequest(request);
    return result;
  } catch (failure) {
    await endPaymentCall(subject.payment.id).catch(() => undefined);
    throw failure;
  }
}

function payWith(
  { caller, input, subject, request, now }: ProcessingContext,
  walletPayment: Pick<PayInput, 'instrument' | 'wallet' | 'address' | 'keepsCard'>,
): Promise<PayResult> {
  const { payment, session } = subject;
  const browser = browserOf(input, request.headers);
  return pay({ caller, payment, session, ...walletPayment, payer: payerOf(input), browser, now });
}

/** The payer's details in the request, under the contract's names. */
function payerOf({ name, email, birth_date, birth_day, billing_address }: ProcessingRequest): PartyDetails {
  const { language: _page, ...billing } = billing_address ?? {};
  return withoutUndefined({ name, email, birth_date: birth_date ?? birth_day, ...billing });
}

const topLevel: readonly string[] = ['name', 'email', 'birth_date'];

/** Refuses a payment without the payer fields that the mapping requires. The pending card stays available. */
function requireFields(caller: KnownCaller, payer: PartyDetails): void {
  const lacking = missingPayerFields(caller.mapping.requiredPayerFields, payer);
  if (lacking.length === 0) return;
  const pathOf = (field: string) => (topLevel.includes(field) ? field : `billing_address.${field}`);
  throwFieldErrors(lacking.map((field) => ({ path: pathOf(field), text: fieldErrorTexts.blank })));
}

/** The card from the hosted fields with the name from the request, or a stored card with its security code. */
async function instrumentOf(
  caller: KnownCaller,
  session: Session,
  pending: PendingCard,
  input: FieldsRequest,
  now: Date,
): Promise<CardInstrument> {
  const { cvv } = pending;
  if ('number' in pending) {
    const { number: digits, expiry } = pending;
    return { number: digits, expMonth: expiry.month, expYear: expiry.year, cvv, holder: input.name };
  }
  for (const token of session.cardTokens) {
    const stored = await findToken(caller.merchant.id, token, now);
    if (stored === null || stored === 'foreign' || stored.expired || stored.card.id !== pending.keptCardId) continue;
    return { storedCard: { cardId: stored.card.id, token, cvv } };
  }
  return throwApiError('cardTokenNotFound');
}

/** The response to a repeat: no card was submitted since the last attempt, so it reports that attempt's outcome. */
async function repeatedResponse({ caller, input, subject }: ProcessingContext, language: LocaleCode): Promise<object> {
  const current = await findSession(subject.payment.id);
  const latest = current && (await lastSubmitted(current));
  // There is no card, or the process that claimed the wallet token stopped before the attempt. The payer can pay again.
  if (!latest && 'payment_token' in input)
    return throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);
  if (!latest) return throwNoCard();
  return responseOf(caller, current.payment, latest, language);
}

/** The answer from which the merchant's page knows that the payer has to submit the fields again. */
function throwNoCard(): never {
  return throwFieldErrors([{ path: 'with_hosted_fields', text: fieldErrorTexts.blank }]);
}

async function paymentResponse(context: ProcessingContext, result: PayResult, language: LocaleCode): Promise<object> {
  if (!('refused' in result)) return responseOf(context.caller, result.payment, result.transaction, language);
  const { refused } = result;
  if (refused === 'expired' || refused === 'cancelled') return throwApiError('tokenNotValid');
  if (refused === 'unroutable') return throwApiError('mappingMissing');
  if (refused === 'superseded') return throwApiError('duplicatePayment');
  if (refused === 'exhausted' || refused === 'changed') return throwApiError('duplicateRequest');
  return repeatedResponse(context, language);
}

const results: { [status in Transaction['status']]: string } = {
  success: 'success',
  fail: 'decline',
  challenge: 'redirect',
  redirect: 'redirect',
  waiting: 'waiting',
  unknown: 'undefined',
  sent: 'undefined',
};

/** The response with the payer's next step (protocol.md 4, item 4). */
function responseOf(caller: KnownCaller, payment: Payment, attempt: Transaction, language: LocaleCode): object {
  const { status, action: next } = attempt;
  const result = results[status];
  const redirects = result === 'redirect' && next;
  const heading = `decline.${attempt.declineClass ?? 'bank'}.heading` as const;
  return {
    ...definedFields({
      result,
      public_id: payment.id,
      redirect_url: redirects ? next.url : undefined,
      redirect_method: redirects ? next.method : undefined,
      decline_message: result === 'decline' ? translationsOf(language).t(heading) : undefined,
    }),
    ...(redirects && { redirect_params: next.params }),
    return_url_query_params: returnFields(payment, caller),
  };
}

function browserOf({ browser_info: info }: ProcessingRequest, headers: Headers): BrowserInfo {
  const parseFlag = (value: string | undefined) =>
    value === undefined ? undefined : flag.safeParse(value).data === true;
  return {
    acceptHeaders: info?.accept_headers ?? info?.accept_header ?? headers.get('accept') ?? undefined,
    userAgent: info?.user_agent ?? headers.get('user-agent') ?? undefined,
    language: info?.language,
    colorDepth: info?.color_depth,
    screenHeight: info?.screen_height,
    screenWidth: info?.screen_width,
    timezoneOffset: info?.timezone_offset,
    javaEnabled: parseFlag(info?.java_enabled),
    javascriptEnabled: parseFlag(info?.javascript_enabled),
    platform: info?.platform,
  };
}
