// The files of hosted fields over HTTP: their size, caching and pinning, and the frames' headers.
import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

/** Bytes of the body for a browser that accepts brotli. */
function weigh(url: string): Promise<number> {
  return new Promise((done, failed) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => done(bytes));
    }).on('error', failed);
  });
}

type Manifest = { [name: string]: { file: string; integrity: string } };

async function manifestOf(florin: string): Promise<Manifest> {
  const answer = await fetch(`${florin}/sdk/manifest.json`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  return (await answer.json()) as Manifest;
}

test('a merchant loads at most 10 KB, and each frame 15 KB', async ({ florin }) => {
  for (const name of ['hosted-fields.js', 'florin-card.js'])
    expect(await weigh(`${florin}/sdk/${name}`), name).toBeLessThan(10 * 1024);
  const script = (await manifestOf(florin))['field.js']?.file;
  for (const name of ['card', 'expiry', 'cvv', 'line', 'agreement']) {
    expect((await fetch(`${florin}/fields/${name}`)).status, name).toBe(200);
    const bytes = (await weigh(`${florin}/fields/${name}?lang=ar`)) + (await weigh(`${florin}/sdk/${script}`));
    expect(bytes, name).toBeLessThan(15 * 1024);
  }
});

for (const name of ['hosted-fields.js', 'hosted-fields-react.js', 'florin-card.js']) {
  test(`${name} has a versioned address that can be pinned`, async ({ florin }) => {
    const entry = (await manifestOf(florin))[name];
    const pinned = await fetch(`${florin}/sdk/${entry?.file}`);
    const bytes = Buffer.from(await pinned.arrayBuffer());
    expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(entry?.integrity);
    expect(pinned.headers.get('cache-control')).toContain('immutable');
    expect(pinned.headers.get('access-control-allow-origin')).toBe('*');
    const plain = await fetch(`${florin}/sdk/${name}`);
    expect(Buffer.from(await plain.arrayBuffer()).equals(bytes)).toBe(true);
    expect(plain.headers.get('cache-control')).not.toContain('immutable');
  });
}

test('a frame runs only its own script, and any page may embed it', async ({ florin }) => {
  const answer = await fetch(`${florin}/fields/card`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy.replaceAll(/'nonce-[\w-]+'/g, "'nonce'").split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'nonce'",
    "style-src 'nonce'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.has('x-frame-options')).toBe(false);
  expect(answer.headers.has('set-cookie')).toBe(false);
});

// lang of the URL, Accept-Language of the browser; the frame's lang and dir.
const languages = rowsOf(`
  -     | -     | en      | ltr
  de    | fr    | de      | ltr
  -     | fr    | fr      | ltr
  ar    | -     | ar      | rtl
  sp    | -     | es      | ltr
  es    | fr    | es      | ltr
  es-MX | -     | es-MX   | ltr
  es_mx | -     | es-MX   | ltr
  pt-PT | de    | pt-PT   | ltr
  de-CH | -     | de-CH   | ltr
  zh-HK | -     | zh-Hant-HK | ltr
  zh-TW | -     | zh-TW   | ltr
  ar-EG | -     | ar-EG   | rtl
  nn    | -     | nb      | ltr
  es-XX | -     | es      | ltr
  -     | es-MX | es-MX   | ltr
  -     | pt-PT,pt;q=0.9 | pt-PT | ltr
  es    | es-MX | es-MX   | ltr
  de    | fr-CA | de      | ltr
  tlh   | -     | en      | ltr
  <x>   | -     | en      | ltr
`);

for (const [asked = '', accept = '', lang = '', dir = ''] of languages) {
  test(`a frame with lang ${asked} and browser language ${accept}: ${lang}`, async ({ florin }) => {
    const query = asked === '-' ? '' : `?lang=${encodeURIComponent(asked)}`;
    const headers: HeadersInit = accept === '-' ? {} : { 'accept-language': accept };
    const html = await (await fetch(`${florin}/fields/cvv${query}`, { headers })).text();
    expect(html).toContain(`<html lang="${lang}" dir="${dir}" data-frame="cvv">`);
  });
}

// The URL's lang, and the fault of an empty card number.
const words = rowsOf(`
  es     | Escriba el número de su tarjeta.
  es-MX  | Ingrese el número de su tarjeta.
  pt     | Insira o número do cartão.
  pt-PT  | Introduza o número do cartão.
`);

for (const [lang = '', fault = ''] of words) {
  test(`a frame with lang ${lang} has the words of its region`, async ({ florin }) => {
    for (const [query, accept] of [
      [`?lang=${lang}`, 'en'],
      ['', lang],
    ]) {
      const answer = await fetch(`${florin}/fields/card${query}`, { headers: { 'accept-language': accept ?? '' } });
      expect(await answer.text()).toContain(`"card_number.empty":"${fault}"`);
    }
  });
}

test('there are no other frames', async ({ florin }) => {
  for (const name of ['number', 'constructor', '__proto__', 'card/x']) {
    expect((await fetch(`${florin}/fields/${name}`)).status, name).toBe(404);
  }
});
