// The OpenAPI documents: their files, their examples, and the checks of support/conformance.ts, which validate every
// request, answer and callback of the other tests against them.
import { isSignedApmCallback } from '../support/apm-merchant.ts';
import { cardMerchant, isSignedCardCallback } from '../support/card-merchant.ts';
import { conform, conformCallback, type Protocol } from '../support/conformance.ts';
import { callbacksFor } from '../support/example-preconditions.ts';
import { demo } from '../support/merchants.ts';
import { pairsOf } from '../support/s2s-merchant.ts';
import { isSignedCallback } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const names: Protocol[] = ['checkout', 's2s-card', 's2s-apm'];

for (const name of names) {
  test(`${name}.json can be read from any origin and is cached`, async ({ florin }) => {
    const address = `${florin}/openapi/${name}.json`;
    const first = await fetch(address, { headers: { origin: 'https://tools.example' } });
    expect(first.status).toBe(200);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document = await first.json();
    expect(document.openapi).toBe('3.1.1');
    expect(document.servers[0].url).toContain(new URL(florin).host);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(address, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
}

test('there is no other document', async ({ florin }) => {
  expect((await fetch(`${florin}/openapi/other.json`)).status).toBe(404);
});

test('the examples can be sent unchanged', async ({ florin }) => {
  const read = async (name: string) => (await fetch(`${florin}/openapi/${name}.json`)).json();
  const { paths } = await read('checkout');
  const [session] = paths['/api/v1/session'].post['x-operations'][0].examples;
  const opened = await fetch(`${florin}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(session.value),
  });
  expect([opened.status, Object.keys(await opened.json())]).toEqual([200, ['redirect_url', 'redirect_method']]);
  const card = await read('s2s-card');
  const operations: { name: string; examples: { value: Record<string, string> }[] }[] =
    card.paths['/post'].post['x-operations'];
  const sale = operations.find((each) => each.name === 'SALE')?.examples[0]?.value;
  // The hash does not cover the order number, and the session above already has it.
  const sold = await fetch(`${florin}/s2s/card/post`, {
    method: 'POST',
    body: new URLSearchParams({ ...sale, order_id: 'order-1002' }),
  });
  expect([sold.status, (await sold.json()).result]).toEqual([200, 'SUCCESS']);
});

test('an answer or an API error that the documents do not contain is reported', async ({ florin, shopServer }) => {
  const shop = cardMerchant(florin, demo, shopServer);
  const body = shop.signed(shop.chargeBody('SALE'));
  const request = { baseUrl: florin, method: 'POST', path: '/s2s/card/post', body };
  const { status, body: answer } = await shop.post(body);
  await conform({ ...request, status, answer });
  await expect(conform({ ...request, status, answer: { ...answer, colour: 'blue' } })).rejects.toThrow('does not fit');
  const { result: _gone, ...incomplete } = answer;
  await expect(conform({ ...request, status, answer: incomplete })).rejects.toThrow('does not fit');
  await expect(conform({ ...request, body: { ...body, payer_ip: 'here' }, status, answer })).rejects.toThrow('request');
  const apiError = { result: 'ERROR', error_code: 208003, error_message: 'Not acceptable.' };
  await expect(conform({ ...request, status: 400, answer: apiError })).rejects.toThrow('no such refusal');
});

for (const name of names) {
  test(`real callbacks of ${name} match its document, and others are reported`, async ({ florin, shopServer }) => {
    const real = await callbacksFor(name, florin, shopServer);
    expect(real.length).toBeGreaterThan(1);
    for (const callback of real) {
      await conformCallback(florin, name, callback);
      const { headers, body } = callback;
      const wrong: [string, { headers: Record<string, string>; body: string }][] = [
        ['does not fit', { headers, body: `${body}&colour=blue` }],
        ['does not fit', { headers, body: body.replace(/&hash=[0-9a-f]+/, '') }],
        ['does not fit', { headers, body: body.replace(/(^|&)(order_)?status=[^&]+/, '$1$2status=paid') }],
        ['header', { headers: { ...headers, 'florin-sequence': '' }, body }],
        ['type', { headers: { ...headers, 'content-type': 'application/json' }, body }],
      ];
      for (const [problem, other] of wrong) await expect(conformCallback(florin, name, other)).rejects.toThrow(problem);
    }
  });

  test(`the callback examples of the document of ${name} are signed like real ones`, async ({ florin }) => {
    const document = await (await fetch(`${florin}/openapi/${name}.json`)).json();
    const { examples } = document.webhooks.callback.post['x-callback'];
    const email = 'ana@example.com';
    for (const { value, summary } of examples as { value: Record<string, string>; summary: string }[]) {
      const signed = {
        checkout: () => isSignedCallback(value, demo),
        's2s-card': () => isSignedCardCallback(value, email, demo),
        's2s-apm': () =>
          isSignedApmCallback(flat(value), { email, crypto: summary === 'Paid in a cryptocurrency' }, demo),
      }[name]();
      expect(signed, JSON.stringify(value)).toBe(true);
    }
  });
}

/** Nested values under their names in brackets, as in a form. */
const flat = (value: Record<string, unknown>) => Object.fromEntries(pairsOf(value));
