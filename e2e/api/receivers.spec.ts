// The callback receivers of the documentation, in every language and for every protocol: they accept real callbacks of
// the sandbox and reject forged ones. Some forgeries have a valid header signature, which proves that the receivers
// check the hash as well.
import { createHmac } from 'node:crypto';
import { blocksOf } from '../support/documents';
import { callbacksFor, type Told } from '../support/example-needs';
import { demo } from '../support/merchants';
import { runnable, startReceiver } from '../support/programs';
import { expect, test } from '../support/test';

const secret = createHmac('sha256', demo.password).update('florin callbacks').digest();

/** The headers for another body, or another time. */
function signedAnew({ headers }: Told, body: string, time = Math.floor(Date.now() / 1000)): Told {
  const { 'webhook-id': id } = headers;
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  return {
    body,
    headers: { ...headers, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${signature}` },
  };
}

const otherHash = (body: string) =>
  body.replace(/(hash=)([0-9a-f])/, (_, name, digit) => name + (digit === '0' ? '1' : '0'));

/** What a receiver prints of a callback, without the prefix of the language. */
const linesOf = (said: string) => said.match(/order-\S+ \S+ \S+ \S+ (PAID|-) .* chain=\S*/g) ?? [];

/** The expected output. Only what `paid` names is paid. */
function lineOf({ headers, body }: Told): string {
  const fields = new URLSearchParams(body);
  const names = fields.has('type') ? ['type', 'status', 'order_status'] : ['action', 'result', 'status'];
  const said = names.map((name) => fields.get(name)).join(' ');
  const verdict = ['sale success settled', 'SALE SUCCESS SETTLED'].includes(said) ? 'PAID' : '-';
  const payment = fields.get('payment_id') ?? fields.get('trans_id');
  const operation = headers['florin-operation-id'] ?? '';
  const chain = fields.get('recurring_token') ?? '';
  return `${fields.get('order_id')} ${said} ${verdict} ${payment} operation=${operation} chain=${chain}`;
}

/** The forgeries by name. */
const forgeries: Record<string, (told: Told) => Told> = {
  'a changed amount': (told) => ({ ...told, body: told.body.replace(/amount=[\d.]+/, 'amount=9999.00') }),
  'a changed status': (told) => ({ ...told, body: told.body.replace(/status=[^&]+/, 'status=chargeback') }),
  'a wrong hash': (told) => ({ ...told, body: otherHash(told.body) }),
  'a wrong hash, signed anew': (told) => signedAnew(told, otherHash(told.body)),
  'no hash, signed anew': (told) => signedAnew(told, told.body.replace(/&hash=[0-9a-f]+/, '')),
  'an empty hash, signed anew': (told) => signedAnew(told, told.body.replace(/hash=[0-9a-f]+/, 'hash=')),
  'a list for the hash, signed anew': (told) => signedAnew(told, told.body.replace(/hash=/, 'hash%5B%5D=')),
  'a list for a text, signed anew': (told) =>
    signedAnew(told, told.body.replace(/(order_number|^.*?order_id(?!.*order_number))=/, '$1%5B%5D=')),
  'a list for the amount': (told) => ({ ...told, body: told.body.replace(/amount=/, 'amount%5B%5D=') }),
  'a name that comes twice, signed anew': (told) => signedAnew(told, `${told.body}&status=success`),
  'the hash twice, signed anew': (told) => signedAnew(told, `${told.body}&${/hash=[0-9a-f]+/.exec(told.body)?.[0]}`),
  'ten minutes ago': (told) => signedAnew(told, told.body, Math.floor(Date.now() / 1000) - 600),
  'in ten minutes': (told) => signedAnew(told, told.body, Math.floor(Date.now() / 1000) + 600),
  'no header': ({ body }) => ({ body, headers: {} }),
  'a header of another length': (told) => ({ ...told, headers: { ...told.headers, 'webhook-signature': 'v1,é' } }),
  'nothing at all': (told) => ({ ...told, body: '' }),
};

for (const protocol of ['checkout', 's2s-card', 's2s-apm']) {
  for (const language of runnable) {
    test(`docs 2: the receiver of ${protocol} in ${language} accepts genuine callbacks, once, and ships paid orders`, async ({
      florin,
      catcher,
    }) => {
      // A script starts again for every callback.
      if (language === 'sh') test.slow();
      const shown = (await blocksOf(florin, 'callbacks')).find(
        ({ rules, language: written }) => rules.receives === protocol && written === language,
      );
      expect(shown).toBeDefined();
      const real = await callbacksFor(protocol, florin, catcher);
      expect(real.length).toBeGreaterThan(1);
      const receiver = await startReceiver(language, shown?.text ?? '', demo.password);
      try {
        // Each callback as often as it may come: at least once.
        for (const { headers, body } of [...real, ...real])
          expect(await receiver.receive(kept(headers), body), body).toBe(200);
        await expect.poll(() => linesOf(receiver.said()), receiver.said()).toEqual(real.map(lineOf));
        // Two parts of a refund have no field that distinguishes a forgery.
        const kinds = new Map(real.map((told) => [/(?:type|action)=\w+/.exec(told.body)?.[0], told]));
        for (const told of kinds.values()) {
          for (const [name, forge] of Object.entries(forgeries)) {
            const forged = forge(told);
            if (forged.body === told.body && forged.headers === told.headers) continue;
            expect(await receiver.receive(kept(forged.headers), forged.body), `${name}: ${forged.body}`).toBe(400);
          }
        }
      } finally {
        await receiver.close();
      }
    });
  }
}

// The headers of the message, without those of the connection.
function kept(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook-|florin-|content-type)/.test(name)));
}
