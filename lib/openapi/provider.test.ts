import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { PayRequest, Target } from '../connectors/connector.ts';
import { httpConnector, referenceShape, tokenShape } from '../connectors/http.ts';
import {
  capabilityShape,
  chargebackShape,
  errorShape,
  moneyShape,
  notificationShape,
  responseShape,
} from '../connectors/http.wire.ts';
import { presentShape } from '../connectors/present.wire.ts';
import { answering, type Call, testProviders } from '../connectors/provider.test-server.ts';
import type { Schema } from '../core/openapi.ts';
import { signWebhook } from '../core/webhooks.ts';
import { bodyTextOf } from '../http/index.ts';
import { log } from '../telemetry/log.ts';
import { openApiRoutes, providerDocument } from './provider.ts';

log.level = 'silent';

type Parameter = { name: string; in: string; required: boolean };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
};
type Provider = {
  paths: { [path: string]: { get?: Operation; post?: Operation } };
  webhooks: { notification: { post: Operation } };
  components: { schemas: { [name: string]: Schema } };
};

const document: Provider = JSON.parse(JSON.stringify(providerDocument()));
const { schemas } = document.components;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', ...document } as object);

/** The violations of a component's schema. */
function faultsOf(name: string, value: unknown): unknown {
  const fits = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  return fits(value) ? [] : fits.errors;
}

/** The names of the members of a schema and of its alternatives, by path. */
function pathsOf(schema: Schema, path = ''): string[] {
  const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const inside = path === '' ? name : `${path}.${name}`;
    return [inside, ...pathsOf(inner, inside)];
  });
  return [...members, ...others.flatMap((each) => pathsOf(each, path))];
}

type Def = { innerType?: z.ZodType; shape?: { [name: string]: z.ZodType }; options?: z.ZodType[]; element?: z.ZodType };

/** The names of the members that a zod shape reads, by path. */
function readPaths(shape: z.ZodType, path = ''): string[] {
  const { innerType, shape: members = {}, options = [], element } = shape._zod.def as Def;
  const own = Object.entries(members).flatMap(([name, inner]) => {
    const inside = path === '' ? name : `${path}.${name}`;
    return [inside, ...readPaths(inner, inside)];
  });
  const others = [...options, ...(innerType ? [innerType] : []), ...(element ? [element] : [])];
  return [...own, ...others.flatMap((each) => readPaths(each, path))];
}

describe('the document of the provider contract', () => {
  it('is valid OpenAPI 3.1', async () => {
    const checked = await new Validator().validate(structuredClone(document));
    expect(checked.errors).toBeUndefined();
    expect(checked.valid).toBe(true);
  });

  it('is served at /openapi/provider.json', async () => {
    const route = openApiRoutes.find(({ path }) => path === '/openapi/provider.json');
    const response = await route?.run(
      new Request('https://florin.example/openapi/provider.json'),
      {},
      { address: '203.0.113.7' },
    );
    expect(response?.headers['access-control-allow-origin']).toBe('*');
    expect(response && JSON.parse(await bodyTextOf(response))).toEqual(document);
  });

  it('describes every member', () => {
    for (const [name, schema] of Object.entries(schemas)) expect(undescribed(schema), name).toEqual([]);
  });

  it.each<[string, string, z.ZodType]>([
    ['Operation', '', responseShape],
    ['Operation', '', moneyShape],
    ['Operation', 'present', presentShape],
    ['Operation', 'chargebacks', chargebackShape],
    ['Notification', '', notificationShape],
    ['Capabilities', '', capabilityShape],
    ['Error', '', errorShape],
    ['Token', '', tokenShape],
    ['Reference', '', referenceShape],
  ])('has in %s every member that the connector reads, at "%s"', (name, path, shape) => {
    const paths = readPaths(shape, path);
    expect(paths.length).toBeGreaterThan(0);
    expect(pathsOf(schemas[name] ?? {})).toEqual(expect.arrayContaining(paths));
  });

  it('requires an action with a challenge and a redirect, and takes no other status', () => {
    const action = { url: 'https://bank.example/3ds', method: 'POST' };
    for (const status of ['challenge', 'redirect']) {
      expect(faultsOf('Operation', { reference: 'r', status, action })).toEqual([]);
      expect(faultsOf('Operation', { reference: 'r', status })).not.toEqual([]);
    }
    expect(faultsOf('Operation', { reference: 'r', status: 'paid' })).not.toEqual([]);
    expect(faultsOf('Operation', { reference: 'r', status: 'approved', amount: 84.5 })).not.toEqual([]);
  });

  it('takes an even number of digits only as an ITF barcode', () => {
    const faults = (barcode: string, symbology?: string) => {
      const present = { kind: 'details', rows: [{ name: 'reference', value: '1' }], barcode, symbology };
      return faultsOf('Operation', JSON.parse(JSON.stringify({ reference: 'r', status: 'processing', present })));
    };
    expect(faults('0123', 'itf')).toEqual([]);
    expect(faults('AB-1')).toEqual([]);
    expect(faults('AB-1', 'code128')).toEqual([]);
    for (const barcode of ['012', 'AB-1', '']) expect(faults(barcode, 'itf'), barcode).not.toEqual([]);
    expect(faults('0123', 'ean13')).not.toEqual([]);
  });

  it('has the headers of a notification', () => {
    const sent = Object.keys(signWebhook('whsec_AAAA', 'id', new Date(), ''));
    expect(document.webhooks.notification.post.parameters.map(({ name }) => name)).toEqual(sent);
  });
});

/** The paths of the members without a description. */
function undescribed(schema: Schema, path = ''): string[] {
  const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const own = inner.description ? [] : [`${path}${name}`];
    return [...own, ...undescribed(inner, `${path}${name}.`)];
  });
  return [...members, ...others.flatMap((each) => undescribed(each, path))];
}

describe('the examples of docs/providers/contract.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/providers/contract.md'), 'utf8');
  const examples = [...page.matchAll(/^```json( part)?\n(.*?)^```/gms)].map(([, part, text = '']) =>
    JSON.parse(part ? `{${text}}` : text),
  );
  const payment = examples[0];
  const answer = { reference: 'r', status: 'approved', amount: '84.50', currency: 'EUR' };
  // The settings of a MID are no message.
  const [settings] = examples.filter((example) => example.apiKey);

  /** The component of an example, and the whole message of a part. */
  function messageOf(example: { [name: string]: unknown }): [string, object] {
    if (example.operation) return ['pay.request', example];
    if (example.wallet && example.card) return ['pay.request', { ...payment, ...example }];
    if (example.code || example.renew) return ['proceed.request', example];
    if (example.operations) return ['Capabilities', example];
    if (example.error) return ['Error', example];
    if (example.chargebacks) return ['Operation', { ...answer, ...example }];
    if (example.status) return ['Operation', example];
    return example.bank_status ? ['Notification', example] : ['refund.request', example];
  }

  it.each(examples.filter((example) => example !== settings))('fit their schemas: %j', (example) => {
    const [name, message] = messageOf(example);
    expect(faultsOf(name, message)).toEqual([]);
    // A misspelt member would fit too, since unknown ones are ignored.
    expect(Object.keys(message).filter((member) => !pathsOf(schemas[name] ?? {}).includes(member))).toEqual([]);
  });

  it('are of every kind', () => {
    const names = examples.filter((example) => example !== settings).map((example) => messageOf(example)[0]);
    expect([...new Set(names)].sort()).toEqual(
      ['Capabilities', 'Error', 'Notification', 'Operation', 'pay.request', 'proceed.request', 'refund.request'].sort(),
    );
  });

  it('of POST /tokens and POST /references name the members of their schemas', () => {
    for (const name of ['token.request', 'reference.request', 'Token', 'Reference']) {
      for (const member of pathsOf(schemas[name] ?? {})) expect(page, `${name} ${member}`).toContain(`"${member}":`);
    }
  });

  it('and tables name every member of a request, and every code of an error', () => {
    const members = ['pay.request', 'payout.request'].flatMap((name) => pathsOf(schemas[name] ?? {}));
    for (const path of members) expect(page, path).toMatch(new RegExp(`[\`"]${path.split('.').at(-1)}[\`"]`));
    const codes = JSON.stringify(document.paths).matchAll(/([a-z]+_[a-z_]+): /g);
    const named = [...new Set([...codes].map(([, code = '']) => code))];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('the calls of the connector', () => {
  const { peer, close } = testProviders();
  afterEach(close);

  const deadline = new Date('2026-11-20T17:03:01.588Z');
  const card = { number: '4111111111111111', expMonth: 1, expYear: 2038, cvv: '123', holder: 'Mia Lindqvist' };
  const person = Object.fromEntries(
    Object.keys(schemas['pay.request']?.properties?.payer?.properties ?? {}).map((name) => [name, 'text']),
  );
  const everything: Required<PayRequest> = {
    key: 'k-1',
    operation: 'transfer',
    method: 'card',
    amount: { minor: 8450n, currency: 'EUR' },
    order: { number: '10428', description: 'Two bowls' },
    card,
    wallet: { kind: 'applepay', panType: 'dpan', cryptogram: 'AgAA', eci: '07' },
    payeeCard: { number: card.number, expMonth: 0, expYear: 0 },
    payer: person,
    payee: person,
    browser: {
      acceptHeaders: '*/*',
      userAgent: 'Test',
      language: 'sv',
      colorDepth: 24,
      screenHeight: 1,
      screenWidth: 1,
      timezoneOffset: -60,
      javaEnabled: false,
      javascriptEnabled: true,
      platform: 'Test',
    },
    threeDS: 'none',
    mpi: { eci: '05' },
    recurring: 'first',
    parameters: { cart: { items: [] } },
    descriptor: 'BOWLS',
    returnUrl: 'https://pay.example/return/1',
    notifyUrl: 'https://pay.example/notify/http/1',
    deadline,
  };
  // A payout has no browser.
  const { browser: _none, ...payout } = everything;
  const amount = { minor: 2000n, currency: 'EUR' };
  const prepared = { card: { private_key: 'p', fee_bearer: 'merchant' } };

  const runs: [string, (target: Target) => Promise<unknown>][] = [
    ['pay', (target) => httpConnector.pay(target, everything)],
    ['pay', (target) => httpConnector.pay({ settings: { ...target.settings, methods: prepared } }, everything)],
    ['payout', (target) => httpConnector.payout(target, payout)],
    ...(['capture', 'refund', 'void'] as const).map((operation): (typeof runs)[number] => [
      operation,
      (target) =>
        httpConnector.modify(target, {
          key: 'k-2',
          operation,
          original: 'k-1',
          deadline,
          ...(operation !== 'void' && { amount }),
        }),
    ]),
    ['proceed', (target) => httpConnector.proceed(target, { key: 'k-3', original: 'k-1', reply: { code: '123456' } })],
    ['proceed', (target) => httpConnector.proceed(target, { key: 'k-3', original: 'k-1', reply: { renew: true } })],
    ['status', (target) => httpConnector.status(target, 'k-1')],
    ['capabilities', (target) => httpConnector.check(target)],
  ];

  it('are those of the document, with their headers and bodies', async () => {
    const seen = new Set<string>();
    for (const [last, run] of runs) {
      const { settings, calls } = await peer(answering(200, { token: 't', reference: 'k-1', status: 'approved' }));
      await run({ settings });
      const names = calls.map((call) => checkCall(call));
      expect(names.at(-1)).toBe(last);
      for (const name of names) seen.add(name);
    }
    const all = Object.values(document.paths).flatMap(({ get, post }) => [get, post].map((each) => each?.operationId));
    expect([...seen].sort()).toEqual(all.filter(Boolean).sort());
  });

  /** Checks a call against its operation, whose name is returned. */
  function checkCall({ method, url, headers, body }: Call): string {
    const path = url.replace('/v1', '').replace('/payments/k-1', '/payments/{original}').replace('s/k-1', 's/{key}');
    const operation = document.paths[path]?.[method.toLowerCase() as 'get' | 'post'];
    expect(operation, `${method} ${url}`).toBeDefined();
    const { operationId = '', parameters = [], requestBody } = operation ?? {};
    const known = parameters.filter((each) => each.in === 'header').map((each) => each.name.toLowerCase());
    const transport = ['host', 'connection', 'accept', 'authorization', 'content-type', 'content-length'];
    expect([...known, ...transport], operationId).toEqual(expect.arrayContaining(Object.keys(headers)));
    const needed = parameters.filter((each) => each.in === 'header' && each.required);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(needed.map((each) => each.name.toLowerCase())));
    if (known.includes('florin-deadline')) expect(headers['florin-deadline']).toBe(deadline.toISOString());
    if (!requestBody) return operationId;
    const name = requestBody.content['application/json'].schema.$ref.replace('#/components/schemas/', '');
    const sent = JSON.parse(body);
    expect(faultsOf(name, sent), name).toEqual([]);
    expect(pathsOf(schemas[name] ?? {}), name).toEqual(expect.arrayContaining(sentPaths(sent)));
    return operationId;
  }

  /** The members of a body, without those of open objects. */
  function sentPaths(value: object, path = ''): string[] {
    return Object.entries(value).flatMap(([name, inner]) => {
      const inside = path === '' ? name : `${path}.${name}`;
      const isOpen = ['parameters', 'credentials', 'mpi'].includes(inside);
      return [inside, ...(inner !== null && typeof inner === 'object' && !isOpen ? sentPaths(inner, inside) : [])];
    });
  }
});
