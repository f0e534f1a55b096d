// Generates the OpenAPI 3.1 documents from the tables that the service uses: actions with their schemas, signatures,
// errors and the method catalogue. Extensions (`x-...`) describe what OpenAPI cannot: formulas, rules between fields,
// operations that share a path.
import { protocolBaseUrl } from '../config/index.ts';
import { errorConditions } from '../core/error-conditions.ts';
import { type ErrorKey, errorBody, errors } from '../core/errors.ts';
import type { DocumentName, Formula, OpenApi, Operation, OperationError, PathItem, Schema } from '../core/openapi.ts';
import { signatureHeader, timestampHeader } from '../core/request-signature.ts';
import { idempotencyKeyHeader } from '../payments/index.ts';
import { type Action, actionHelp, actionRegistry, operationHeader, type RegisteredAction } from '../protocols/index.ts';
import { callbackOf, callbacksTo } from './callbacks.ts';
import { examplesOf, type SignedExample } from './examples.ts';
import { apmResponses, cardResponses, checkoutResponses, type ResponseSpec } from './responses.ts';
import { exampleOf, fieldsIn, parameterSchemas, requestSchema, responseSchema } from './schemas.ts';
import { uniqueFormulas } from './signature-formula.ts';

type Schemas = { [name: string]: Schema };
type Paths = { [path: string]: PathItem };
type Protocol = RegisteredAction['protocol'];
type Plan = { protocol: Protocol; title: string; about: string; answers: { readonly [name: string]: ResponseSpec } };

const plans: { readonly [name in DocumentName]: Plan } = {
  checkout: {
    protocol: 'checkout',
    title: 'Checkout',
    about:
      "JSON. A merchant's server creates sessions and modifies payments; a page with hosted fields calls the paths under " +
      '/processing. A member that is null, a blank text or an empty list counts as absent.',
    answers: checkoutResponses,
  },
  's2s-card': {
    protocol: 's2s_card',
    title: 'S2S CARD',
    about:
      'Form-encoded, all actions at one path. Nested fields have brackets: mpi_data[eci]. A blank field counts as absent; ' +
      'a repeated field is refused.',
    answers: cardResponses,
  },
  's2s-apm': {
    protocol: 's2s_apm',
    title: 'S2S APM',
    about:
      'Form-encoded, all actions at one path, for all methods except cards. Nested fields have brackets: ' +
      'parameters[mobile_number]. A blank field counts as absent; a repeated field is refused.',
    answers: apmResponses,
  },
};

const cachedDocuments = new Map<DocumentName, OpenApi>();

/** Returns a document; it is generated once. */
export function documentOf(name: DocumentName): OpenApi {
  const document = cachedDocuments.get(name) ?? makeDocument(plans[name]);
  cachedDocuments.set(name, document);
  return document;
}

function makeDocument({ protocol, title, about, answers }: Plan): OpenApi {
  const schemas: Schemas = { Error: errorSchema, ...parameterSchemas(protocol) };
  const operations = actionRegistry
    .filter((each) => each.protocol === protocol)
    .map((each) => ({ registered: each, operation: operationOf(each, answers[each.action], schemas) }));
  const webhooks = { callback: { post: callbackOf(protocol, schemas) } };
  return {
    openapi: '3.1.1',
    info: { title: `Florin: ${title}`, version: '6.7.0', description: about },
    servers: [{ url: protocolBaseUrl(protocol) }],
    tags: tagsOf(protocol),
    paths: protocol === 'checkout' ? checkoutPaths(operations, schemas) : formPaths(operations, protocol, schemas),
    webhooks,
    components: { schemas },
    'x-errors': (Object.keys(errors) as ErrorKey[]).map(errorOf),
  };
}

type Tag = { name: string; description: string; pattern: RegExp };
const actionTag: Tag = { name: 'Actions', description: 'All actions, by the field action.', pattern: /^/ };

/** The groups of operations; an operation has the tag whose pattern its name matches. */
const tags: { readonly [name in Protocol]: readonly Tag[] } = {
  checkout: [
    { name: 'Sessions', description: 'Create and change sessions.', pattern: /^session/ },
    {
      name: 'Payments',
      description: 'Status, captures, refunds, voids, retries, recurring charges, payouts.',
      pattern: /^payment/,
    },
    { name: 'Saved cards', description: 'Card tokens.', pattern: /^card_token/ },
    { name: 'Hosted fields', description: 'Calls of pages with hosted fields.', pattern: /^processing/ },
  ],
  s2s_card: [actionTag],
  s2s_apm: [actionTag],
};

const tagsOf = (protocol: Protocol) => tags[protocol].map(({ name, description }) => ({ name, description }));

const tagOf = (protocol: Protocol, operation: string) =>
  tags[protocol].filter(({ pattern }) => pattern.test(operation)).map(({ name }) => name);

const errorSchema: Schema = {
  type: 'object',
  description: 'An error. errors lists every field error; without field errors it repeats the code and the message.',
  properties: {
    result: { const: 'ERROR' },
    error_code: { type: 'integer' },
    error_message: { type: 'string' },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: { error_code: { type: 'integer' }, error_message: { type: 'string' } },
        required: ['error_code', 'error_message'],
      },
    },
  },
  required: ['result', 'error_code', 'error_message', 'errors'],
};

const errorOf = (key: ErrorKey): OperationError => ({ key, ...errors[key], when: errorConditions[key] });

function operationOf(each: RegisteredAction, spec: ResponseSpec | undefined, schemas: Schemas): Operation {
  if (!spec) throw new Error(`${each.action} has no response schema`);
  const name = each.protocol === 'checkout' ? each.action.replace('/api/v1/', '') : each.action;
  const component = name.replaceAll('/', '.');
  const request = requestSchema(each);
  const examples = examplesOf(each, fieldsIn(request));
  const formulas = formulasOf(examples);
  schemas[`${component}.request`] = withHash(request, formulas);
  schemas[`${component}.answer`] = responseSchema(spec.response);
  return {
    name,
    summary: actionHelp[each.action] ?? '',
    request: { $ref: `#/components/schemas/${component}.request` },
    answer: { $ref: `#/components/schemas/${component}.answer` },
    examples: examples.map(({ summary, body }) => ({ summary, value: body })),
    formulas,
    errors: errorsOf(each, spec, request, examples).map(errorOf),
  };
}

function formulasOf(examples: readonly SignedExample[]): Formula[] {
  return uniqueFormulas(
    examples.flatMap(({ summary: when, formulas }) => formulas.map((formula) => ({ when, formula }))),
  );
}

function withHash(request: Schema, formulas: readonly Formula[]): Schema {
  const hash = request.properties?.hash;
  if (!hash) return request;
  const formulaTexts = formulas.map(({ when, formula }) =>
    formulas.length > 1 ? `${when}: ${formula}.` : `${formula}.`,
  );
  const opening = 'The signature in hex over the texts exactly as sent. Absent fields are omitted.';
  const description = [opening, ...formulaTexts, 'With the mapping option, sha256 replaces md5.'].join(' ');
  return { ...request, properties: { ...request.properties, hash: { ...hash, description } } };
}

/** Returns the possible errors of an operation, in the order of the error table. */
function errorsOf(
  { protocol, row }: RegisteredAction,
  spec: ResponseSpec,
  request: Schema,
  examples: readonly SignedExample[],
): ErrorKey[] {
  const text = JSON.stringify(request);
  const keys = Object.keys(errors) as ErrorKey[];
  const possible = new Set<ErrorKey>([
    'requestDataInvalid',
    'mappingMissing',
    ...(row.caller ? (['tokenNotValid'] as const) : (['useTestKey'] as const)),
    ...(row.fromPayers ? [] : (['ipNotAllowed', 'hashNotValid'] as const)),
    ...(protocol === 'checkout' ? [] : (['actionUnknown'] as const)),
    ...(text.includes('"format":"uuid"') ? (['notUuid'] as const) : []),
    ...(/"(order_)?amount":/.test(text) ? (['amountNotPositive'] as const) : []),
    ...notFoundErrorsOf(row, examples),
    ...spec.errors,
    ...keys.filter((key) => isRetryable(errors[key].http)),
  ]);
  return keys.filter((key) => possible.has(key));
}

const isRetryable = (http: number) => http === 429 || http === 503;

function notFoundErrorsOf({ missing }: Action, examples: readonly SignedExample[]): ErrorKey[] {
  if (missing === undefined) return [];
  return typeof missing === 'string' ? [missing] : examples.map(({ input }) => missing(input));
}

type RegisteredOperation = { registered: RegisteredAction; operation: Operation };

function checkoutPaths(operations: readonly RegisteredOperation[], schemas: Schemas): Paths {
  return Object.fromEntries(
    operations.map(({ registered: { path, method, row }, operation }) => [
      path,
      {
        [method.toLowerCase()]: {
          operationId: operation.name.replaceAll('/', '.'),
          tags: tagOf('checkout', operation.name),
          summary: operation.summary,
          ...callbacksTo('notification_url', [operation], schemas),
          parameters: [
            ...(row.caller ? [tokenHeader] : []),
            ...(takesIdempotencyKey(operation) ? [idempotencyHeader] : []),
            ...(row.fromPayers ? [] : signatureHeaders),
          ],
          ...pathOf([operation], 'application/json', operation.request, schemas),
        },
      },
    ]),
  );
}

const tokenHeader = {
  name: 'Token',
  in: 'header',
  required: true,
  description: "The session's token: that of hosted fields, or the last part of the payment page's URL.",
  schema: { type: 'string' },
};

/** Whether the operation is a modification, which accepts an idempotency key and has an id of its own. */
const takesIdempotencyKey = ({ errors: errorKeys }: Operation) => errorKeys.some(({ key }) => key === 'keyReused');

const idempotencyHeader = {
  name: idempotencyKeyHeader,
  in: 'header',
  required: false,
  description:
    'Your key for a capture, refund or void, unique per payment. A repeat of the request with the same key gets the ' +
    'first response, and the money moves once. Other operations ignore it.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const operationIdHeader = (required: boolean) => ({
  [operationHeader]: {
    description: 'The ID of the capture, refund or void. Its callbacks contain it too.',
    required,
    schema: { type: 'string', format: 'uuid' },
  },
});

/** The request signature, which a protocol mapping can require. */
const signatureHeaders = [timestampHeader, signatureHeader].map((name) => ({
  name,
  in: 'header',
  required: false,
  description:
    'A signature of the whole request. Required if the protocol mapping requires it; verified whenever it is sent.',
  schema: { type: 'string' },
}));

function formPaths(registered: readonly RegisteredOperation[], protocol: Protocol, schemas: Schemas): Paths {
  const operations = registered.map(({ operation }) => operation);
  const mapping = Object.fromEntries(operations.map(({ name, request }) => [name, request.$ref]));
  const body = { oneOf: operations.map(({ request }) => request), discriminator: { propertyName: 'action', mapping } };
  const type = 'application/x-www-form-urlencoded';
  const post = (operationId: string, summary: string) => ({
    post: {
      operationId,
      tags: tagOf(protocol, operationId),
      summary,
      ...callbacksTo('callback_url', operations, schemas),
      parameters: [idempotencyHeader, ...signatureHeaders],
      ...pathOf(operations, type, body, schemas),
    },
  });
  if (protocol === 's2s_apm') {
    return { '/post': post('post', 'Every action.'), '/post-va': post('postVa', 'The same at its other path.') };
  }
  const info = operations.filter(({ name }) => name === 'SCHEDULE_INFO');
  return {
    '/post': { ...post('post', 'Every action.'), get: scheduleInfoByGet(info, schemas) },
    '/v2/post': post('postV2', 'The same; redirect_params of a response are a list of names and values.'),
  };
}

function scheduleInfoByGet(operations: readonly Operation[], schemas: Schemas) {
  const { properties = {}, required = [] } = schemas['SCHEDULE_INFO.request'] ?? {};
  const { requestBody: _none, ...rest } = pathOf(operations, '', {}, schemas);
  const parameters = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return { operationId: 'scheduleInfo', summary: 'SCHEDULE_INFO only.', parameters, ...rest };
}

function pathOf(operations: readonly Operation[], type: string, schema: object, schemas: Schemas) {
  const named = operations.flatMap(({ name, examples }) =>
    examples.map(({ summary, value }, index) => [`${name.replaceAll('/', '.')}-${index + 1}`, { summary, value }]),
  );
  const encodings = Object.fromEntries(
    ['mpi_data', 'parameters', 'custom_data'].map((name) => [name, { style: 'deepObject', explode: true }]),
  );
  const isForm = type !== 'application/json';
  return {
    requestBody: {
      required: true,
      content: { [type]: { schema, examples: Object.fromEntries(named), ...(isForm && { encoding: encodings }) } },
    },
    responses: responsesOf(operations, schemas),
    'x-operations': operations,
  };
}

function responsesOf(operations: readonly Operation[], schemas: Schemas) {
  const responses = operations.map(({ answer }) => answer);
  const examples = operations.map(({ name, answer }) => [
    name.replaceAll('/', '.'),
    { value: exampleOf(schemas[answer.$ref.replace('#/components/schemas/', '')] ?? {}) },
  ]);
  const [only] = responses;
  const schema = only && responses.length === 1 ? only : { anyOf: responses };
  const errorsByKey = new Map(operations.flatMap((each) => each.errors.map((error) => [error.key, error] as const)));
  const statuses = [...new Set([...errorsByKey.values()].map(({ http }) => http))].sort((a, b) => a - b);
  const errorResponses = statuses.map((status) => {
    const keys = [...errorsByKey.values()].filter(({ http }) => http === status);
    const response = errorResponse(keys.map(({ code, message }) => `${code} ${message}`).join('\n'), keys);
    return [String(status), isRetryable(status) ? { ...response, headers: retryAfter } : response];
  });
  return {
    '200': {
      description: 'Accepted.',
      ...(operations.some(takesIdempotencyKey) && {
        headers: operationIdHeader(operations.every(takesIdempotencyKey)),
      }),
      content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
    },
    ...Object.fromEntries(errorResponses),
    '500': errorResponse('An internal error. The message contains a reference.', []),
  };
}

const retryAfter = {
  'Retry-After': {
    description: 'The seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer' },
  },
};

function errorResponse(description: string, list: readonly OperationError[]) {
  const examples = list.map(({ key, code, message, when }) => [
    key,
    { summary: when, value: errorBody(code, message) },
  ]);
  const schema = { $ref: '#/components/schemas/Error' };
  return { description, content: { 'application/json': { schema, examples: Object.fromEntries(examples) } } };
}
