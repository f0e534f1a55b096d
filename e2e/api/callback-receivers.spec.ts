// The callback receivers of the documentation, in every language and for every protocol: they accept real callbacks of
// the sandbox and reject forged ones. Some forgeries have a valid header signature, which proves that the receivers
// check the hash as well.
import { createHmac } from 'node:crypto';
import { blocksOf, filesIn } from '../support/docs-blocks.ts';
import { callbacksFor, type Told } from '../support/example-preconditions.ts';
import { type Receiver, runnable, startReceiver } from '../support/example-programs.ts';
import { demo } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';

const secret = createHmac('sha256', demo.password).update('florin callbacks').digest();

/** The headers for another body, or another time. */
function resigned({ headers }: Told, body: string, time = Math.floor(Date.now() / 1000)): Told {
  const { 'webhook-id': id } = headers;
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  return { body, headers: { ...headers, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${signature}` } };
}

const otherHash = (body: string) =>
  body.replace(/(hash=)([0-9a-f])/, (_, name, digit) => name + (digit === '0' ? '1' : '0'));

/** What a receiver prints of a callback, without the prefix of the language. */
const linesOf = (output: string) => output.match(/order-\S+ \S+ \S+ \S+ (PAID|-) .* initial=\S*/g) ?? [];

/** The expected output. Only what `paid` names is paid. */
function lineOf({ headers, body }: Told): string {
  const fields = new URLSearchParams(body);
  const names = fields.has('type') ? ['type', 'status', 'order_status'] : ['action', 'result', 'status'];
  const outcome = names.map((name) => fields.get(name)).join(' ');
  const decision = ['sale success settled', 'SALE SUCCESS SETTLED'].includes(outcome) ? 'PAID' : '-';
  const payment = fields.get('payment_id') ?? fields.get('trans_id');
  const operation = headers['florin-operation-id'] ?? '';
  const recurring = fields.get('recurring_token') ?? '';
  const initial = fields.get('recurring_init_trans_id') ?? '';
  const ids = `operation=${operation} recurring=${recurring} initial=${initial}`;
  return `${fields.get('order_id')} ${outcome} ${decision} ${payment} ${ids}`;
}

/** The forgeries by name. */
const forgeries: Record<string, (callback: Told) => Told> = {
  'a changed amount': (callback) => ({ ...callback, body: callback.body.replace(/amount=[\d.]+/, 'amount=9999.00') }),
  'a changed status': (callback) => ({ ...callback, body: callback.body.replace(/status=[^&]+/, 'status=chargeback') }),
  'a wrong hash': (callback) => ({ ...callback, body: otherHash(callback.body) }),
  'a wrong hash, signed again': (callback) => resigned(callback, otherHash(callback.body)),
  'no hash, signed again': (callback) => resigned(callback, callback.body.replace(/&hash=[0-9a-f]+/, '')),
  'an empty hash, signed again': (callback) => resigned(callback, callback.body.replace(/hash=[0-9a-f]+/, 'hash=')),
  'a list for the hash, signed again': (callback) => resigned(callback, callback.body.replace(/hash=/, 'hash%5B%5D=')),
  'a list for a text, signed again': (callback) =>
    resigned(callback, callback.body.replace(/(order_number|^.*?order_id(?!.*order_number))=/, '$1%5B%5D=')),
  'a list for the amount': (callback) => ({ ...callback, body: callback.body.replace(/amount=/, 'amount%5B%5D=') }),
  'a name that comes twice, signed again': (callback) => resigned(callback, `${callback.body}&status=success`),
  'the hash twice, signed again': (callback) =>
    resigned(callback, `${callback.body}&${/hash=[0-9a-f]+/.exec(callback.body)?.[0]}`),
  'ten minutes ago': (callback) => resigned(callback, callback.body, Math.floor(Date.now() / 1000) - 600),
  'in ten minutes': (callback) => resigned(callback, callback.body, Math.floor(Date.now() / 1000) + 600),
  'no header': ({ body }) => ({ body, headers: {} }),
  'a header of another length': (callback) => ({
    ...callback,
    headers: { ...callback.headers, 'webhook-signature': 'v1,é' },
  }),
  'nothing at all': (callback) => ({ ...callback, body: '' }),
};

for (const protocol of ['checkout', 's2s-card', 's2s-apm']) {
  for (const language of runnable) {
    test(`the receiver of ${protocol} in ${language} accepts genuine callbacks, once, and ships paid orders`, async ({
      florin,
      shopServer,
    }) => {
      // A script starts again for every callback.
      if (language === 'sh') test.slow();
      const example = (await blocksOf(florin, 'callbacks')).find(
        ({ rules, language: written }) => rules.receives === protocol && written === language,
      );
      expect(example).toBeDefined();
      const real = await callbacksFor(protocol, florin, shopServer);
      expect(real.length).toBeGreaterThan(1);
      const receiver = await startReceiver(language, example?.text ?? '', demo.password);
      try {
        // Each callback as often as it may come: at least once.
        for (const { headers, body } of [...real, ...real])
          expect(await receiver.receive(messageHeaders(headers), body), body).toBe(200);
        await expect.poll(() => linesOf(receiver.said()), receiver.said()).toEqual(real.map(lineOf));
        await expectForgeriesRejected(receiver, real);
      } finally {
        await receiver.close();
      }
    });
  }
}

test('docs 2: the PHP client accepts genuine callbacks, recognises paid orders, and rejects forgeries', async ({
  florin,
  shopServer,
}) => {
  const blocks = await blocksOf(florin, 'guide/php-client');
  const program = blocks.find(({ rules }) => rules.receives === 'php-client');
  const real = await callbacksFor('checkout', florin, shopServer);
  const receiver = await startReceiver('php', program?.text ?? '', demo.password, filesIn(blocks));
  try {
    for (const { headers, body } of real) expect(await receiver.receive(messageHeaders(headers), body), body).toBe(200);
    // `order type status order_status PAID payment webhook-id`.
    const expected = real.map((callback) =>
      lineOf(callback).replace(/operation=.*/, callback.headers['webhook-id'] ?? 'none'),
    );
    const printed = () => receiver.said().match(/order-\S+ \S+ \S+ \S+ (PAID|-) \S+ \S+/g) ?? [];
    await expect.poll(printed, receiver.said()).toEqual(expected);
    await expectForgeriesRejected(receiver, real);
  } finally {
    await receiver.close();
  }
});

async function expectForgeriesRejected(receiver: Receiver, real: readonly Told[]): Promise<void> {
  // Two parts of a refund have no field that distinguishes a forgery.
  const kinds = new Map(real.map((callback) => [/(?:type|action)=\w+/.exec(callback.body)?.[0], callback]));
  for (const callback of kinds.values()) {
    for (const [name, forge] of Object.entries(forgeries)) {
      const forged = forge(callback);
      if (forged.body === callback.body && forged.headers === callback.headers) continue;
      const status = await receiver.receive(messageHeaders(forged.headers), forged.body);
      expect(status, `${name}: ${forged.body}`).toBe(400);
    }
  }
}

// The headers of the message, without those of the connection.
function messageHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook-|florin-|content-type)/.test(name)));
}
