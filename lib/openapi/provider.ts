// Generates the OpenAPI 3.1 document of the open provider contract (docs/providers/contract.md): the calls that Florin
// sends to a provider, and the notification that the provider sends. Serves this and the other documents.
import type { z } from 'zod';
import { documentFileNames, type Schema } from '../core/openapi.ts';
import type { WebhookHeaders } from '../core/webhooks.ts';
import { cacheableText, type HttpRequest, type HttpResult, type Route } from '../http/index.ts';
import { documentOf } from './document.ts';
import { providerAnswers, wireSchema } from './provider-answers.ts';
import * as requests from './provider-requests.ts';

type Header = { name: string; in: 'header' | 'path'; required: boolean; description: string; schema: Schema };

type Call = {
  method: 'get' | 'post';
  path: string;
  operationId: string;
  summary: string;
  request?: z.ZodType;
  answer: string;
  headers: readonly Header[];
  errors: readonly ErrorStatus[];
  security?: 'token';
  notifies?: true;
};

type ErrorStatus = keyof typeof errorAnswers;

/** The refusals by status, with the codes that the contract names. */
const errorAnswers = {
  '400': 'Malformed body or amount, header missing. credentials_missing: a credential of the method is missing.',
  '401': 'The API key is not valid.',
  '403': 'The API key is not valid for this.',
  '404': 'payment_not_found: the payment of the path is not known.',
  '408': 'deadline_passed: the request arrived after Florin-Deadline. It has no effect, and its key stays free.',
  '409':
    'operation_in_progress: another request with the key is in progress. idempotency_mismatch: the key belongs to another request.',
  '413': 'The body is too large.',
  '422': 'The request is not supported. nothing_to_answer: the payment does not wait for this.',
  '429': 'Too many requests; no effect.',
} as const;

const outcomeUnknown = 'Not understood: the outcome of the operation is unknown.';
const notReceived = 'operation_not_found: this key was never received.';

const header = (name: string, required: boolean, description: string, schema: Schema): Header => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});
const keyText = { type: 'string', minLength: 1, maxLength: 255 } as const;

const prefer = header('Prefer', true, 'The seconds that Florin waits for the response. For information.', {
  type: 'string',
  pattern: '^wait=[0-9]+$',
  examples: ['wait=30'],
});
const idempotencyKey = header(
  'Idempotency-Key',
  true,
  'The same text as reference in the body. Requests with the same key have one effect and one response, for at least 90 days.',
  keyText,
);
const deadline = header(
  'Florin-Deadline',
  false,
  'The time until which the request may be carried out. A request with an unknown key that arrives later is refused with 408. Without the header there is no deadline.',
  { type: 'string', format: 'date-time', examples: ['2026-11-20T17:03:01.588Z'] },
);
const authorizationToken = header(
  'X-Authorization-Token',
  false,
  "The token of a prepared payment. The MID's settings of a method whose names begin with X- are sent as headers too.",
  { type: 'string' },
);

const keyHeaders = [prefer, idempotencyKey];
const orderHeaders = [...keyHeaders, deadline];
const requestErrors = ['400', '401', '403', '413', '422', '429'] as const;
const keyErrors = [...requestErrors, '409'] as const;
const orderErrors = [...keyErrors, '408'] as const;

type Post = (operationId: string, path: string, summary: string, request: z.ZodType, more?: Partial<Call>) => Call;

const order: Post = (operationId, path, summary, request, more) => ({
  method: 'post',
  path,
  operationId,
  summary,
  request,
  answer: 'Operation',
  headers: orderHeaders,
  errors: orderErrors,
  ...more,
});

/** A call that prepares a payment by a method with a private key. */
const preparation: Post = (operationId, path, summary, request, more) => ({
  ...order(operationId, path, summary, request),
  headers: [prefer],
  errors: requestErrors,
  ...more,
});

const calls: readonly Call[] = [
  order('pay', '/payments', 'Captures or authorises a payment.', requests.paymentRequest, {
    headers: [...orderHeaders, authorizationToken],
    notifies: true,
  }),
  order(
    'capture',
    '/payments/{original}/capture',
    'Captures an authorisation, in whole or in part, once.',
    requests.modificationRequest,
    { errors: [...orderErrors, '404'] },
  ),
  order(
    'refund',
    '/payments/{original}/refund',
    'Refunds a captured payment. Several partial refunds are possible up to the captured amount.',
    requests.modificationRequest,
    { errors: [...orderErrors, '404'] },
  ),
  // A void of an unknown payment reserves its key and is approved.
  order(
    'void',
    '/payments/{original}/void',
    'Cancels a payment, voids an authorisation, or reverses a capture. Afterwards no money moves.',
    requests.voidRequest,
  ),
  order(
    'proceed',
    '/payments/{original}/proceed',
    "Passes on the payer's input. The response is the state of the payment.",
    requests.proceedRequest,
    { headers: keyHeaders, errors: [...keyErrors, '404'] },
  ),
  order('payout', '/payouts', 'Pays money out.', requests.payoutRequest, { notifies: true }),
  {
    method: 'get',
    path: '/operations/{key}',
    operationId: 'status',
    answer: 'Operation',
    headers: [prefer],
    summary: 'Returns the current state of the operation with this key.',
    errors: ['401', '403', '404', '429'],
  },
  {
    method: 'get',
    path: '/capabilities',
    operationId: 'capabilities',
    answer: 'Capabilities',
    headers: [prefer],
    summary: 'Returns the features of the provider. Sent when a user tests the connection of a MID.',
    errors: ['401', '403', '429'],
  },
  preparation(
    'token',
    '/tokens',
    'Prepares a payment by a method with a private key: issues a token.',
    requests.tokenRequest,
    { answer: 'Token' },
  ),
  preparation(
    'reference',
    '/references',
    'Prepares a payment by a method with a private key: issues the reference with which the payer pays.',
    requests.referenceRequest,
    { answer: 'Reference', security: 'token' },
  ),
];

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const requestName = ({ operationId }: Call) => `${operationId}.request`;
const content = (name: string) => ({ 'application/json': { schema: schemaRef(name) } });

/** Returns the document of the provider contract. */
export function providerDocument() {
  const requestSchemas = calls.flatMap((call) =>
    call.request ? [[requestName(call), wireSchema(call.request)] as const] : [],
  );
  const schemas: { [name: string]: Schema } = { ...Object.fromEntries(requestSchemas), ...providerAnswers };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Florin: provider contract',
      version: '1.0.0',
      description:
        'The HTTP interface between Florin and a provider that moves money. Florin sends the requests below to the ' +
        'provider, which sends the notification to Florin. JSON in UTF-8, at most 256 KB. Both sides ignore unknown ' +
        'members. A response that Florin does not understand is unknown, never a decline: Florin queries the operation.',
    },
    servers: [
      {
        url: '{url}',
        variables: {
          url: { default: 'https://provider.example/v1', description: 'The URL in the settings of the MID.' },
        },
      },
    ],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(calls.map((call) => [call.path, { [call.method]: operationOf(call) }])),
    webhooks: { notification: { post: notification } },
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: "The MID's API key." },
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token of POST /tokens.' },
      },
    },
  } as const;
}

function operationOf(call: Call) {
  const { path, operationId, summary, request, answer, headers, errors, security, notifies } = call;
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  return {
    operationId,
    summary,
    ...(security && { security: [{ [security]: [] }] }),
    parameters: [...(name ? [pathParameter(name)] : []), ...headers],
    ...(request && { requestBody: { required: true, content: content(requestName(call)) } }),
    responses: {
      '200': { description: 'Received and understood, including declines.', content: content(answer) },
      ...(request && { '201': { description: 'As 200.', content: content(answer) } }),
      ...Object.fromEntries([...errors].sort().map((status) => [status, errorAnswer(operationId, status)])),
      default: { description: answer === 'Operation' ? outcomeUnknown : 'Not understood.' },
    },
    ...(notifies && {
      callbacks: { notification: { '{$request.body#/notify_url}': { $ref: '#/webhooks/notification' } } },
    }),
  };
}

const pathParameter = (name: string): Header => ({
  name,
  in: 'path',
  required: true,
  description: name === 'original' ? 'The reference of the payment.' : 'The reference of the operation.',
  schema: keyText,
});

function errorAnswer(operationId: string, status: ErrorStatus) {
  const isNotReceived = operationId === 'status' && status === '404';
  return { description: isNotReceived ? notReceived : errorAnswers[status], content: content('Error') };
}

/** The headers of a notification, as Standard Webhooks defines them. */
const notificationHeaders: { readonly [name in keyof WebhookHeaders]: string } = {
  'webhook-id': 'The id of the message; the same in every attempt.',
  'webhook-timestamp': 'Unix time of this attempt in seconds; refused if it differs by more than 5 minutes.',
  'webhook-signature':
    'v1, and the base64 HMAC-SHA256 of {id}.{timestamp}.{body}; several, separated by spaces, during a change of the secret.',
};

const notification = {
  operationId: 'notification',
  summary: 'An operation has changed without a call from Florin.',
  description:
    'To notify_url of the payment or payout. It is sent again with increasing intervals until it is acknowledged. ' +
    'It may arrive twice, late or out of order.',
  // The signature authenticates it.
  security: [],
  parameters: Object.entries(notificationHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: content('Notification') },
  responses: {
    '2XX': { description: 'Acknowledged.' },
    default: { description: 'Not acknowledged, as is no response within 10 seconds. The notification is sent again.' },
  },
};

/** GET /openapi/checkout.json, /openapi/s2s-card.json, /openapi/s2s-apm.json, /openapi/provider.json. */
export const openApiRoutes: Route[] = documentFileNames.map((name) => {
  let serve: ((request: HttpRequest) => HttpResult) | undefined;
  return {
    method: 'GET',
    path: `/openapi/${name}.json`,
    run: (request) => {
      serve ??= cacheableText(JSON.stringify(name === 'provider' ? providerDocument() : documentOf(name), null, 1), {
        'access-control-allow-origin': '*',
      });
      return serve(request);
    },
  };
});
