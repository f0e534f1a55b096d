// What providers send: notifications with their headers, and answers. None may throw, because a payment that waits for
// an answer must become unknown and not fail.
import fc from 'fast-check';
import { signWebhook } from '../../../lib/core/webhooks.ts';
import { hostileText, mutatedJson, mutatedJsonBytes } from './mutations.ts';
import type { Parser } from './parser.ts';

const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const key = '0190a1b2-0000-7000-8000-000000000001';

const approved = {
  reference: key,
  status: 'approved',
  provider_reference: 'p-1',
  amount: '84.50',
  currency: 'EUR',
  network: { rrn: '123456789012', arn: '1', approval_code: '123456', descriptor: 'SHOP', brand: 'visa' },
  three_ds: { eci: '05', cavv: 'AAABAWFlmQAAAABjRWWZEEFgFz+=' },
  extended: { a: { b: 'c' } },
  chargebacks: [
    { id: 'c1', amount: '84.50', currency: 'EUR', date: '2026-11-20', reason_code: '10.4', status: 'open' },
  ],
};
const answers = [
  approved,
  { ...approved, status: 'declined', decline: { code: '51', message: 'No funds', class: 'funds', soft: true } },
  { ...approved, status: 'redirect', action: { url: 'https://bank.example/', method: 'POST', params: { PaReq: 'x' } } },
  { ...approved, status: 'processing', received: '10.00', present: { kind: 'qr', scheme: 'pix', payload: '0002' } },
  {
    ...approved,
    status: 'processing',
    present: { kind: 'details', rows: [{ name: 'IBAN', value: 'X' }], barcode: '12' },
  },
  {
    ...approved,
    status: 'processing',
    present: { kind: 'crypto', address: 'bc1qar0srrr7xfkvy5l643', network: 'Bitcoin', currency: 'BTC', amount: '0.1' },
  },
  { operations: ['purchase', 'refund'], methods: ['card', 'pix'], wallet: 'token' },
  { error: { code: 'operation_not_found', message: 'x' } },
];

/** Headers of a notification as JSON, so that each input is one text: signed, or signed and then changed. */
const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature'), hostileText),
  },
);

/** Notifications and answers. */
export async function notificationParsers(): Promise<{ [name: string]: Parser }> {
  const [{ httpConnector: http }, wire] = await Promise.all([
    import('../../../lib/connectors/http.ts'),
    import('../../../lib/connectors/http.wire.ts'),
  ]);
  const targets = [{ settings: { signingSecret } }] as Parameters<typeof http.readNotification>[0];
  const signed = fc
    .tuple(mutatedJsonBytes([{ reference: key, status: 'approved' }]), headers)
    .map(([body, changed]) => {
      const own = { ...signWebhook(signingSecret, 'm1', new Date(), body.toString('latin1')), ...changed };
      return Buffer.from(JSON.stringify({ own, body: body.toString('latin1') }));
    });
  return {
    notification: {
      inputs: signed,
      parse: async (input) => {
        const { own, body } = JSON.parse(input.toString());
        const printable = Object.entries<string>(own).map(([name, value]) => [
          name,
          value.replaceAll(/[^\x21-\x7e]/g, '?'),
        ]);
        const init = { method: 'POST', headers: Object.fromEntries(printable), body: Buffer.from(body, 'latin1') };
        await http.readNotification(targets, new Request('http://florin.test/notify/http/1', init));
      },
    },
    answer: {
      inputs: fc
        .tuple(mutatedJson(answers), fc.constantFrom(200, 201, 302, 400, 404, 409, 429, 500))
        .map(([body, status]) => Buffer.from(JSON.stringify({ status, body }))),
      parse: (input) => {
        const reply = JSON.parse(input.toString());
        wire.readOrder(reply, key);
        wire.readStatus(reply, key);
        wire.readCapabilities(reply.body);
      },
    },
  };
}
