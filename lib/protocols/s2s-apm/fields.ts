// The fields of S2S APM and their limits (interface.md, S2S APM; protocol.md 6): those of every request, and those that
// the brand's catalogue row requires. Field types are shared with the other protocols.
import { z } from 'zod';
import { type FieldError, fieldErrorTexts } from '../../core/errors.ts';
import { parseAmount } from '../../core/money.ts';
import type { FieldRule } from '../../core/openapi.ts';
import { operators } from '../../methods/catalog/mobile-operators.ts';
import { findMethod } from '../../methods/catalog.ts';
import type { Method, MethodOperation } from '../../methods/method.ts';
import { checkMethodParameters, requestFieldErrors } from '../../methods/parameters.ts';
import { methodAmountErrors } from '../../methods/payment-support.ts';
import * as field from '../shared/fields.ts';
import { ignoringBlanks, type UncheckedBody, withRules } from '../shared/fields.ts';
import * as s2s from '../shared/s2s-requests.ts';

const brand = field.text(1, 36);
const network = field.text(1, 32);

// Fields of cards and recurring payments belong to S2S CARD; this protocol refuses them.
const cardNames = [
  ...(['card_number', 'card_exp_month', 'card_exp_year', 'card_cvv2', 'card_token', 'payment_token'] as const),
  ...(['mpi_data', 'schedule_id', 'recurring_init', 'req_token'] as const),
];
const cards = field.eachOf(cardNames, z.unknown().optional().meta({ 'x-refused': true }));

/** `Y` means an authorisation; any other text does not. */
const auth = field.unvalidatedText;

/** `identifier` names the payer; of the other payer fields only the IP address is required. */
const optionalPayer = { ...z.object(s2s.payer).partial().shape, payer_ip: s2s.payer.payer_ip };

const charge = {
  ...s2s.envelopeFields,
  brand,
  ...s2s.order,
  ...optionalPayer,
  ...s2s.extras,
  ...cards,
  identifier: field.text(1, 255).optional(),
  return_url_target: field.choice(field.linkTargets).optional(),
  crypto_network: network.optional(),
};

const payout = {
  ...s2s.envelopeFields,
  brand,
  ...s2s.order,
  order_description: s2s.order.order_description.optional(),
  ...z.object(s2s.payer).partial().shape,
  ...s2s.payee,
  ...s2s.extras,
  ...cards,
  identifier: field.text(1, 255).optional(),
  crypto_network: network.optional(),
};

/** Whether a method is paid in a cryptocurrency: without identifier, and with a callback signature of its own. */
export function isCrypto(method: Method | undefined): boolean {
  return method?.kind === 'coin';
}

/** The catalogue row of the request's brand. Routing refuses an unknown or unsupported brand. */
const methodOf = (body: UncheckedBody) => (typeof body.brand === 'string' ? findMethod(body.brand) : undefined);

// `N` is accepted for the flags of recurring payments and tokens.
function cardErrors(body: UncheckedBody): FieldError[] {
  const sent = cardNames.filter((name) => s2s.isSent(body, name) && body[name] !== 'N');
  return sent.flatMap((name) => s2s.toFieldErrors(name, fieldErrorTexts.notValid));
}

/** The payer fields that a method requires, under this protocol's names. */
function requiredNames({ asks = [] }: Method): string[] {
  return asks.flatMap((name) => (name === 'name' ? ['payer_first_name', 'payer_last_name'] : [`payer_${name}`]));
}

/** Uses an identifier that is an e-mail address or phone number as the payer field that the method requires. */
function withIdentifier<Body extends UncheckedBody>(body: Body, method: Method | undefined): Body {
  const { identifier } = body;
  const required = method?.asks ?? [];
  if (typeof identifier !== 'string') return body;
  const fills = (name: 'email' | 'phone', shape: RegExp) =>
    required.includes(name) && !s2s.isSent(body, `payer_${name}`) && shape.test(identifier);
  if (fills('email', /^[^\s@]{1,64}@[^\s@]+$/)) return { ...body, payer_email: identifier };
  return fills('phone', /^\+?[0-9]{6,15}$/) ? { ...body, payer_phone: identifier } : body;
}

/** Checks a request against the brand's catalogue row: parameters, limits and required request fields. */
function methodErrors(body: UncheckedBody, operation: MethodOperation): FieldError[] {
  const method = methodOf(body);
  if (!method) return [];
  const identified = withIdentifier(body, method);
  const missing = operation === 'credit' ? [] : s2s.missingFieldErrors(identified, requiredNames(method));
  const requestErrors = requestFieldErrors(method, identified, true);
  const { values, faults } = parametersOf(body, method, operation);
  return [...missing, ...requestErrors, ...faults, ...limitErrors(body, method, operation, values)];
}

/** Checks the method's own limits. A malformed amount has a field error already. */
function limitErrors(
  { order_amount: text, order_currency: currency }: UncheckedBody,
  method: Method,
  operation: MethodOperation,
  parameters: Record<string, unknown>,
): FieldError[] {
  if (typeof text !== 'string' || typeof currency !== 'string') return [];
  const read = parseAmount(text, currency);
  return read.ok
    ? methodAmountErrors(method, operation, { minor: read.minor, currency }, parameters, 'order_amount')
    : [];
}

const koraCurrencies = new Set(operators.map((operator) => operator.currency));

/** Checks the fields of payouts: kora requires the payee, all others a description (contract). */
function payoutErrors(body: UncheckedBody): FieldError[] {
  if (body.brand !== 'kora') return s2s.missingFieldErrors(body, ['order_description']);
  const wrong = typeof body.order_currency === 'string' && !koraCurrencies.has(body.order_currency);
  return [
    ...s2s.toFieldErrors('order_currency', wrong ? fieldErrorTexts.notValid : null),
    ...s2s.missingFieldErrors(body, ['payee_first_name', 'payee_last_name', 'payee_email']),
  ];
}

function parametersOf(body: UncheckedBody, method: Method, operation: MethodOperation) {
  const country = typeof body.payer_country === 'string' ? body.payer_country.toUpperCase() : undefined;
  const currency = typeof body.order_currency === 'string' ? body.order_currency : undefined;
  const scope = { path: 'parameters', country, operation, currency, demandCollected: true };
  return checkMethodParameters(method, body.parameters, scope);
}

type ChargeBody = z.output<z.ZodObject<typeof charge>>;

function readCharge<Body extends ChargeBody>(body: Body, operation: MethodOperation) {
  const method = methodOf(body);
  const payer = s2s.payerOf(withIdentifier(body, method));
  return {
    ...body,
    payer,
    // A state that is ignored has any length.
    payer_state: payer.state,
    payer_language: field.languageOf(body.payer_language),
    parameters: method ? parametersOf(body, method, operation).values : {},
  };
}

function chargeErrors(body: UncheckedBody, operation: MethodOperation, required: readonly string[]): FieldError[] {
  return [
    ...s2s.orderErrors(body, body.auth === 'Y'),
    ...(isCrypto(methodOf(body)) ? [] : s2s.missingFieldErrors(body, ['identifier'])),
    ...s2s.payerErrors(body, required),
    ...cardErrors(body),
    ...methodErrors(body, operation),
  ];
}

const methodRule = {
  fields: ['parameters', 'order_amount'],
  text: 'Parameters, amount limits and payer fields as required by the brand in the method catalogue.',
};

const cardRule = { fields: cardNames, text: 'Refused unless N: cards and recurring payments belong to S2S CARD.' };

/** The rules of {@link chargeErrors} as text. */
const chargeRules: readonly FieldRule[] = [
  field.amountRule('order_amount', ' Zero is for auth=Y only.'),
  { fields: ['identifier'], text: 'Required unless the brand is paid in a cryptocurrency.' },
  ...s2s.payerRules,
  methodRule,
  cardRule,
];

/** The rules of a payout as text. */
const payoutRules: readonly FieldRule[] = [
  field.amountRule('order_amount'),
  { fields: ['order_description'], text: 'Required unless the brand is kora.' },
  {
    fields: ['payee_first_name', 'payee_last_name', 'payee_email'],
    text: "Required if the brand is kora. Its order_currency must be a currency of kora's operators.",
  },
  ...s2s.payerRules.slice(0, 1),
  methodRule,
  cardRule,
];

/** SALE, for a mapping that requires these payer fields. `auth` is Y or absent (contract, States). */
export const saleSchema = s2s.schemaPerMapping((required) =>
  ignoringBlanks(
    withRules(
      z.object({ ...charge, auth, return_url: field.returnUrl }),
      (body) => chargeErrors(body, 'purchase', required),
      chargeRules,
    ).transform(({ auth, ...body }) => ({
      ...readCharge(body, 'purchase'),
      authorizeOnly: auth === 'Y',
      returnUrl: body.return_url,
    })),
  ),
);

/** DEBIT2VIRTUAL and DEBIT2VIRTUAL_CALC: as SALE, but without authorisations. */
export const debitSchema = s2s.schemaPerMapping((required) =>
  ignoringBlanks(
    withRules(
      z.object({ ...charge, auth, payer_return_url: field.returnUrl }),
      (body) => [
        ...s2s.toFieldErrors('auth', body.auth === 'Y' ? fieldErrorTexts.notValid : null),
        ...chargeErrors({ ...body, auth: undefined }, 'debit', required),
      ],
      [...chargeRules, { fields: ['auth'], text: 'Y is refused: a debit cannot be an authorisation.' }],
    ).transform(({ auth: _never, ...body }) => ({
      ...readCharge(body, 'debit'),
      authorizeOnly: false,
      returnUrl: body.payer_return_url,
    })),
  ),
);

/** A parsed SALE or DEBIT2VIRTUAL. */
export type ApmCharge = z.output<ReturnType<typeof saleSchema>> | z.output<ReturnType<typeof debitSchema>>;

/** CREDIT2VIRTUAL and CREDIT2CRYPTO. The payer is optional. */
export const creditSchema = ignoringBlanks(
  withRules(
    z.object(payout),
    (body) => [
      ...s2s.orderErrors(body, false),
      ...s2s.payerErrors(body, []),
      ...cardErrors(body),
      ...payoutErrors(body),
      ...methodErrors(body, 'credit'),
    ],
    payoutRules,
  ).transform((body) => {
    const method = methodOf(body);
    const payer = s2s.payerOf(body);
    return {
      ...body,
      order_description: body.order_description ?? '',
      payer,
      payer_state: payer.state,
      payee: s2s.payeeOf(body),
      payer_language: field.languageOf(body.payer_language),
      parameters: method ? parametersOf(body, method, 'credit').values : {},
    };
  }),
);

/** A parsed payout. */
export type ApmCredit = z.output<typeof creditSchema>;
