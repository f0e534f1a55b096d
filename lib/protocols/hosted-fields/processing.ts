// POST /api/v1/processing/purchase/card and /debit/card: makes the payment of a session/token session with the card that
// the hosted fields hold (protocol.md 4), or with the token of a wallet beside them. It is called by the merchant's page
// or server; the token alone says whose payment it is, and the answer tells the page where the payer goes next.
import { z } from 'zod';
import { numberFault } from '../../core/cards';
import { refuse, texts } from '../../core/errors';
import { type LocaleCode, resolveLocale } from '../../core/locales';
import type { Operation, Payment, Person, Session, Transaction } from '../../core/payment';
import type { Browser } from '../../core/provider-data';
import { refuseFaults } from '../../http/field-errors';
import { wordsOf } from '../../http/i18n';
import { type CardInstrument, type Payed, type PayInput, pay } from '../../payments/attempt/execute';
import { lackingFields } from '../../payments/attempt/missing-fields';
import { type HeldCard, takeCard } from '../../payments/pending-cards';
import { lastAttempt } from '../../payments/queries';
import { findSession } from '../../payments/sessions';
import { type PayingWallet, walletOffers } from '../../routing/wallet-offers';
import { findToken } from '../../vault/seal';
import { type Accepted, action, type KnownCaller } from '../pipeline/handle';
import { billingAddress, customer, flag, withoutBlanks } from '../shared/fields';
import { present } from '../shared/record';
import { returnFields } from '../shared/return-url';
import { walletMeans } from '../shared/wallet-instrument';
import { byToken, type Subject } from './caller';

const short = z.string().max(1024).optional().catch(undefined);
const number = z.coerce
  .number()
  .int()
  .min(-100_000)
  .max(100_000)
  .meta({ type: ['integer', 'string'] })
  .optional()
  .catch(undefined);
const truth = z.coerce
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
    java_enabled: truth,
    javascript_enabled: truth,
    platform: short,
  })
  .optional()
  .catch(undefined);

// Typed by the payer on the merchant's page, and told in callbacks: a number in the wrong place goes no further.
const name = customer.shape.name.unwrap().refine((value) => numberFault(value) !== null, texts.notValid);

/** Far more than a wallet's token has. */
const walletTokenMax = 20_000;

/** How it is paid: by what the fields hold, with the name on the card, or by a wallet's token. */
const byFields = {
  name,
  with_hosted_fields: z
    .unknown()
    .refine((value) => flag.safeParse(value).data === true, {
      error: (issue) => (issue.input === undefined ? texts.blank : texts.notValid),
    })
    .meta({ enum: [true, 1, 'true', '1', 'Y'] }),
};
const byWallet = {
  name: name.optional(),
  digital_wallet: z.enum(['applepay', 'googlepay'], {
    error: (issue) => (issue.input === undefined ? texts.blank : texts.notChoice),
  }),
  payment_token: z
    .string({ error: (issue) => (issue.input === undefined ? texts.blank : texts.notValid) })
    .max(walletTokenMax, texts.notValid),
  // A wallet's token stands for the whole card: both at once would leave open which is meant.
  with_hosted_fields: z.undefined(texts.notValid).optional(),
};

const isByWallet = (body: unknown) =>
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

const fieldsRequest = schemaOf(byFields);
const walletRequest = schemaOf(byWallet);

/** The body in its two shapes, for the documents of the API: the schema below is code that picks one. */
export const processingShapes = z.union([fieldsRequest, walletRequest]);

type FieldsRequest = z.output<typeof fieldsRequest>;
type WalletRequest = z.output<typeof walletRequest>;
type ProcessingRequest = FieldsRequest | WalletRequest;

export const processingSchema = z
  .unknown()
  .transform((body) => withoutBlanks(body, ['billing_address', 'browser_info', 'digital_wallet', 'payment_token']))
  .transform((body, context): ProcessingRequest => {
    const read = isByWallet(body) ? walletRequest.safeParse(body) : fieldsRequest.safeParse(body);
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });

function processing(operation: Operation) {
  return action<ProcessingRequest, Subject>({
    schema: processingSchema,
    ...byToken,
    run: (accepted) => process(operation, accepted),
  });
}

/** POST /api/v1/processing/purchase/card. */
export const purchaseCard = processing('purchase');

/** POST /api/v1/processing/debit/card. */
export const debitCard = processing('debit');

/** Calls that are making a payment, so that the same call at the same time is told what became of it. */
const underWay = new Map<string, Set<Promise<unknown>>>();

async function process(operation: Operation, accepted: Accepted<ProcessingRequest, Subject>): Promise<object> {
  const { caller, input, subject } = accepted;
  const { payment, session } = subject;
  const language = resolveLocale(input.selected_language ?? session.language, caller.mapping.defaultLanguage, null);
  if (payment.operation !== operation) refuse('actionNotSupported');
  demandFields(caller, { ...payment.payer, ...payerOf(input) });
  // Of calls at once one has the card: from the look at what is held to the entry among those under way nothing is awaited.
  const paying = 'payment_token' in input ? payByWallet(accepted, input) : payByFields(accepted, input);
  const atOnce = underWay.get(payment.id) ?? new Set();
  if (paying) underWay.set(payment.id, atOnce.add(paying));
  try {
    const payed = await paying;
    if (payed && payed !== 'repeated') return await answered(accepted, payed, language);
    await Promise.allSettled(atOnce);
    return await repeated(accepted, language);
  } finally {
    if (paying) atOnce.delete(paying);
    if (atOnce.size === 0) underWay.delete(payment.id);
  }
}

/** Pays with what the fields hold; null where they hold nothing. */
function payByFields(accepted: Accepted<ProcessingRequest, Subject>, input: FieldsRequest): Promise<Payed> | null {
  const { caller, subject, now } = accepted;
  const held = takeCard(subject.payment.id, now);
  return (
    held &&
    meansOf(caller, subject.session, held, input, now).then((means) =>
      payWith(accepted, { means, address: held.address }),
    )
  );
}

/** Pays with a wallet's token; `repeated` for one that this payment has been paid with. */
async function payByWallet(
  accepted: Accepted<ProcessingRequest, Subject>,
  { digital_wallet: kind, payment_token: token, name: holder }: WalletRequest,
): Promise<Payed | 'repeated'> {
  const { caller, subject, now } = accepted;
  const offers = await walletOffers({ ...subject, caller });
  const wallet = offers.find((offer): offer is PayingWallet => offer.kind === kind && offer.flow !== null);
  if (!wallet) return refuse('methodNotSupported');
  const means = await walletMeans(subject.payment, wallet, token, now, holder);
  // One refusal for whatever is wrong with a token.
  if (means === null) return refuseFaults([{ path: 'payment_token', text: texts.notValid }]);
  return means === 'repeated' ? means : payWith(accepted, means);
}

function payWith(
  { caller, input, subject, request, now }: Accepted<ProcessingRequest, Subject>,
  means: Pick<PayInput, 'means' | 'wallet' | 'address'>,
): Promise<Payed> {
  const { payment, session } = subject;
  const browser = browserOf(input, request.headers);
  return pay({ caller, payment, session, ...means, payer: payerOf(input), browser, now });
}

/** What the call tells of the payer, by the contract's names. */
function payerOf({ name, email, birth_date, birth_day, billing_address }: ProcessingRequest): Person {
  const { language: _page, ...billing } = billing_address ?? {};
  const person = { name, email, birth_date: birth_date ?? birth_day, ...billing };
  return Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined));
}

const topLevel: readonly string[] = ['name', 'email', 'birth_date'];

/** The mapping's required fields, from the session or from this call. The held card stays where it is. */
function demandFields(caller: KnownCaller, payer: Person): void {
  const lacking = lackingFields(caller.mapping.requiredPayerFields, payer);
  if (lacking.length === 0) return;
  refuseFaults(
    lacking.map((field) => ({
      path: topLevel.includes(field) ? field : `billing_address.${field}`,
      text: texts.blank,
    })),
  );
}

/** The card that the fields held, with the name from the request; of a kept card its code. */
async function meansOf(
  caller: KnownCaller,
  session: Session,
  held: HeldCard,
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
  return refuse('cardTokenNotFound');
}

/** Nothing was submitted since the last attempt: this is a repeat, and is told what became of that one. */
async function repeated(accepted: Accepted<ProcessingRequest, Subject>, language: LocaleCode): Promise<object> {
  const { caller, input, subject } = accepted;
  const found = await findSession(subject.payment.id);
  const latest = found && (await lastAttempt(subject.payment.id));
  // Nothing is held, or what claimed the wallet's token has died before anything was tried: another press pays.
  if (!latest && 'payment_token' in input) return refuseFaults([{ path: 'payment_token', text: texts.notValid }]);
  if (!latest) return refuseFaults([{ path: 'with_hosted_fields', text: texts.blank }]);
  return answerOf(caller, found.payment, latest, language);
}

async function answered(
  accepted: Accepted<ProcessingRequest, Subject>,
  payed: Payed,
  language: LocaleCode,
): Promise<object> {
  if (!('refused' in payed)) return answerOf(accepted.caller, payed.payment, payed.transaction, language);
  const { refused } = payed;
  if (refused === 'expired' || refused === 'cancelled') return refuse('tokenNotValid');
  if (refused === 'unroutable') return refuse('mappingMissing');
  if (refused === 'superseded') return refuse('duplicatePayment');
  if (refused === 'exhausted' || refused === 'changed') return refuse('duplicateRequest');
  return repeated(accepted, language);
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
function answerOf(caller: KnownCaller, payment: Payment, attempt: Transaction, language: LocaleCode): object {
  const { status, action: next } = attempt;
  const result = results[status];
  const leads = result === 'redirect' && next;
  return {
    ...present({
      result,
      public_id: payment.id,
      redirect_url: leads ? next.url : undefined,
      redirect_method: leads ? next.method : undefined,
      decline_message:
        result === 'decline' ? wordsOf(language).t(`decline.${attempt.declineClass ?? 'bank'}.heading`) : undefined,
    }),
    ...(leads && { redirect_params: next.params }),
    return_url_query_params: returnFields(payment, caller),
  };
}

function browserOf({ browser_info: said }: ProcessingRequest, headers: Headers): Browser {
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
