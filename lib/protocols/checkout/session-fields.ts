// What a session request may hold: the schema of POST /api/v1/session and of its two relatives, session/token and
// session/update, with the rules between fields (interface.md, Resources; protocol.md 3).
import { z } from 'zod';
import { type FieldFault, texts } from '../../core/errors';
import type { FieldRule } from '../../core/openapi';
import { cardParameterFaults } from '../shared/card-parameters';
import {
  amount,
  amountFault,
  billingAddress,
  choice,
  currency,
  customData,
  customer,
  flag,
  isZero,
  type Loose,
  methodParameters,
  payerText,
  returnUrl,
  shaped,
  startDay,
  text,
  uuid,
  webUrl,
  withoutBlanks,
  withRules,
} from '../shared/fields';

export const linkTargets = ['_blank', '_self', '_parent', '_top'] as const;

/** Minutes until a session ends by itself. */
export const sessionMinutes = { least: 1, most: 720, default: 60 } as const;

const objects = ['order', 'customer', 'billing_address', 'payee', 'payee_billing_address'];

const minutes = z
  .union([z.number().int(), z.string().regex(/^[0-9]{1,4}$/)], { error: texts.notValid })
  .meta({ minimum: sessionMinutes.least, maximum: sessionMinutes.most })
  .transform(Number)
  .refine((value) => value >= sessionMinutes.least && value <= sessionMinutes.most, texts.notValid);

const cardToken = shaped(/^[0-9A-Za-z-]+$/, 128);

const method = shaped(/^[0-9A-Za-z_-]+$/, 64);

/** Members that a session may carry and an update may change. */
const changeable = {
  methods: z.array(method, { error: texts.notValid }).max(400, texts.notValid).optional(),
  parameters: methodParameters.optional(),
  cancel_url: returnUrl.optional(),
  error_url: returnUrl.optional(),
  expiry_url: returnUrl.optional(),
  url_target: choice(linkTargets).optional(),
  session_expiry: minutes.optional(),
  notification_url: webUrl.optional(),
  customer: customer.optional(),
  billing_address: billingAddress.optional(),
  payer_ip: customer.shape.ip,
  custom_data: customData.optional(),
};

const wholeOrder = {
  number: text(1, 255),
  amount,
  currency,
  description: text(2, 1024),
};

const opening = {
  ...changeable,
  merchant_key: text(1, 64),
  operation: choice(['purchase', 'debit', 'credit', 'transfer']),
  order: z.object(wholeOrder, { error: texts.notValid }),
  auth: flag.optional(),
  req_token: flag.optional(),
  recurring_init: flag.optional(),
  recurring_consent_required: flag.optional(),
  vat_calc: flag.optional(),
  card_token: z
    .union([cardToken.transform((token) => [token]), z.array(cardToken).max(20)], { error: texts.notValid })
    .optional(),
  schedule_id: uuid.optional(),
  schedule_start_date: startDay.optional(),
  payment_schedule_amount: amount.optional(),
  channel_id: text(1, 16).optional(),
  form_id: text(1, 64).optional(),
  payee: customer.extend({ phone: payerText.optional() }).optional(),
  payee_billing_address: billingAddress.optional(),
  payee_first_name: payerText.optional(),
  payee_last_name: payerText.optional(),
  hash: text(1, 128),
};

/** What {@link openingFaults} checks, in words. */
const openingRules: readonly FieldRule[] = [
  {
    fields: ['order.amount'],
    text: 'More than 0, with no more decimals than the currency has. Zero is for auth and for recurring_init only.',
  },
  { fields: ['auth'], text: 'true only where operation is purchase.' },
  { fields: ['recurring_init'], text: 'true only where operation is purchase or debit.' },
  {
    fields: ['schedule_id'],
    text: 'Only with recurring_init. Required with schedule_start_date and with payment_schedule_amount.',
  },
  { fields: ['payment_schedule_amount'], text: 'More than 0, in the currency of the order.' },
  {
    fields: ['parameters'],
    text: 'Those of methods that are not offered are not read; those of card are read where methods is absent too.',
  },
];

// An absent order is four blank fields, not one.
function openingBody(body: unknown): unknown {
  const kept = withoutBlanks(body, objects);
  return typeof kept === 'object' && kept !== null && !('order' in kept) ? { ...kept, order: {} } : kept;
}

/** POST /api/v1/session. */
export const sessionSchema = z.preprocess(
  openingBody,
  withRules(
    z.object({ ...opening, success_url: returnUrl, return_url: returnUrl.optional() }),
    openingFaults,
    openingRules,
  ),
);

/** POST /api/v1/session/token: `return_url` is where the payer comes back to after 3DS. */
export const tokenSchema = z.preprocess(
  openingBody,
  withRules(
    z.object({ ...opening, success_url: returnUrl.optional(), return_url: returnUrl }),
    openingFaults,
    openingRules,
  ),
);

export type SessionRequest = z.output<typeof sessionSchema> | z.output<typeof tokenSchema>;

/** Fields that decide what kind of payment it is; a session keeps them for good. */
const fixed = z.undefined({ error: texts.notValid }).optional();

/** PUT /api/v1/session/update: any of the changeable members. A blank one changes nothing. */
export const updateSchema = z.preprocess(
  (body) => withoutBlanks(body, objects),
  z.object({
    ...changeable,
    success_url: returnUrl.optional(),
    order: z.object(wholeOrder, { error: texts.notValid }).partial().optional(),
    hash: text(1, 128).optional(),
    operation: fixed,
    auth: fixed,
    req_token: fixed,
    recurring_init: fixed,
    recurring_consent_required: fixed,
    vat_calc: fixed,
    card_token: fixed,
    schedule_id: fixed,
    schedule_start_date: fixed,
    payment_schedule_amount: fixed,
    return_url: fixed,
    payee: fixed,
    payee_billing_address: fixed,
  }),
);

export type SessionUpdate = z.output<typeof updateSchema>;

/** The rules between the fields of a request that opens a session. */
function openingFaults(body: Loose): FieldFault[] {
  const faults: FieldFault[] = [];
  const blame = (path: string, fault: string | null) => {
    if (fault) faults.push({ path, text: fault });
  };
  const order = (typeof body.order === 'object' && body.order !== null ? body.order : {}) as Loose;
  const authorizeOnly = body.auth === true;
  const recurring = body.recurring_init === true;
  blame('order.amount', orderAmountFault(order.amount, order.currency, authorizeOnly || recurring));
  if (authorizeOnly && body.operation !== 'purchase') blame('auth', texts.notValid);
  const charges = body.operation === 'purchase' || body.operation === 'debit';
  if (recurring && body.operation !== undefined && !charges) blame('recurring_init', texts.notValid);
  if (body.schedule_id !== undefined && !recurring) blame('schedule_id', texts.notValid);
  if (body.schedule_id === undefined) {
    if (body.schedule_start_date !== undefined || body.payment_schedule_amount !== undefined) {
      blame('schedule_id', texts.blank);
    }
  }
  blame('payment_schedule_amount', orderAmountFault(body.payment_schedule_amount, order.currency, false));
  // Parameters of methods that are not asked for are left unread.
  const hasCard = !Array.isArray(body.methods) || body.methods.includes('card');
  if (hasCard) faults.push(...cardParameterFaults(body.parameters, body.operation));
  return faults;
}

/**
 * What is wrong with an amount that was sent as text. Zero is for authorizations and first payments of a chain only
 * (interface.md, Resources, rule 2); whether a merchant account supports it there is a question of routing.
 */
export function orderAmountFault(value: unknown, inCurrency: unknown, zeroAllowed: boolean): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const fault = amountFault(value, inCurrency);
  return fault ?? (isZero(value) && !zeroAllowed ? texts.positive : null);
}
