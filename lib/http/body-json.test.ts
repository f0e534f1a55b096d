import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../core/errors.ts';
import { decodeJson, type JsonLimits, jsonLimits } from './body.ts';

const post = (body: BodyInit) => new Request('http://localhost/api/v1/session', { method: 'POST', body });
const decode = (body: BodyInit, limits: JsonLimits = jsonLimits) => decodeJson(post(body), limits);

async function refusalOf(decoding: Promise<unknown>): Promise<ApiError> {
  const outcome = await decoding.then(
    (value) => value,
    (error) => error,
  );
  if (!(outcome instanceof ApiError)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return outcome;
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('decodeJson', () => {
  test('an object is decoded as JSON', async () => {
    const body = { order: { amount: '10.00', tags: ['a', 1, true, null] }, customer: { name: 'Zoë ☕' } };
    expect(await decode(JSON.stringify(body))).toEqual(body);
    expect(await decode(`\uFEFF ${JSON.stringify(body)}\n`)).toEqual(body);
    expect(await decode('{}')).toEqual({});
  });

  test('encoded JSON decodes to the same values or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), async (body) => {
        const text = JSON.stringify(body);
        const outcome = await decode(text).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ApiError);
        else expect(JSON.stringify(outcome)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test.each([
    ...['', ' ', '{', '{"a":1', '{"a":1}}', "{'a':1}", '{"a":01}', '{a:1}', '{"a":1,}', 'undefined', 'a=1&b=2'],
    ...['[]', '[{"a":1}]', 'null', '1', '"text"', 'true'],
    ...['{"__proto__":{"polluted":1}}', '{"a":{"__proto__":1}}', '{"a":[{"\\u005f_proto__":1}]}'],
    ...['{"constructor":{"prototype":{"polluted":1}}}', '{"prototype":1}'],
    ...['{"a\\u0000":1}', '{"\\ud800":1}'],
  ])('%j is refused', async (body) => {
    const refusal = await refusalOf(decode(body));
    expect(refusal).toMatchObject({ key: 'requestDataInvalid', code: 100000, http: 400 });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, ...new TextEncoder().encode('"}')]);
    expect((await refusalOf(decode(bytes))).key).toBe('requestDataInvalid');
  });

  test.each(['\\u0000', '\\ud800', 'x\\udc00y'])('a text with %s names its field', async (written) => {
    const refusal = await refusalOf(decode(`{"order":{"lines":[{"text":"${written}"}]}}`));
    expect(refusal.errors).toEqual([{ path: 'order.lines.0.text', text: 'This value is not valid.' }]);
  });

  test.each([
    ['{"a":1,"b":{},"a":1}', 'a'],
    ['{"order":{"amount":"1.00","amount":"9.00"}}', 'order.amount'],
    ['{"order":{"items":[{"a":1},[2,3],{"a":{"b":1},"b":2, "\\u0061" : 3}]}}', 'order.items.2.a'],
    ['{"":1,"":2}', ''],
  ])('the repeated name in %s is named', async (body, path) => {
    const refusal = await refusalOf(decode(body));
    expect(refusal.errors).toEqual([{ path, text: 'This value is not valid.' }]);
  });

  test('a name in another object, in a list or in a text is not repeated', async () => {
    const body = { a: { a: [{ a: '"a":1,"a":2' }, { a: '\\"' }] }, b: [['a', 'a'], { a: 1 }], 'a"': 1, 'a\\': 1 };
    expect(await decode(JSON.stringify(body, null, 2))).toEqual(body);
  });

  test('a surrogate pair is accepted', async () => {
    expect(await decode('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
  });

  test('no body at all is refused', async () => {
    const request = new Request('http://localhost/api/v1/session', { method: 'POST' });
    expect((await refusalOf(decodeJson(request, jsonLimits))).key).toBe('requestDataInvalid');
  });
});

describe('limits', () => {
  test('the depth is limited', async () => {
    expect(await decode(nested(jsonLimits.depth))).toHaveProperty(Array(jsonLimits.depth).fill('a'), 1);
    await refusalOf(decode(nested(jsonLimits.depth + 1)));
    await refusalOf(decode(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`));
    await refusalOf(decode(`{"a":${'['.repeat(100_000)}`));
  });

  test('the size is limited', async () => {
    const body = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    expect((await decode(body(jsonLimits.bytes))).a).toHaveLength(jsonLimits.bytes - 8);
    await refusalOf(decode(body(jsonLimits.bytes + 1)));
  });

  test('the length of a name is limited, and no error repeats a longer one', async () => {
    const name = 'n'.repeat(1024);
    expect(await decode(`{"a":{"${name}":1}}`)).toEqual({ a: { [name]: 1 } });
    const refusals = [`{"${name}n":1}`, `{"a":[{"${name}n":"\\u0000"}]}`].map((body) => refusalOf(decode(body)));
    for (const refusal of await Promise.all(refusals)) expect(refusal.errors).toBeUndefined();
  });

  test('a declared length over the limit is refused before reading', async () => {
    let read = false;
    const body = new ReadableStream(
      {
        pull() {
          read = true;
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-length': '1000000' };
    const request = new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
    await refusalOf(decodeJson(request, jsonLimits));
    expect(read).toBe(false);
  });

  test('the number of values is limited', async () => {
    const list = (values: number) =>
      `{"a":[${Array(values - 2)
        .fill('"[,{\\"[,{"')
        .join()}]}`;
    expect((await decode(list(jsonLimits.values))).a).toHaveLength(jsonLimits.values - 2);
    await refusalOf(decode(list(jsonLimits.values + 1)));
    await refusalOf(decode(`{"a":[${Array(jsonLimits.values).fill('{}').join()}]}`));
    const names = Array.from({ length: jsonLimits.values }, (_, at) => `"n${at}":1`);
    await refusalOf(decode(`{${names.join()}}`));
  });

  test('an incomplete body is refused', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
        controller.error(new Error('reset'));
      },
    });
    const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect((await refusalOf(decodeJson(request, jsonLimits))).key).toBe('requestDataInvalid');
  });
});
