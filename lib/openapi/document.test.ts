import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { errors } from '../core/errors.ts';
import { type DocumentName, documentNames, type OpenApi, type Operation, type Schema } from '../core/openapi.ts';
import { signWebhook } from '../core/webhooks.ts';
import { parameterLines } from '../methods/catalog/lines.ts';
import { methods } from '../methods/catalog.ts';
import { checkoutRows, pageRows } from '../protocols/checkout/actions.ts';
import { actionRegistry } from '../protocols/pipeline/action-registry.ts';
import { unwrapSchema } from '../protocols/pipeline/schema-introspection.ts';
import { apmActions } from '../protocols/s2s-apm/actions.ts';
import { cardActions } from '../protocols/s2s-card/actions.ts';
import { documentOf } from './document.ts';
import { apmResponses, cardResponses, checkoutResponses } from './responses.ts';

const operationsOf = (document: OpenApi): Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item).flatMap((each) => each['x-operations']));

const schemaAt = (document: OpenApi, { $ref }: { $ref: string }): Schema =>
  document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {};

const protocols = { checkout: 'checkout', 's2s-card': 's2s_card', 's2s-apm': 's2s_apm' } as const;

/** The names at the top level of a zod schema. */
function namesIn(schema: Parameters<typeof unwrapSchema>[0]): string[] {
  return Object.keys(unwrapSchema(schema).def.shape ?? {});
}

/** Every field description by path. */
function fieldsOf(schema: Schema, path = ''): { path: string; description: string | undefined }[] {
  return [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, inner]) => {
      const inside = path === '' ? name : `${path}.${name}`;
      const members = name === 'parameters' ? [] : fieldsOf(inner, inside);
      return [{ path: inside, description: inner.description }, ...members];
    }),
  );
}

describe.each(documentNames)('the document of %s', (name: DocumentName) => {
  const document = documentOf(name);
  const operations = operationsOf(document);
  const rows = actionRegistry.filter(({ protocol }) => protocol === protocols[name]);

  it('is valid OpenAPI 3.1', async () => {
    const checked = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(checked.errors).toBeUndefined();
    expect(checked.valid).toBe(true);
  });

  it('has every operation of its table, and no other', () => {
    const names = rows.map(({ action }) => action.replace('/api/v1/', ''));
    expect([...new Set(operations.map((each) => each.name))].sort()).toEqual([...names].sort());
    for (const { summary } of operations) expect(summary).not.toBe('');
  });

  it('has every field of the schemas', () => {
    for (const { action, row } of rows) {
      const operation = operations.find((each) => each.name === action.replace('/api/v1/', '')) as Operation;
      const request = schemaAt(document, operation.request);
      const documents = new Set([...fieldsOf(request).map(({ path }) => path), ...(request['x-refused'] ?? [])]);
      const read = namesIn(typeof row.schema === 'function' ? row.schema(null) : row.schema);
      const lacking = read.filter((field) => field !== 'outside' && !documents.has(field));
      expect(lacking, action).toEqual([]);
    }
  });

  it('describes every field', () => {
    for (const { name: operation, request } of operations) {
      const silent = fieldsOf(schemaAt(document, request)).filter(({ description }) => !description);
      expect(silent, operation).toEqual([]);
    }
  });

  it('names only existing fields in its rules', () => {
    for (const { name: operation, request } of operations) {
      const schema = schemaAt(document, request);
      const known = new Set([...fieldsOf(schema).map(({ path }) => path), ...(schema['x-refused'] ?? []), 'delays']);
      const named = (schema['x-rules'] ?? []).flatMap(({ fields }) => fields);
      expect(
        named.filter((field) => !known.has(field)),
        operation,
      ).toEqual([]);
    }
  });

  it('has every error of the table with its condition', () => {
    expect(document['x-errors'].map(({ key }) => key)).toEqual(Object.keys(errors));
    for (const { when } of document['x-errors']) expect(when).not.toBe('');
  });

  it('has Retry-After for every 429 and 503', () => {
    for (const each of Object.values(document.paths).flatMap((item) => Object.values(item))) {
      const responses = each.responses as { [status: string]: { headers: object } };
      for (const status of ['429', '503']) {
        expect(Object.keys(responses[status]?.headers ?? {}), each.summary).toEqual(['Retry-After']);
      }
    }
  });

  it('has requests and responses that match its schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', ...document } as object);
    for (const { name: operation, request, answer, examples } of operations) {
      const takes = ajv.compile({ $ref: `document${request.$ref}` });
      for (const { value } of examples) expect([takes(value), takes.errors], operation).toEqual([true, null]);
      const gives = ajv.compile({ $ref: `document${answer.$ref}` });
      const [example] = schemaAt(document, answer).examples ?? [];
      expect([gives(example), gives.errors], operation).toEqual([true, null]);
    }
  });
});

describe.each(documentNames)('the callbacks of %s', (name: DocumentName) => {
  const document = documentOf(name);
  const { post } = document.webhooks.callback;
  const { body, examples, formulas, headers } = post['x-callback'];

  it('match their schema, which describes every field', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', ...document } as object);
    const fits = ajv.compile({ $ref: `document${body.$ref}` });
    for (const { value, summary } of examples) expect([fits(value), fits.errors], summary).toEqual([true, null]);
    expect(fieldsOf(schemaAt(document, body)).filter(({ description }) => !description)).toEqual([]);
  });

  it('have the headers that are sent', () => {
    const sent = Object.keys(signWebhook('whsec_AAAA', 'id', new Date(), ''));
    expect(headers.map((header) => header.name.toLowerCase())).toEqual([
      ...sent,
      'florin-sequence',
      'florin-operation-id',
    ]);
  });

  it('have every signature formula', () => {
    const own = {
      checkout: [
        'sha1(md5(upper(payment_id + order_number + order_amount + order_currency + order_description + password)))',
      ],
      's2s-card': [
        'md5(upper(reverse(payer_email of the payment) + password + trans_id + reverse(first 6 and last 4 digits of card)))',
        'md5(upper(password + trans_id + reverse(first 6 and last 4 digits of card)))',
      ],
      's2s-apm': [
        expect.stringMatching(
          /^md5\(upper\(reverse\(action\) \+ reverse\(amount\).* \+ reverse\(trans_id\) \+ password\)\)$/,
        ),
        'md5(upper(reverse(trans_id + order_id + status)) + password)',
        'md5(upper(reverse(payer_email of the payment) + password + trans_id))',
      ],
    };
    expect(formulas.map(({ formula }) => formula)).toEqual(own[name]);
  });

  it('are linked to the operations whose request can contain a callback URL', () => {
    const field = name === 'checkout' ? 'notification_url' : 'callback_url';
    for (const each of Object.values(document.paths).flatMap((item) => Object.values(item))) {
      const takes = each['x-operations'].some(({ request }) => schemaAt(document, request).properties?.[field]);
      const wanted = { callback: { [`{$request.body#/${field}}`]: { $ref: '#/webhooks/callback' } } };
      expect(each.callbacks, each.summary).toEqual(takes ? wanted : undefined);
    }
  });
});

describe('the documents together', () => {
  it('describe the responses of all registered operations and of no others', () => {
    expect(Object.keys(checkoutResponses)).toEqual([...checkoutRows, ...pageRows].map(({ path }) => path));
    expect(Object.keys(cardResponses)).toEqual(Object.keys(cardActions));
    expect(Object.keys(apmResponses)).toEqual(Object.keys(apmActions));
  });

  it('have every parameter of every method', () => {
    const { schemas } = documentOf('checkout').components;
    for (const { id, parameters, payout } of methods) {
      const lines = [...parameterLines(parameters), ...parameterLines(payout)];
      const documents = lines.length > 0 ? JSON.stringify(schemas[`parameters.${id}`]) : '';
      for (const { name } of lines) {
        for (const part of name.split(/\[\]\.|\./)) expect(documents, `${id} ${name}`).toContain(`"${part}":`);
      }
    }
  });

  it('have the formulas of every request', () => {
    const formulas = documentNames.flatMap((name) => operationsOf(documentOf(name)).flatMap((each) => each.formulas));
    expect(formulas.map(({ formula }) => formula)).toEqual(
      expect.arrayContaining([
        'sha1(md5(upper(order.number + order.amount + order.currency + order.description + password)))',
        'md5(upper(reverse(payer_email) + password + reverse(first 6 and last 4 digits of card_number)))',
        'md5(upper(reverse(trans_id)) + password)',
        'md5(upper(reverse(schedule_id + password)))',
      ]),
    );
  });
});
