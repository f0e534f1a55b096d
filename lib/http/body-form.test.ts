import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '../core/errors.ts';
import { decodeForm, encodeForm, type FormFields, formLimits } from './body.ts';

const urlencoded = 'application/x-www-form-urlencoded';

function post(body: BodyInit, type?: string): Request {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  return new Request('http://localhost/s2s/card/post', { method: 'POST', body, headers });
}

const decode = (body: string, type = urlencoded) => decodeForm(post(body, type), formLimits);

async function refusalOf(decoding: Promise<unknown>): Promise<string> {
  const outcome = await decoding.then(
    (value) => value,
    (error) => error,
  );
  if (!(outcome instanceof ApiError)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return outcome.key;
}

// Decoded objects have no prototype; comparisons use ordinary objects.
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => {
  return !/[[\]\0]/.test(text) && !['__proto__', 'constructor', 'prototype'].includes(text);
});
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'));
const { form } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', maxDepth: 4, withCrossShrink: true }, text, tie('inner')),
  inner: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 4 }),
  form: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
}));

describe('round trips', () => {
  test('an encoded form decodes to the same values', async () => {
    await fc.assert(
      fc.asyncProperty(form, async (fields) => {
        const decoded = await decode(encodeForm(fields as FormFields));
        expect(plain(decoded)).toEqual(plain(fields));
      }),
      { numRuns: 300 },
    );
  });

  test('the same over multipart/form-data', async () => {
    const flat = fc.dictionary(
      name.filter((key) => !/[\r\n"\\]/.test(key)),
      text.filter((t) => !/[\r\n]/.test(t)),
    );
    await fc.assert(
      fc.asyncProperty(flat, async (fields) => {
        const data = new FormData();
        for (const [key, value] of Object.entries(fields)) data.append(key, value);
        if (Object.keys(fields).length === 0) return;
        expect(plain(await decodeForm(post(data), formLimits))).toEqual(plain(fields));
      }),
    );
  });

  test('every body results in a form or an API error', async () => {
    const noise = fc.string({ unit: fc.constantFrom('a', 'b', '[', ']', '=', '&', '%', '4', '1', 'f', '+', 'é', '_') });
    await fc.assert(
      fc.asyncProperty(noise, async (body) => {
        const outcome = await decode(body).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ApiError);
        else expect(Object.getPrototypeOf(outcome)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

const accepted: [string, unknown][] = [
  ['', {}],
  ['&&a=1&', { a: '1' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['a=1=2', { a: '1=2' }],
  ['a=x+y%20z%2B', { a: 'x y z+' }],
  ['a=50%&b=%zz%4', { a: '50%', b: '%zz%4' }],
  ['a=caf%C3%A9', { a: 'café' }],
  ['a=café', { a: 'café' }],
  ['a=%EF%BB%BFx', { a: '\uFEFFx' }],
  ['mpi_data[eci]=05&mpi_data[3ds_version]=2.2.0', { mpi_data: { eci: '05', '3ds_version': '2.2.0' } }],
  ['mpi_data%5Beci%5D=05', { mpi_data: { eci: '05' } }],
  ['custom_data[a][]=b&custom_data[a][]=c', { custom_data: { a: { 0: 'b', 1: 'c' } } }],
  ['a[7]=x&a[]=y&a[k]=z&a[]=w', { a: { 7: 'x', 8: 'y', k: 'z', 9: 'w' } }],
  ['a[][x]=1&a[][x]=2', { a: { 0: { x: '1' }, 1: { x: '2' } } }],
  ['shipping.street1=x', { 'shipping.street1': 'x' }],
  ['a[b][c][d][e][f]=x', { a: { b: { c: { d: { e: { f: 'x' } } } } } }],
  ['parameters[shipping.street1]=x', { parameters: { 'shipping.street1': 'x' } }],
  ['p[cart.items[0].name]=x&p[cart.items[1].name]=y', { p: { 'cart.items[0].name': 'x', 'cart.items[1].name': 'y' } }],
  ['p[a[0]][b]=x', { p: { 'a[0]': { b: 'x' } } }],
  ['cart.items[0].name=x&cart.items[0].to.city=y', { 'cart.items': { 0: { name: 'x', to: { city: 'y' } } } }],
  ['hasOwnProperty=x&toString[valueOf]=y', { hasOwnProperty: 'x', toString: { valueOf: 'y' } }],
];

const refused = [
  ...['=x', '[a]=x', 'a[b=x', 'a]b=x', 'a[b]c=x', 'a[b]]=x', 'a[[b]]=x', '%5B%5D=x'],
  ...['a[[0]]=x', 'a[b[c]]=x', 'a[b[0]=x', 'a[b[0[1]]]=x', 'a[b].=x', 'a[b]..c=x', 'a[b].__proto__=x'],
  ...['__proto__=x', '__proto__[a]=x', 'a[__proto__]=x', 'a[constructor][prototype][b]=x', 'prototype=x'],
  ...['%5F%5Fproto__[polluted]=1', 'a[b][__proto__][c]=1'],
  ...['a[b][c][d][e][f][g]=x', 'a[][][][][][]=x', 'a[b].c.d.e.f.g=x'],
  ...['a=1&a=2', 'a=1&a=1', 'a=&a=1', 'a[b]=1&a[b]=2', 'a[]=1&a[0]=2'],
  ...['a=1&a[b]=2', 'a[b]=2&a=1', 'a[b]=1&a[b][c]=2'],
  ...['a=%FF', 'a=%C3', '%C3=a', 'a=x%00y', 'a%00=x', 'a=%ED%A0%80'],
];

describe('urlencoded', () => {
  test.each(accepted)('%s', async (body, expected) => {
    expect(plain(await decode(body))).toEqual(plain(expected));
  });

  test.each(refused)('%s is refused', async (body) => {
    expect(await refusalOf(decode(body))).toBe('requestDataInvalid');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('the field error of a repeated name has its path', async () => {
    const refusal = await decode('order_id=1&custom_data[a]=x&custom_data[a]=y').catch((error) => error);
    expect(refusal.errors).toEqual([{ path: 'custom_data.a', text: 'This value is not valid.' }]);
  });

  test('no decoded object has a prototype', async () => {
    const decoded = await decode('a[b][]=c');
    expect(Object.getPrototypeOf(decoded)).toBeNull();
    expect(Object.getPrototypeOf(decoded.a)).toBeNull();
    expect(decoded.toString).toBeUndefined();
  });

  test('at most a thousand fields are accepted', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
    expect(Object.keys(await decode(fields(1000)))).toHaveLength(1000);
    expect(await refusalOf(decode(fields(1001)))).toBe('requestDataInvalid');
    expect(await refusalOf(decode('a[]=1&'.repeat(1001)))).toBe('requestDataInvalid');
  });

  test('names of at most 1,024 characters are accepted', async () => {
    expect(Object.keys(await decode(`${'a'.repeat(1024)}=1`))).toHaveLength(1);
    expect(await refusalOf(decode(`${'a'.repeat(1025)}=1`))).toBe('requestDataInvalid');
  });

  test('at most 256 KB are accepted', async () => {
    const body = (length: number) => `a=${'x'.repeat(length - 2)}`;
    expect((await decode(body(formLimits.bytes))).a).toHaveLength(formLimits.bytes - 2);
    expect(await refusalOf(decode(body(formLimits.bytes + 1)))).toBe('requestDataInvalid');
  });
});

describe('content types', () => {
  test('an absent type, parameters and capitals are accepted', async () => {
    const bytes = new TextEncoder().encode('a=1');
    expect(plain(await decodeForm(post(bytes), formLimits))).toEqual({ a: '1' });
    expect(plain(await decode('a=1', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'))).toEqual({ a: '1' });
  });

  test.each(['application/json', 'text/plain', 'multipart/mixed; boundary=x', 'multipart/form-data'])(
    '%s is refused',
    async (type) => {
      expect(await refusalOf(decode('a=1', type))).toBe('requestDataInvalid');
    },
  );

  test('a request without a body is an empty form', async () => {
    expect(plain(await decodeForm(new Request('http://localhost/', { method: 'POST' }), formLimits))).toEqual({});
  });
});

describe('multipart', () => {
  const multipart = (...pairs: [string, string | Blob][]) => {
    const data = new FormData();
    for (const [key, value] of pairs) data.append(key, value);
    return decodeForm(post(data), formLimits);
  };

  test('brackets nest', async () => {
    const decoded = await multipart(['order_id', 'ü-1'], ['custom_data[a][]', 'b'], ['custom_data[a][]', 'c']);
    expect(plain(decoded)).toEqual({ order_id: 'ü-1', custom_data: { a: { 0: 'b', 1: 'c' } } });
  });

  test('files, reserved names and broken bodies are refused', async () => {
    expect(await refusalOf(multipart(['a', new Blob(['x'])]))).toBe('requestDataInvalid');
    expect(await refusalOf(multipart(['a[__proto__]', 'x']))).toBe('requestDataInvalid');
    expect(await refusalOf(multipart(['a', 'x\0y']))).toBe('requestDataInvalid');
    const pairs = Array.from({ length: 1001 }, (_, i): [string, string] => [`f${i}`, '1']);
    expect(await refusalOf(multipart(...pairs))).toBe('requestDataInvalid');
    expect(await refusalOf(decode('--x\r\nContent-Disp', 'multipart/form-data; boundary=x'))).toBe(
      'requestDataInvalid',
    );
  });
});

describe('a multipart body that takes long to parse', () => {
  const boundary = 'of-at-least-twenty-seven-characters';
  const part = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nx b y\r\n`;
  const type = `multipart/form-data; charset=utf-8; boundary="${boundary}"`;

  test.each([
    ['has many parts', part('a').repeat(1002)],
    ['has many files', part('a', '; filename="a"').repeat(1002)],
    ['has a part with a long header', part('a') + part('b', '; x=y'.repeat(250))],
  ])('is refused before if it %s', async (_, body) => {
    const parse = vi.spyOn(Response.prototype, 'formData');
    expect(await refusalOf(decode(`${body}--${boundary}--\r\n`, type))).toBe('requestDataInvalid');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test.each([
    ['an escape', 'boundary="\\b"'],
    ['another parameter with a boundary in it', `x="; boundary=zzz"; boundary=${boundary}`],
    ['two boundaries', `boundary=zzz; boundary=${boundary}`],
    ['a boundary in another character set', `boundary*=utf-8''${boundary}`],
    ['a blank in the boundary', `boundary="${boundary} b"`],
    ['a boundary that is too long', `boundary=${'b'.repeat(71)}`],
  ])('is refused before if its type has %s', async (_, parameters) => {
    const parse = vi.spyOn(Response.prototype, 'formData');
    const body = `${part('a')}--${boundary}--\r\n`;
    expect(await refusalOf(decode(body, `multipart/form-data; ${parameters}`))).toBe('requestDataInvalid');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test('is not one with the most fields', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `f${at}`);
    const body = `${names.map((each) => part(each)).join('')}--${boundary}--\r\n`;
    for (const each of [type, `Multipart/Form-Data;BOUNDARY=${boundary};`, `${type}; `])
      expect(Object.values(await decode(body, each))).toEqual(names.map(() => 'x b y'));
  });
});

describe('encodeForm', () => {
  test.each<[FormFields, string]>([
    [{}, ''],
    [{ a: 'x y+z&=é' }, 'a=x+y%2Bz%26%3D%C3%A9'],
    [{ ARN: '', reason: undefined, note: null }, 'ARN='],
    [{ n: 1, t: true, f: false }, 'n=1&t=true&f=false'],
    [{ list: ['a', 'b'] }, 'list%5B0%5D=a&list%5B1%5D=b'],
    [{ custom_data: { a: [{ b: 'c' }] } }, 'custom_data%5Ba%5D%5B0%5D%5Bb%5D=c'],
    [{ empty: {}, none: [] }, ''],
    [{ b: '1', a: '2' }, 'b=1&a=2'],
  ])('%j', (fields, body) => {
    expect(encodeForm(fields)).toBe(body);
  });
});
