// Schemas of SALE, DEBIT, CARD2CARD and CREDIT2CARD with the rules between their fields (interface.md, S2S CARD;
// protocol.md 5). Each schema outputs payer, payee and payment instrument under the names of the database, so that
// actions do not read wire fields.
import { z } from 'zod';
import { isCvv } from '../../core/cards.ts';
import { type FieldError, fieldErrorTexts } from '../../core/errors.ts';
import type { FieldRule } from '../../core/openapi.ts';
import { type CardOperation, type CheckedCardParameters, checkCardParameters } from '../../methods/card-sets.ts';
import * as field from '../shared/fields.ts';
import { ignoringBlanks, type UncheckedBody, withoutBlanks, withRules } from '../shared/fields.ts';
import * as s2s from '../shared/s2s-requests.ts';

const charge = {
  ...s2s.envelopeFields,
  ...s2s.order,
  ...s2s.payer,
  ...s2s.card,
  ...s2s.extras,
  outside: z.unknown().optional().meta({ 'x-inside': true }),
  term_url_3ds: field.returnUrl.optional(),
  term_url_target: field.choice(field.linkTargets).optional(),
  ...field.eachOf(['payer_present', 'auth', 'req_token', 'recurring_init'], field.formFlag.optional()),
  schedule_id: field.uuid.optional(),
  schedule_start_date: field.startDay.optional(),
  payment_schedule_amount: field.amount.optional(),
};

/** The payment instrument of a request. `token` identifies a stored card, `paymentToken` comes from a wallet. */
export type ChargeInstrument =
  | { kind: 'card'; number: string; expMonth: number; expYear: number; cvv?: string; holder?: string }
  | { kind: 'token'; token: string; cvv?: string }
  | { kind: 'wallet'; wallet: 'applepay' | 'googlepay'; paymentToken: string };

// The contract names the fields of set APC `shipping.<name>` on S2S, so some clients send them outside of
// `parameters[...]`. A plain text under such a name is an unrelated field.
function isOutside(name: string, value: unknown): boolean {
  return /^(shipping|cart|marketPlace)(\.|$)/.test(name) && (name.includes('.') || typeof value === 'object');
}

// Removes blank members and ignored ones: mpi_data with auth=Y, a token in addition to a card number.
function chargeBody(body: unknown): unknown {
  const present = withoutBlanks(body, ['mpi_data']);
  if (typeof present !== 'object' || present === null) return present;
  const fields: Record<string, unknown> = { ...present };
  if (fields.auth === 'Y') delete fields.mpi_data;
  if (fields.card_number !== undefined) delete fields.card_token;
  const outside = Object.entries(fields).filter(([name, value]) => isOutside(name, value));
  return { ...fields, outside: outside.length > 0 ? Object.fromEntries(outside) : undefined };
}

const cardNames = ['card_number', 'card_exp_month', 'card_exp_year', 'card_cvv2'] as const;

/** Card data precedes a token (protocol.md 5); a wallet token excludes it. The code is optional without the payer. */
function instrumentErrors(body: UncheckedBody): FieldError[] {
  const cardDataErrors = cardNames
    .filter((name) => s2s.isSent(body, name))
    .flatMap((name) => s2s.toFieldErrors(name, fieldErrorTexts.notValid));
  if (s2s.isSent(body, 'payment_token'))
    return [...s2s.missingFieldErrors(body, ['digital_wallet']), ...cardDataErrors];
  if (s2s.isSent(body, 'digital_wallet')) return s2s.missingFieldErrors(body, ['payment_token']);
  if (!s2s.isSent(body, 'card_number') && s2s.isSent(body, 'card_token')) return [];
  const required = cardNames.filter((name) => name !== 'card_cvv2' || body.payer_present !== false);
  const { card_number: number, card_cvv2: cvv } = body;
  const wrongCode = typeof number === 'string' && typeof cvv === 'string' && !isCvv(cvv, number);
  return [
    ...s2s.missingFieldErrors(body, required),
    ...s2s.toFieldErrors('card_cvv2', wrongCode ? fieldErrorTexts.notValid : null),
  ];
}

function scheduleErrors(body: UncheckedBody): FieldError[] {
  const recurring = body.recurring_init === true;
  const scheduleError = s2s.isSent(body, 'schedule_id') && !recurring ? fieldErrorTexts.notValid : null;
  const needsSchedule = s2s.isSent(body, 'schedule_start_date') || s2s.isSent(body, 'payment_schedule_amount');
  return [
    ...s2s.toFieldErrors('schedule_id', scheduleError),
    ...(needsSchedule ? s2s.missingFieldErrors(body, ['schedule_id']) : []),
    ...s2s.toFieldErrors(
      'payment_schedule_amount',
      field.orderAmountError(body.payment_schedule_amount, body.order_currency, false),
    ),
  ];
}

function parametersOf(body: UncheckedBody, operation: CardOperation): CheckedCardParameters {
  const inside = checkCardParameters(body.parameters, { operation, protocol: 's2s', path: 'parameters' });
  if (body.outside === undefined) return inside;
  const outside = checkCardParameters(body.outside, { operation, protocol: 's2s', path: '' });
  return {
    values: { ...outside.values, ...inside.values },
    errors: [...inside.errors, ...outside.errors],
    secret: inside.secret,
  };
}

type ChargeBody = z.output<z.ZodObject<typeof charge>> & Partial<z.output<z.ZodObject<typeof s2s.wallet>>>;

function chargeInstrumentOf(body: ChargeBody): ChargeInstrument {
  const { card_number: number, card_token: token, card_cvv2: cvv, digital_wallet: name, payment_token } = body;
  if (number !== undefined) {
    const holder = `${body.payer_first_name} ${body.payer_last_name}`;
    const expiry = { expMonth: Number(body.card_exp_month), expYear: Number(body.card_exp_year) };
    return { kind: 'card', number, ...expiry, cvv, holder };
  }
  if (token !== undefined) return { kind: 'token', token, cvv };
  if (name === undefined || payment_token === undefined)
    throw new Error('a charge without an instrument passed its checks');
  return { kind: 'wallet', wallet: name, paymentToken: payment_token };
}

/** The common output of the three charge schemas. */
function readCharge<Body extends ChargeBody>(body: Body, operation: CardOperation) {
  const payer = s2s.payerOf(body);
  return {
    ...body,
    payer,
    // A state that is ignored has any length.
    payer_state: payer.state,
    payee: s2s.payeeOf(body),
    payer_language: field.languageOf(body.payer_language),
    instrument: chargeInstrumentOf(body),
    parameters: parametersOf(body, operation).values,
  };
}

const cardParameterRule = {
  fields: ['parameters'],
  text: 'Fields of the card parameter sets in their formats; other members are forwarded to the provider unchanged.',
};

/** The rules of {@link chargeErrors} as text. */
const chargeRules: readonly FieldRule[] = [
  field.amountRule('order_amount', ' Zero is for auth=Y and recurring_init=Y only.'),
  { fields: ['card_number', 'card_exp_month', 'card_exp_year'], text: 'Required unless a token is sent.' },
  {
    fields: ['card_cvv2'],
    text: 'Required with card_number unless payer_present is N; four digits on American Express, else three.',
  },
  { fields: ['card_token'], text: 'An alternative to card_number; ignored if card_number is sent.' },
  { fields: ['schedule_id'], text: 'Only with recurring_init=Y. Required with the two schedule fields below.' },
  { fields: ['schedule_start_date', 'payment_schedule_amount'], text: 'Only with schedule_id.' },
  ...s2s.payerRules,
  cardParameterRule,
];

const walletRule = { fields: ['digital_wallet', 'payment_token'], text: 'Both or neither, and without card fields.' };

function chargeErrors(body: UncheckedBody, operation: CardOperation, required: readonly string[]): FieldError[] {
  return [
    ...s2s.orderErrors(body, body.auth === true || body.recurring_init === true),
    ...instrumentErrors(body),
    ...s2s.payerErrors(body, required),
    ...scheduleErrors(body),
    ...parametersOf(body, operation).errors,
  ];
}

const unsupportedErrors = (body: UncheckedBody, ...names: string[]) =>
  names.filter((name) => body[name] === true).flatMap((name) => s2s.toFieldErrors(name, fieldErrorTexts.notValid));

/** SALE, for a mapping that requires these payer fields. */
export const saleSchema = s2s.schemaPerMapping((required) =>
  z.preprocess(
    chargeBody,
    withRules(
      z.object({ ...charge, ...s2s.wallet, mpi_data: s2s.mpiData.optional() }),
      (body) => chargeErrors(body, 'purchase', required),
      [...chargeRules, walletRule, { fields: ['mpi_data'], text: 'Ignored with auth=Y.' }],
    ).transform(({ mpi_data: mpi, ...body }) => ({ ...readCharge(body, 'purchase'), mpi })),
  ),
);

/** DEBIT: as SALE, but without authorisations and 3DS data. */
export const debitSchema = s2s.schemaPerMapping((required) =>
  z.preprocess(
    chargeBody,
    withRules(
      z.object({ ...charge, ...s2s.wallet }),
      (body) => [...unsupportedErrors(body, 'auth'), ...chargeErrors(body, 'debit', required)],
      [...chargeRules, walletRule, { fields: ['auth'], text: 'Y is refused: a debit cannot be an authorisation.' }],
    ).transform((body) => readCharge(body, 'debit')),
  ),
);

/** CARD2CARD: the fields of SALE and the payee's card. No wallets and no recurring payments. */
export const transferSchema = s2s.schemaPerMapping((required) =>
  z.preprocess(
    chargeBody,
    withRules(
      z.object({ ...charge, ...s2s.payee, payee_card_number: s2s.cardNumber }),
      (body) => [...unsupportedErrors(body, 'auth', 'recurring_init'), ...chargeErrors(body, 'transfer', required)],
      [
        ...chargeRules,
        {
          fields: ['auth', 'recurring_init'],
          text: 'Y is refused: a transfer cannot be an authorisation or recurring.',
        },
      ],
    ).transform((body) => readCharge(body, 'transfer')),
  ),
);

/** The parsed requests. DEBIT and CARD2CARD lack the fields that they do not have. */
export type SaleRequest = z.output<ReturnType<typeof saleSchema>>;
export type DebitRequest = z.output<ReturnType<typeof debitSchema>>;
export type TransferRequest = z.output<ReturnType<typeof transferSchema>>;

/** The payee's card: a card number or a stored card. */
export type PayeeInstrument = { kind: 'card'; number: string } | { kind: 'token'; token: string };

const payout = {
  ...s2s.envelopeFields,
  ...s2s.order,
  ...z.object(s2s.payer).partial().shape,
  ...s2s.payee,
  ...s2s.extras,
  card_number: s2s.card.card_number,
  card_token: s2s.card.card_token,
};

/** CREDIT2CARD. `card_number` is the payee's. `secretParameters` are stored encrypted: they may hold a card number. */
export const payoutSchema = ignoringBlanks(
  withRules(
    z.object(payout),
    (body) => [
      ...s2s.orderErrors(body, false),
      ...(s2s.isSent(body, 'card_token') ? [] : s2s.missingFieldErrors(body, ['card_number'])),
      ...s2s.payerErrors(body, []),
      ...parametersOf(body, 'credit').errors,
    ],
    [
      field.amountRule('order_amount'),
      { fields: ['card_number'], text: 'Required unless card_token is sent.' },
      ...s2s.payerRules.slice(0, 1),
      cardParameterRule,
    ],
  ).transform((body) => {
    const { values, secret } = parametersOf(body, 'credit');
    const payer = s2s.payerOf(body);
    return {
      ...body,
      payer,
      payer_state: payer.state,
      payee: s2s.payeeOf(body),
      payer_language: field.languageOf(body.payer_language),
      instrument: payeeInstrumentOf(body.card_number, body.card_token),
      parameters: values,
      secretParameters: secret,
    };
  }),
);

export type PayoutRequest = z.output<typeof payoutSchema>;

function payeeInstrumentOf(number: string | undefined, token: string | undefined): PayeeInstrument {
  if (number !== undefined) return { kind: 'card', number };
  if (token === undefined) throw new Error('a payout without a card passed its checks');
  return { kind: 'token', token };
}
