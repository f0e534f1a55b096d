// Schemas of POST /api/v1/session, session/token and session/update, with the rules between fields (interface.md,
// Resources; protocol.md 3).
import { z } from 'zod';
import { type FieldError, fieldErrorTexts } from '../../core/errors.ts';
import type { FieldRule } from '../../core/openapi.ts';
import * as field from '../shared/fields.ts';
import { ignoringBlanks, type UncheckedBody, withoutBlanks, withRules } from '../shared/fields.ts';
import { cardParameterErrors } from './methods.ts';

/** Minutes until a session ends by itself. */
export const sessionMinutes = { least: 1, most: 720, default: 60 } as const;

const objects = ['order', 'customer', 'billing_address', 'payee', 'payee_billing_address'];

const minutes = z
  .union([z.number().int(), z.string().regex(/^[0-9]{1,4}$/)], { error: fieldErrorTexts.notValid })
  .meta({ minimum: sessionMinutes.least, maximum: sessionMinutes.most })
  .transform(Number)
  .refine((value) => value >= sessionMinutes.least && value <= sessionMinutes.most, fieldErrorTexts.notValid);

const method = field.patternText(/^[0-9A-Za-z_-]+$/, 64);

/** Members of a session request that an update may change. */
const changeable = {
  methods: z
    .array(method, { error: fieldErrorTexts.notValid })
    .max(field.methodsMax, fieldErrorTexts.notValid)
    .optional(),
  parameters: field.methodParameters.optional(),
  ...field.eachOf(['cancel_url', 'error_url', 'expiry_url'], field.returnUrl.optional()),
  url_target: field.choice(field.linkTargets).optional(),
  session_expiry: minutes.optional(),
  notification_url: field.webUrl.optional(),
  customer: field.customer.optional(),
  billing_address: field.billingAddress.optional(),
  payer_ip: field.customer.shape.ip,
  custom_data: field.customData.optional(),
};

const wholeOrder = {
  number: field.text(1, 255),
  amount: field.amount,
  currency: field.currency,
  description: field.text(2, 1024),
};

const sessionFields = {
  ...changeable,
  merchant_key: field.text(1, 64),
  operation: field.choice(['purchase', 'debit', 'credit', 'transfer']),
  order: z.object(wholeOrder, { error: fieldErrorTexts.notValid }),
  ...field.eachOf(['auth', 'req_token', 'recurring_init'], field.flag.optional()),
  ...field.eachOf(['recurring_consent_required', 'vat_calc'], field.flag.optional()),
  card_token: z
    .union([field.cardToken.transform((token) => [token]), z.array(field.cardToken).max(20)], {
      error: fieldErrorTexts.notValid,
    })
    .optional(),
  schedule_id: field.uuid.optional(),
  schedule_start_date: field.startDay.optional(),
  payment_schedule_amount: field.amount.optional(),
  channel_id: field.text(1, 16).optional(),
  form_id: field.formId.optional(),
  payee: field.customer.extend({ phone: field.phone.optional() }).optional(),
  payee_billing_address: field.billingAddress.optional(),
  ...field.eachOf(['payee_first_name', 'payee_last_name'], field.payerText.optional()),
  hash: field.text(1, 128),
};

/** The rules of {@link sessionErrors} as text. */
const sessionRules: readonly FieldRule[] = [
  field.amountRule('order.amount', ' Zero is for auth and for recurring_init only.'),
  { fields: ['auth'], text: 'true only if operation is purchase.' },
  { fields: ['recurring_init'], text: 'true only if operation is purchase or debit.' },
  {
    fields: ['schedule_id'],
    text: 'Only with recurring_init. Required with schedule_start_date and with payment_schedule_amount.',
  },
  { fields: ['payment_schedule_amount'], text: 'More than 0, in the currency of the order.' },
  {
    fields: ['parameters'],
    text: 'Parameters of methods that are not offered are ignored; those of card are read if methods is absent too.',
  },
];

/** Removes blank members; an absent order is reported as its blank fields, not as one. */
export function withOrder(body: unknown, blankable: readonly string[]): unknown {
  const present = withoutBlanks(body, blankable);
  return typeof present === 'object' && present !== null && !('order' in present) ? { ...present, order: {} } : present;
}

const newSession = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (body) => withOrder(body, objects),
    withRules(z.object({ ...sessionFields, ...shape }), sessionErrors, sessionRules),
  );

/** POST /api/v1/session. */
export const sessionSchema = newSession({ success_url: field.returnUrl, return_url: field.returnUrl.optional() });

/** POST /api/v1/session/token: the payer returns to `return_url` after 3DS. */
export const tokenSchema = newSession({ success_url: field.returnUrl.optional(), return_url: field.returnUrl });

export type SessionRequest = z.output<typeof sessionSchema> | z.output<typeof tokenSchema>;

/** Fields that an update may not contain, since they define the kind of payment. */
const immutableNames = [
  ...(['operation', 'auth', 'req_token', 'recurring_init', 'recurring_consent_required', 'vat_calc'] as const),
  ...(['card_token', 'schedule_id', 'schedule_start_date', 'payment_schedule_amount', 'return_url'] as const),
  ...(['payee', 'payee_billing_address'] as const),
];

/** PUT /api/v1/session/update: any of the changeable members. A blank member changes nothing. */
export const updateSchema = ignoringBlanks(
  z.object({
    ...changeable,
    success_url: field.returnUrl.optional(),
    order: z.object(wholeOrder, { error: fieldErrorTexts.notValid }).partial().optional(),
    hash: field.text(1, 128).optional(),
    ...field.eachOf(immutableNames, z.undefined({ error: fieldErrorTexts.notValid }).optional()),
  }),
  objects,
);

export type SessionUpdate = z.output<typeof updateSchema>;

/** Checks the rules between the fields of a request that creates a session. */
function sessionErrors(body: UncheckedBody): FieldError[] {
  const errors: FieldError[] = [];
  const addError = (path: string, text: string | null) => {
    if (text) errors.push({ path, text });
  };
  const order = (typeof body.order === 'object' && body.order !== null ? body.order : {}) as UncheckedBody;
  const authorizeOnly = body.auth === true;
  const recurring = body.recurring_init === true;
  addError('order.amount', field.orderAmountError(order.amount, order.currency, authorizeOnly || recurring));
  if (authorizeOnly && body.operation !== 'purchase') addError('auth', fieldErrorTexts.notValid);
  const charges = body.operation === 'purchase' || body.operation === 'debit';
  if (recurring && body.operation !== undefined && !charges) addError('recurring_init', fieldErrorTexts.notValid);
  if (body.schedule_id !== undefined && !recurring) addError('schedule_id', fieldErrorTexts.notValid);
  if (body.schedule_id === undefined) {
    if (body.schedule_start_date !== undefined || body.payment_schedule_amount !== undefined) {
      addError('schedule_id', fieldErrorTexts.blank);
    }
  }
  addError('payment_schedule_amount', field.orderAmountError(body.payment_schedule_amount, order.currency, false));
  // Parameters of methods that were not requested are ignored.
  const hasCard = !Array.isArray(body.methods) || body.methods.includes('card');
  if (hasCard) errors.push(...cardParameterErrors(body.parameters, body.operation));
  return errors;
}
