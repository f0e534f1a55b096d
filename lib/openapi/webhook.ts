// The callback of a protocol in OpenAPI: a webhook of the document, and a callback of every operation whose request can
// contain a callback URL.

import { retrySeconds } from '../callbacks/index.ts';
import type { Callback, Operation, Schema } from '../core/openapi.ts';
import { operationHeader, type RegisteredAction } from '../protocols/index.ts';
import { callbackExamples, callbackHeaders, callbackSchema } from './callbacks.ts';
import { responseSchema } from './schemas.ts';
import { uniqueFormulas } from './signature-formula.ts';

/** Returns the webhook of a protocol and adds its schema to `schemas`. */
export function callbackOf(protocol: RegisteredAction['protocol'], schemas: { [name: string]: Schema }) {
  const examplesWithFormulas = callbackExamples(protocol);
  const body = { $ref: '#/components/schemas/callback' };
  schemas.callback = responseSchema(callbackSchema(protocol));
  const headers = Object.entries(callbackHeaders).map(([name, description]) => ({ name, description }));
  const examples = examplesWithFormulas.map(({ summary, value }) => ({ summary, value }));
  const callback: Callback = {
    summary: 'A change of a payment.',
    body,
    headers,
    examples,
    formulas: uniqueFormulas(examplesWithFormulas.map(({ formula }) => formula)),
  };
  const examplesByName = examples.map((example, index) => [`callback-${index + 1}`, example]);
  return {
    operationId: 'callback',
    summary: callback.summary,
    description: `To ${protocol === 'checkout' ? 'notification_url' : 'callback_url'} of the request, or else to the default address of the merchant. More fields may come later.`,
    parameters: headers.map((header) => ({
      ...header,
      in: 'header',
      required: header.name !== operationHeader,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: body, examples: Object.fromEntries(examplesByName) } },
    },
    responses: {
      '2XX': {
        description: 'Received. The usual body is OK; ERROR counts as received too and is shown in the dashboard.',
        content: { 'text/plain': { schema: { type: 'string' }, example: 'OK' } },
      },
      default: {
        description: `Not received, as is no response within 10 seconds. The callback is sent again, up to ${retrySeconds.length} times.`,
      },
    },
    'x-callback': callback,
  };
}

/** Returns the callback reference of operations whose request has this field. */
export function callbacksTo(field: string, operations: readonly Operation[], schemas: { [name: string]: Schema }) {
  const hasField = operations.some(({ request }) => {
    const { properties = {} } = schemas[request.$ref.replace('#/components/schemas/', '')] ?? {};
    return properties[field] !== undefined;
  });
  if (!hasField) return {};
  return { callbacks: { callback: { [`{$request.body#/${field}}`]: { $ref: '#/webhooks/callback' } } } };
}
