// The fields of S2S APM and their limits (interface.md, S2S APM; protocol.md 6): what every request of it may hold, and
// what the row of its brand demands besides. Kinds of fields are those of the other protocols.
import { z } from 'zod';
import { type FieldError, fieldErrorTexts } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { FieldRule } from '../../core/openapi';
import { methodAmountErrors } from '../../methods/amounts';
import { findMethod } from '../../methods/catalog';
import { operators } from '../../methods/catalog/operators';
import type { Method, MethodOperation } from '../../methods/method';
import { checkMethodParameters, requestFieldErrors } from '../../methods/parameters';
import {
  envelopeFields,
  extras,
  isSent,
  missingFieldErrors,
  order,
  payee,
  payer,
  toFieldErrors,
} from '../s2s-card/fields';
import {
  choice,
  linkTargets,
  orderAmountError,
  returnUrl,
  text,
  type UncheckedBody,
  unvalidatedText,
  withoutBlanks,
  withRules,
} from '../shared/fields';
import { languageOf, payeeOf, payerErrors, payerOf, payerRules, schemaPerMapping } from '../shared/s2s-parties';

const brand = text(1, 36);
const network = text(1, 32);

// Cards, their tokens and the chains that are charged on them belong to S2S CARD; here they are read to be refused.
const rejectedField = z.unknown().optional().meta({ 'x-refused': true });
const cards = {
  card_number: rejectedField,
  card_exp_month: rejectedField,
  card_exp_year: rejectedField,
  card_cvv2: rejectedField,
  card_token: rejectedField,
  payment_token: rejectedField,
  mpi_data: rejectedField,
  schedule_id: rejectedField,
  recurring_init: rejectedField,
  req_token: rejectedField,
};

/** `Y` or nothing; any other text is no authorization. */
const auth = unvalidatedText;

/** Who pays is told by `identifier`; of the rest only the address is needed. */
const freePayer = { ...z.object(payer).partial().shape, payer_ip: payer.payer_ip };

const charge = {
  ...envelopeFields,
  brand,
  ...order,
  ...freePayer,
  ...extras,
  ...cards,
  identifier: text(1, 255).optional(),
  return_url_target: choice(linkTargets).optional(),
  crypto_network: network.optional(),
};

const payout = {
  ...envelopeFields,
  brand,
  ...order,
  order_description: order.order_description.optional(),
  ...z.object(payer).partial().shape,
  ...payee,
  ...extras,
  ...cards,
  identifier: text(1, 255).optional(),
  crypto_network: network.optional(),
};

/**
 * Whether a method is paid in coins, wherever the payer is shown the address: nobody need be identified, and callbacks
 * are signed in a form of their own.
 */
export function isCrypto(method: Method | undefined): boolean {
  return method?.kind === 'coin';
}

/** The row that a request names; whether there is one, and whether it can be used so, is a question of routing. */
const methodOf = (body: UncheckedBody) => (typeof body.brand === 'string' ? findMethod(body.brand) : undefined);

// To say N to a chain or a token is no fault.
function cardErrors(body: UncheckedBody): FieldError[] {
  const sent = Object.keys(cards).filter((name) => isSent(body, name) && body[name] !== 'N');
  return sent.flatMap((name) => toFieldErrors(name, fieldErrorTexts.notValid));
}

/** What a method asks of its payer, by the names of this protocol. */
function requiredNames({ asks = [] }: Method): string[] {
  return asks.flatMap((name) => (name === 'name' ? ['payer_first_name', 'payer_last_name'] : [`payer_${name}`]));
}

/**
 * An identifier that is an e-mail address or a telephone number stands for the one that the method asks for, so that
 * nobody has to say the same twice.
 */
function withIdentifier<Body extends UncheckedBody>(body: Body, method: Method | undefined): Body {
  const { identifier } = body;
  const asked = method?.asks ?? [];
  if (typeof identifier !== 'string') return body;
  const stands = (name: 'email' | 'phone', shape: RegExp) =>
    asked.includes(name) && !isSent(body, `payer_${name}`) && shape.test(identifier);
  if (stands('email', /^[^\s@]{1,64}@[^\s@]+$/)) return { ...body, payer_email: identifier };
  return stands('phone', /^\+?[0-9]{6,15}$/) ? { ...body, payer_phone: identifier } : body;
}

/** What the row of the brand makes of the request: its parameters, and the request's own fields that it needs. */
function methodErrors(body: UncheckedBody, operation: MethodOperation): FieldError[] {
  const method = methodOf(body);
  if (!method) return [];
  const told = withIdentifier(body, method);
  const needed = operation === 'credit' ? [] : missingFieldErrors(told, requiredNames(method));
  const own = requestFieldErrors(method, told, true);
  const { values, faults } = parametersOf(body, method, operation);
  return [...needed, ...own, ...faults, ...limitErrors(body, method, operation, values)];
}

/** The method's own limits; an amount that is no amount has a fault already. */
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

/** What a payout has to say besides; only kora's may go without a description, and names its payee (contract). */
function payoutErrors(body: UncheckedBody): FieldError[] {
  if (body.brand !== 'kora') return missingFieldErrors(body, ['order_description']);
  const wrong = typeof body.order_currency === 'string' && !koraCurrencies.has(body.order_currency);
  return [
    ...toFieldErrors('order_currency', wrong ? fieldErrorTexts.notValid : null),
    ...missingFieldErrors(body, ['payee_first_name', 'payee_last_name', 'payee_email']),
  ];
}

function parametersOf(body: UncheckedBody, method: Method, operation: MethodOperation) {
  const country = typeof body.payer_country === 'string' ? body.payer_country.toUpperCase() : undefined;
  const currency = typeof body.order_currency === 'string' ? body.order_currency : undefined;
  const scope = { path: 'parameters', country, operation, currency, demandCollected: true };
  return checkMethodParameters(method, body.parameters, scope);
}

function orderErrors(body: UncheckedBody, zeroAllowed: boolean): FieldError[] {
  return toFieldErrors('order_amount', orderAmountError(body.order_amount, body.order_currency, zeroAllowed));
}

type ChargeBody = z.output<z.ZodObject<typeof charge>>;

function readCharge<Body extends ChargeBody>(body: Body, operation: MethodOperation) {
  const method = methodOf(body);
  return {
    ...body,
    payer: payerOf(withIdentifier(body, method)),
    payer_language: languageOf(body),
    parameters: method ? parametersOf(body, method, operation).values : {},
  };
}

function chargeErrors(body: UncheckedBody, operation: MethodOperation, required: readonly string[]): FieldError[] {
  return [
    ...orderErrors(body, body.auth === 'Y'),
    ...(isCrypto(methodOf(body)) ? [] : missingFieldErrors(body, ['identifier'])),
    ...payerErrors(body, required),
    ...cardErrors(body),
    ...methodErrors(body, operation),
  ];
}

const bare = (body: unknown) => withoutBlanks(body, []);

const methodRule = {
  fields: ['parameters', 'order_amount'],
  text: "What the brand's row of the catalogue demands: its parameters, limits of the amount, fields of the payer's own.",
};

const cardRule = { fields: Object.keys(cards), text: 'Refused unless N: cards and their chains belong to S2S CARD.' };

/** What {@link chargeErrors} checks, in words. */
const chargeRules: readonly FieldRule[] = [
  {
    fields: ['order_amount'],
    text: 'More than 0, with no more decimals than the currency has. Zero is for auth=Y only.',
  },
  { fields: ['identifier'], text: 'Required unless the brand is paid in coins.' },
  ...payerRules,
  methodRule,
  cardRule,
];

/** The same of a payout. */
const payoutRules: readonly FieldRule[] = [
  { fields: ['order_amount'], text: 'More than 0, with no more decimals than the currency has.' },
  { fields: ['order_description'], text: 'Required unless the brand is kora.' },
  {
    fields: ['payee_first_name', 'payee_last_name', 'payee_email'],
    text: 'Required where the brand is kora, whose order_currency is one of those of its operators.',
  },
  ...payerRules.slice(0, 1),
  methodRule,
  cardRule,
];

/** SALE, under a mapping that requires these payer fields. `auth` is Y or nothing (contract, States). */
export const saleSchema = schemaPerMapping((required) =>
  z.preprocess(
    bare,
    withRules(
      z.object({ ...charge, auth, return_url: returnUrl }),
      (body) => chargeErrors(body, 'purchase', required),
      chargeRules,
    ).transform(({ auth, ...body }) => ({
      ...readCharge(body, 'purchase'),
      authorizeOnly: auth === 'Y',
      returnUrl: body.return_url,
    })),
  ),
);

/** DEBIT2VIRTUAL and DEBIT2VIRTUAL_CALC: as SALE, but the money is never only held. */
export const debitSchema = schemaPerMapping((required) =>
  z.preprocess(
    bare,
    withRules(
      z.object({ ...charge, auth, payer_return_url: returnUrl }),
      (body) => [
        ...toFieldErrors('auth', body.auth === 'Y' ? fieldErrorTexts.notValid : null),
        ...chargeErrors({ ...body, auth: undefined }, 'debit', required),
      ],
      [...chargeRules, { fields: ['auth'], text: 'Y is refused: a debit is never only held.' }],
    ).transform(({ auth: _never, ...body }) => ({
      ...readCharge(body, 'debit'),
      authorizeOnly: false,
      returnUrl: body.payer_return_url,
    })),
  ),
);

/** What a SALE or a DEBIT2VIRTUAL is read as. */
export type ApmCharge = z.output<ReturnType<typeof saleSchema>> | z.output<ReturnType<typeof debitSchema>>;

/** CREDIT2VIRTUAL and CREDIT2CRYPTO. There may be no payer at all. */
export const creditSchema = z.preprocess(
  bare,
  withRules(
    z.object(payout),
    (body) => [
      ...orderErrors(body, false),
      ...payerErrors(body, []),
      ...cardErrors(body),
      ...payoutErrors(body),
      ...methodErrors(body, 'credit'),
    ],
    payoutRules,
  ).transform((body) => {
    const method = methodOf(body);
    return {
      ...body,
      order_description: body.order_description ?? '',
      payer: payerOf(body),
      payee: payeeOf(body),
      payer_language: languageOf(body),
      parameters: method ? parametersOf(body, method, 'credit').values : {},
    };
  }),
);

/** What a payout is read as. */
export type ApmCredit = z.output<typeof creditSchema>;
