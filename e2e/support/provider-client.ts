// A gateway other than Florin: uses the open provider contract with its own account at the sandbox provider, so that
// tests can check the provider without Florin.
import { createHmac, randomUUID } from 'node:crypto';
import type { Chargeback } from './provider.ts';
import type { ShopServer } from './shop-server.ts';
import { isSignedWebhook } from './signatures.ts';

export type Answer = {
  http: number;
  reference: string;
  status: 'challenge' | 'redirect' | 'processing' | 'approved' | 'authorized' | 'declined';
  present?: { kind: string; [member: string]: unknown };
  action?: { url: string; method: string };
  decline?: { code: string; class: string };
  extended?: { [name: string]: string };
  amount?: string;
  currency?: string;
  received?: string;
  chargebacks?: Chargeback[];
  error?: { code: string };
  [member: string]: unknown;
};

export type Outcome = 'approve' | 'decline' | 'pending' | 'rejected' | 'chargeback';

/**
 * Acts as the payer of a payment at the sandbox provider, without using the payment page. The paid amount may differ.
 */
export function playPayer(baseUrl: string, reference: string, outcome: Outcome, amount?: string): Promise<Response> {
  return fetch(`${baseUrl}/sandbox/finish/${reference}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ outcome, amount }),
  });
}

/** The settlement report of an account and a day as CSV, with faults by their names. */
export async function settlementReport(baseUrl: string, account: string, day: string, faults: string[] = []) {
  const response = await fetch(`${baseUrl}/sandbox/provider/v1/settlements/${day}?faults=${faults.join(',')}`, {
    headers: { authorization: keyOf(account) },
  });
  return { http: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const keyOf = (account: string) => `Bearer sandbox.${account}.${derive('key', account).toString('base64url')}`;

type Body = { [member: string]: unknown };
type Headers = { [name: string]: string };

export type ProviderClient = ReturnType<typeof providerClient>;

/** A client with its own account at the provider of the server at `baseUrl`. */
export function providerClient(baseUrl: string, shopServer: ShopServer) {
  const account = `contract-${randomUUID().slice(0, 8)}`;
  const authorization = keyOf(account);

  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: Body,
    headers: Headers = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const key = typeof body?.reference === 'string' ? { 'idempotency-key': body.reference } : {};
    const response = await fetch(`${baseUrl}/sandbox/provider/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...key, ...headers } as Headers,
      body: body && JSON.stringify(body),
      signal,
    });
    return { http: response.status, ...(await response.json()) };
  }

  const settlements = (day: string, faults?: string[]) => settlementReport(baseUrl, account, day, faults);

  const orderOf = (method: string, change: Body): Body & { reference: string } => {
    const reference = randomUUID();
    return {
      reference,
      method,
      amount: '84.50',
      currency: 'EUR',
      order: { number: reference, description: 'Two bowls' },
      payer: { email: 'mia@mail.example', phone: '+38591234567' },
      return_url: 'https://shop.example/back',
      notify_url: shopServer.addressFor(reference),
      ...change,
    };
  };

  return {
    call,
    settlements,
    /** Orders a payment by a method. */
    pay: (method: string, change: Body = {}, headers: Headers = {}, signal?: AbortSignal) =>
      call('POST', '/payments', { operation: 'sale', ...orderOf(method, change) }, headers, signal),
    payout: (method: string, change: Body = {}, headers: Headers = {}) =>
      call('POST', '/payouts', orderOf(method, change), headers),
    proceed: (original: string, reply: Body, reference: string = randomUUID()) =>
      call('POST', `/payments/${original}/proceed`, { reference, ...reply }),
    /** Captures, refunds or voids a payment in EUR; the full amount if `amount` is absent. */
    follow: (
      kind: 'capture' | 'refund' | 'void',
      original: string,
      amount?: string,
      headers: Headers = {},
      reference: string = randomUUID(),
    ) =>
      call('POST', `/payments/${original}/${kind}`, { reference, ...(amount && { amount, currency: 'EUR' }) }, headers),
    void: (original: string) => call('POST', `/payments/${original}/void`, { reference: randomUUID() }),
    status: (reference: string) => call('GET', `/operations/${reference}`),
    /** Like {@link playPayer}, and returns the answer. */
    async finish(reference: string, outcome: Outcome, amount?: string): Promise<Answer> {
      const response = await playPayer(baseUrl, reference, outcome, amount);
      return { http: response.status, ...(await response.json()) };
    },
    /** The notifications of a payment: each body and whether it is signed. Waits for `count` of them. */
    async notified(reference: string, count: number) {
      const deliveries = await shopServer.waitFor(reference, (all) => all.length >= count);
      return deliveries.map(({ headers, body }) => ({
        id: headers['webhook-id'],
        signed: isSignedWebhook(headers, body, derive('notifications', account)),
        body: JSON.parse(body) as { [member: string]: unknown },
      }));
    },
  };
}

// The provider returns keys only with the settings of the seeded accounts, so they are derived here in the same way.
function derive(purpose: string, account: string): Buffer {
  const { settings } = JSON.parse(process.env.FLORIN_SERVER ?? '{}') as { settings?: { VAULT_KEY?: string } };
  if (!settings?.VAULT_KEY)
    throw new Error('FLORIN_SERVER is missing: it contains the key that the provider derives its own from');
  const vaultKey = Buffer.from(settings.VAULT_KEY, 'base64');
  return createHmac('sha256', vaultKey).update(`sandbox provider ${purpose} ${account}`).digest();
}
