// The bodies that providers return and send: the shapes that lib/connectors reads, with descriptions. A member that
// a shape leaves open, because it is decoded later, has its own shape here.
import { z } from 'zod';
import {
  capabilityShape,
  chargebackShape,
  errorShape,
  moneyShape,
  notificationShape,
  presentShape,
  referenceShape,
  responseShape,
  tokenShape,
} from '../connectors/index.ts';
import { declineClasses } from '../core/declines.ts';
import type { Schema } from '../core/openapi.ts';

type Help = { readonly [path: string]: string };

const amountPattern = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$';
const amount = moneyShape.shape.amount.meta({ pattern: amountPattern, examples: ['84.50'] });
const { currency } = moneyShape.shape;

const chargeback = chargebackShape.extend({ amount });

const operationShape = responseShape.extend({
  amount: amount.nullish(),
  currency: currency.nullish(),
  received: amount.nullish(),
  present: presentShape.nullish(),
  chargebacks: z.array(chargeback).nullish(),
  chargeback: chargeback.omit({ id: true, status: true }).nullish(),
});

const chargebackHelp = (path: string): Help => ({
  [`${path}.id`]: 'Unique in the payment; it never changes.',
  [`${path}.amount`]: "The disputed amount, above zero, in the payment's currency.",
  [`${path}.currency`]: 'The currency of the payment.',
  [`${path}.date`]: 'The day on which the provider received it.',
  [`${path}.bank_date`]: 'The day on which the bank decided.',
  [`${path}.reason_code`]: "The scheme's reason.",
  [`${path}.status`]: 'open (the default); won: the money was returned to the merchant.',
});

const presentHelp: Help = {
  'present.kind': 'The kind of the presentation.',
  'present.url': 'app: a deep link that the payer opens. message: a link that Florin sends to the payer.',
  'present.scheme': 'The scheme of the QR code.',
  'present.payload': 'The text of the QR code.',
  'present.renewable': 'Whether a new QR code can be requested after its end.',
  'present.sent_to': 'The masked recipient.',
  'present.rows': 'The data of the account or the voucher.',
  'present.rows.name': 'The name; a known one is translated.',
  'present.rows.value': 'The value.',
  'present.barcode': 'Up to 48 printable ASCII characters; with ITF an even number of digits.',
  'present.symbology': 'How the barcode is drawn: code128 (the default) or itf (Interleaved 2 of 5).',
  'present.channel': 'How Florin sends the link.',
  'present.address': 'The address to which the payer sends coins.',
  'present.network': 'The network of the coins.',
  'present.currency': 'The cryptocurrency.',
  'present.amount': 'The amount of coins. Without it any amount is accepted.',
  'present.memo': 'The memo of the transfer.',
  'present.wrong': 'Whether the previous code was wrong.',
  'present.expires_at': 'The end of its validity.',
};

const operationHelp: Help = {
  reference: 'That of the request. Florin ignores a response with another one.',
  status: 'approved, authorized and declined are final.',
  provider_reference: "The provider's own id, for support.",
  amount: 'The moved or authorised amount. Required with approved and authorized, except for a void.',
  currency: 'The currency of the amounts.',
  received: 'With processing: the amount received so far, if the payer pays in parts.',
  decline: 'The reason, with declined.',
  'decline.code': 'Lower-case words, for programs.',
  'decline.message': 'For the merchant, up to 255 characters, never a card number.',
  'decline.class': `One of ${declineClasses.join(', ')}. A missing or unknown class counts as bank.`,
  'decline.soft': 'Whether the same card can succeed in another attempt or with another provider.',
  action: 'Required with challenge and redirect: where the browser of the payer goes.',
  'action.url': 'The address, http or https.',
  'action.method': 'The method of the request.',
  'action.params': 'Query or form fields.',
  network: 'The data of the card network.',
  'network.rrn': 'The retrieval reference number.',
  'network.arn': 'The acquirer reference number.',
  'network.approval_code': 'The approval code.',
  'network.descriptor': "The text on the payer's statement.",
  'network.brand': 'The scheme in lower case.',
  three_ds:
    'The 3-D Secure data: threeDSServerTransID, dsTransID, acsTransID, xid, transStatus, transStatusReason, eci, protocolVersion, authenticationFlow.',
  extended: 'Further texts, passed on to merchants whose mapping asks for them.',
  present: 'With processing: the data for the payer.',
  ...presentHelp,
  chargebacks: 'Every chargeback of the payment, including those that are won.',
  ...chargebackHelp('chargebacks'),
  chargeback: 'The only chargeback of the payment, for providers with one per payment.',
  ...chargebackHelp('chargeback'),
};

const capabilities = capabilityShape.extend({
  wallet: z.enum(['decrypted', 'token', 'none']).nullish(),
  partial_capture: z.boolean().optional(),
  partial_refund: z.boolean().optional(),
  zero_amount: z.boolean().optional(),
  three_ds: z.boolean().optional(),
  external_three_ds: z.boolean().optional(),
  recurring: z.boolean().optional(),
});

const capabilityHelp: Help = {
  operations: 'The supported operations.',
  methods: 'The supported payment methods; empty means all.',
  wallet: 'The accepted form of Apple Pay and Google Pay: the decrypted card, the token, or none.',
  partial_capture: 'Whether a part of an authorisation can be captured.',
  partial_refund: 'Whether a part of a payment can be refunded.',
  zero_amount: 'Whether payments of zero are accepted.',
  three_ds: 'Whether the provider runs 3-D Secure.',
  external_three_ds: 'Whether results of 3-D Secure made elsewhere are accepted.',
  recurring: 'Whether recurring payments are accepted.',
};

/** Converts a shape to the schema of what a sender writes: no member has a default. */
export function wireSchema(shape: z.ZodType, help: Help = {}): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'catch') delete jsonSchema.default;
    },
  }) as Schema;
  return withHelp(converted, help, '');
}

/** Adds the descriptions of members by path. The members of a list and of alternatives have the path of their owner. */
function withHelp(schema: Schema, help: Help, path: string): Schema {
  const described = (inner: Schema) => withHelp(inner, help, path);
  const members = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const inside = path === '' ? name : `${path}.${name}`;
    const description = inner.description ?? help[inside];
    return [name, { ...withHelp(inner, help, inside), ...(description && { description }) }];
  });
  return {
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(members) }),
    ...(schema.items && { items: described(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(described) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(described) }),
  };
}

const operation = wireSchema(operationShape, operationHelp);

/** The schemas of responses and of the notification, by component name. */
export const providerAnswers: { readonly [name: string]: Schema } = {
  Operation: {
    ...operation,
    description: 'The state of an operation. A null member counts as absent; unknown members are ignored.',
    // Without an action the payer cannot go on, and the outcome is unknown.
    if: { properties: { status: { enum: ['challenge', 'redirect'] } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['action'], properties: { action: { type: 'object' } } },
  },
  Notification: {
    ...operation,
    description:
      'The body of GET /operations/{key}, or a part of it. Florin uses only reference and queries the operation.',
    properties: {
      ...operation.properties,
      ...wireSchema(notificationShape, { reference: 'The key of the operation that changed.' }).properties,
      bank_status: {
        type: 'string',
        description: "The bank's own status, a code of ISO 20022, for information.",
        examples: ['ACSC', 'RJCT', 'PDNG'],
      },
    },
    required: ['reference'],
  },
  Capabilities: wireSchema(capabilities, capabilityHelp),
  Token: wireSchema(tokenShape, { token: 'Authorises the next two calls for this payment.' }),
  Reference: wireSchema(referenceShape, {
    reference: 'The reference with which the payer pays.',
    gateway_id: "The gateway; without it that of the MID's settings is used.",
  }),
  Error: wireSchema(errorShape, {
    error: 'Why the request had no effect.',
    'error.code': 'Lower-case words, for programs.',
    'error.message': 'For the logs of the provider and the operator.',
  }),
};
