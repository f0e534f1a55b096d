// The callback of a protocol as OpenAPI has it: a webhook of the document, and a callback of every operation whose request
// can name an address for it.

import { retrySeconds } from '../callbacks';
import type { Callback, Operation, Schema } from '../core/openapi';
import { operationHeader, type RegisteredAction } from '../protocols';
import { callbackExamples, callbackHeaders, callbackSchema } from './callbacks';
import { uniqueFormulas } from './formula';
import { responseSchema } from './schemas';

/** The callback of a protocol: to whatever address a request has named, or else to the merchant's default one. */
export function callbackOf(protocol: RegisteredAction['protocol'], schemas: { [name: string]: Schema }) {
  const told = callbackExamples(protocol);
  const body = { $ref: '#/components/schemas/callback' };
  schemas.callback = responseSchema(callbackSchema(protocol));
  const headers = Object.entries(callbackHeaders).map(([name, description]) => ({ name, description }));
  const examples = told.map(({ summary, value }) => ({ summary, value }));
  const callback: Callback = {
    summary: 'A change of a payment.',
    body,
    headers,
    examples,
    formulas: uniqueFormulas(told.map(({ formula }) => formula)),
  };
  const named = examples.map((example, at) => [`callback-${at + 1}`, example]);
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
      content: { 'application/x-www-form-urlencoded': { schema: body, examples: Object.fromEntries(named) } },
    },
    responses: {
      '2XX': {
        description: 'Delivered; OK is the usual body. ERROR also counts as delivered, and the dashboard marks it.',
        content: { 'text/plain': { schema: { type: 'string' }, example: 'OK' } },
      },
      default: {
        description: `Not received, as no answer within 10 seconds: sent again, ${retrySeconds.length} times in all.`,
      },
    },
    'x-callback': callback,
  };
}

/** Where callbacks go that a request has named an address for. */
export function callbacksTo(field: string, operations: readonly Operation[], schemas: { [name: string]: Schema }) {
  const names = operations.some(({ request }) => {
    const { properties = {} } = schemas[request.$ref.replace('#/components/schemas/', '')] ?? {};
    return properties[field] !== undefined;
  });
  if (!names) return {};
  return { callbacks: { callback: { [`{$request.body#/${field}}`]: { $ref: '#/webhooks/callback' } } } };
}
