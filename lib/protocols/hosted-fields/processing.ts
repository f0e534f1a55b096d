// POST /api/v1/processing/purchase/card and /debit/card: makes the payment of a session/token session with the card that
// the hosted fields hold (protocol.md 4), or with the token of a wallet beside them. It is called by the merchant's page
// or server; the token alone says whose payment it is, and the answer tells the page where the payer goes next.
import { z } from 'zod';
import { numberError } from '../../core/cards';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors';
import { type LocaleCode, resolveLocale } from '../../core/locales';
import type { Operation, PartyDetails, Payment, Session, Transaction } from '../../core/payment';
import type { BrowserInfo } from '../../core/provider-data';
import { translationsOf } from '../../http';
import {
  type CardInstrument,
  findSession,
  lastAttempt,
  missingPayerFields,
  type PayInput,
  type PayResult,
  type PendingCard,
  pay,
  takePendingCard,
} from '../../payments';
import { type UsableWallet, walletOffers } from '../../routing';
import { findToken } from '../../vault';
import { type ActionContext, action, type KnownCaller } from '../pipeline/handle';
import { billingAddress, customer, flag, withoutBlanks } from '../shared/fields';
import { returnFields } from '../shared/return-url';
import { walletInstrument } from '../shared/wallet-instrument';
import { definedFields } from '../shared/wire-fields';
import { type SessionSubject, tokenAuthenticated } from './token-caller';

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

// What a browser says about itself is passed on and never a reason to refuse a payment.
const browserInfo = z
  .object({
    accept_headers: short,
    accept_header: short,
    user_agent: short,
    language: short,
    color_depth: number,
    screen_height: number,
    screen_width: number,
    timezone_offset: number,
    java_enabled: looseBoolean,
    javascript_enabled: looseBoolean,
    platform: short,
  })
  .optional()
  .catch(undefined);

// Typed by the payer on the merchant's page, and told in callbacks: a number in the wrong place goes no further.
const name = customer.shape.name.unwrap().refine((value) => numberError(value) !== null, fieldErrorTexts.notValid);

/** Far more than a wallet's token has. */
const walletTokenMax = 20_000;

/** How it is paid: by what the fields hold, with the name on the card, or by a wallet's token. */
const fieldsShape = {
  name,
  with_hosted_fields: z
    .unknown()
    .refine((value) => flag.safeParse(value).data === true, {
      error: (issue) => (issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notValid),
    })
    .meta({ enum: [true, 1, 'true', '1', 'Y'] }),
};
const walletShape = {
  name: name.optional(),
  digital_wallet: z.enum(['applepay', 'googlepay'], {
    error: (issue) => (issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notChoice),
  }),
  payment_token: z
    .string({ error: (issue) => (issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notValid) })
    .max(walletTokenMax, fieldErrorTexts.notValid),
  // A wallet's token stands for the whole card: both at once would leave open which is meant.
  with_hosted_fields: z.undefined(fieldErrorTexts.notValid).optional(),
};

const isWalletRequest = (body: unknown) =>
  typeof body === 'object' && body !== null && ('digital_wallet' in body || 'payment_token' in body);

/** The body of both addresses. Card data itself has no place in it. */
function schemaOf<Means extends z.ZodRawShape>(means: Means) {
  return z.object({
    ...means,
    email: customer.shape.email,
    birth_date: customer.shape.birth_date,
    birth_day: customer.shape.birth_date,
    billing_address: billingAddress.optional(),
    selected_language: z.string().max(16).optional().catch(undefined),
    browser_info: browserInfo,
  });
}

const fieldsRequest = schemaOf(fieldsShape);
const walletRequest = schemaOf(walletShape);

/** The body in its two shapes, for the documents of the API: the schema below is code that picks one. */
export const processingShapes = z.union([fieldsRequest, walletRequest]);

type FieldsRequest = z.output<typeof fieldsRequest>;
type WalletRequest = z.output<typeof walletRequest>;
type ProcessingRequest = FieldsRequest | WalletRequest;

export const processingSchema = z
  .unknown()
  .transform((body) => withoutBlanks(body, ['billing_address', 'browser_info', 'digital_wallet', 'payment_token']))
  .transform((body, context): ProcessingRequest => {
    const read = isWalletRequest(body) ? walletRequest.safeParse(body) : fieldsRequest.safeParse(body);
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });

function processing(operation: Operation) {
  return action<ProcessingRequest, SessionSubject>({
    schema: processingSchema,
    ...tokenAuthenticated,
    run: (accepted) => process(operation, accepted),
  });
}

/** POST /api/v1/processing/purchase/card. */
export const purchaseCard = processing('purchase');

/** POST /api/v1/processing/debit/card. */
export const debitCard = processing('debit');

/** Calls that are making a payment, so that the same call at the same time is told what became of it. */
const inProgress = new Map<string, Set<Promise<unknown>>>();

async function process(
  operation: Operation,
  accepted: ActionContext<ProcessingRequest, SessionSubject>,
): Promise<object> {
  const { caller, input, subject } = accepted;
  const { payment, session } = subject;
  const language = resolveLocale(input.selected_language ?? session.language, caller.mapping.defaultLanguage, null);
  if (payment.operation !== operation) throwApiError('actionNotSupported');
  requireFields(caller, { ...payment.payer, ...payerOf(input) });
  // Of calls at once one has the card: from the look at what is held to the entry among those under way nothing is awaited.
  const paying = 'payment_token' in input ? payByWallet(accepted, input) : payByFields(accepted, input);
  const atOnce = inProgress.get(payment.id) ?? new Set();
  if (paying) inProgress.set(payment.id, atOnce.add(paying));
  try {
    const payed = await paying;
    if (payed && payed !== 'repeated') return await paymentResponse(accepted, payed, language);
    await Promise.allSettled(atOnce);
    return await repeatedResponse(accepted, language);
  } finally {
    if (paying) atOnce.delete(paying);
    if (atOnce.size === 0) inProgress.delete(payment.id);
  }
}

/** Pays with what the fields hold; null where they hold nothing. */
function payByFields(
  accepted: ActionContext<ProcessingRequest, SessionSubject>,
  input: FieldsRequest,
): Promise<PayResult> | null {
  const { caller, subject, now } = accepted;
  const held = takePendingCard(subject.payment.id, now);
  return (
    held &&
    instrumentOf(caller, subject.session, held, input, now).then((means) =>
      payWith(accepted, { means, address: held.address }),
    )
  );
}

/** Pays with a wallet's token; `repeated` for one that this payment has been paid with. */
async function payByWallet(
  accepted: ActionContext<ProcessingRequest, SessionSubject>,
  { digital_wallet: kind, payment_token: token, name: holder }: WalletRequest,
): Promise<PayResult | 'repeated'> {
  const { caller, subject, now } = accepted;
  const offers = await walletOffers({ ...subject, caller });
  const wallet = offers.find((offer): offer is UsableWallet => offer.kind === kind && offer.flow !== null);
  if (!wallet) return throwApiError('methodNotSupported');
  const means = await walletInstrument(subject.payment, wallet, token, now, holder);
  // One refusal for whatever is wrong with a token.
  if (means === null) return throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);
  return means === 'repeated' ? means : payWith(accepted, means);
}

function payWith(
  { caller, input, subject, request, now }: ActionContext<ProcessingRequest, SessionSubject>,
  means: Pick<PayInput, 'means' | 'wallet' | 'address'>,
): Promise<PayResult> {
  const { payment, session } = subject;
  const browser = browserOf(input, request.headers);
  return pay({ caller, payment, session, ...means, payer: payerOf(input), browser, now });
}

/** What the call tells of the payer, by the contract's names. */
function payerOf({ name, email, birth_date, birth_day, billing_address }: ProcessingRequest): PartyDetails {
  const { language: _page, ...billing } = billing_address ?? {};
  const person = { name, email, birth_date: birth_date ?? birth_day, ...billing };
  return Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined));
}

const topLevel: readonly string[] = ['name', 'email', 'birth_date'];

/** The mapping's required fields, from the session or from this call. The held card stays where it is. */
function requireFields(caller: KnownCaller, payer: PartyDetails): void {
  const lacking = missingPayerFields(caller.mapping.requiredPayerFields, payer);
  if (lacking.length === 0) return;
  throwFieldErrors(
    lacking.map((field) => ({
      path: topLevel.includes(field) ? field : `billing_address.${field}`,
      text: fieldErrorTexts.blank,
    })),
  );
}

/** The card that the fields held, with the name from the request; of a kept card its code. */
async function instrumentOf(
  caller: KnownCaller,
  session: Session,
  held: PendingCard,
  input: FieldsRequest,
  now: Date,
): Promise<CardInstrument> {
  const { cvv } = held;
  if ('number' in held) {
    const { number: digits, expiry } = held;
    return { number: digits, expMonth: expiry.month, expYear: expiry.year, cvv, holder: input.name };
  }
  for (const token of session.cardTokens) {
    const found = await findToken(caller.merchant.id, token, now);
    if (found === null || found === 'foreign' || found.expired || found.card.id !== held.keptCardId) continue;
    return { kept: { cardId: found.card.id, token, cvv } };
  }
  return throwApiError('cardTokenNotFound');
}

/** Nothing was submitted since the last attempt: this is a repeat, and is told what became of that one. */
async function repeatedResponse(
  accepted: ActionContext<ProcessingRequest, SessionSubject>,
  language: LocaleCode,
): Promise<object> {
  const { caller, input, subject } = accepted;
  const found = await findSession(subject.payment.id);
  const latest = found && (await lastAttempt(subject.payment.id));
  // Nothing is held, or what claimed the wallet's token has died before anything was tried: another press pays.
  if (!latest && 'payment_token' in input)
    return throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);
  if (!latest) return throwFieldErrors([{ path: 'with_hosted_fields', text: fieldErrorTexts.blank }]);
  return responseOf(caller, found.payment, latest, language);
}

async function paymentResponse(
  accepted: ActionContext<ProcessingRequest, SessionSubject>,
  payed: PayResult,
  language: LocaleCode,
): Promise<object> {
  if (!('refused' in payed)) return responseOf(accepted.caller, payed.payment, payed.transaction, language);
  const { refused } = payed;
  if (refused === 'expired' || refused === 'cancelled') return throwApiError('tokenNotValid');
  if (refused === 'unroutable') return throwApiError('mappingMissing');
  if (refused === 'superseded') return throwApiError('duplicatePayment');
  if (refused === 'exhausted' || refused === 'changed') return throwApiError('duplicateRequest');
  return repeatedResponse(accepted, language);
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

/** Where the page goes on: protocol.md 4, item 4. */
function responseOf(caller: KnownCaller, payment: Payment, attempt: Transaction, language: LocaleCode): object {
  const { status, action: next } = attempt;
  const result = results[status];
  const leads = result === 'redirect' && next;
  return {
    ...definedFields({
      result,
      public_id: payment.id,
      redirect_url: leads ? next.url : undefined,
      redirect_method: leads ? next.method : undefined,
      decline_message:
        result === 'decline'
          ? translationsOf(language).t(`decline.${attempt.declineClass ?? 'bank'}.heading`)
          : undefined,
    }),
    ...(leads && { redirect_params: next.params }),
    return_url_query_params: returnFields(payment, caller),
  };
}

function browserOf({ browser_info: said }: ProcessingRequest, headers: Headers): BrowserInfo {
  const truthOf = (value: string | undefined) =>
    value === undefined ? undefined : flag.safeParse(value).data === true;
  return {
    acceptHeaders: said?.accept_headers ?? said?.accept_header ?? headers.get('accept') ?? undefined,
    userAgent: said?.user_agent ?? headers.get('user-agent') ?? undefined,
    language: said?.language,
    colorDepth: said?.color_depth,
    screenHeight: said?.screen_height,
    screenWidth: said?.screen_width,
    timezoneOffset: said?.timezone_offset,
    javaEnabled: truthOf(said?.java_enabled),
    javascriptEnabled: truthOf(said?.javascript_enabled),
    platform: said?.platform,
  };
}
