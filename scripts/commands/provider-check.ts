// florin provider check: checks a provider or adapter against the provider contract (docs/providers/contract.md). It
// makes payments with a test card: run it against a test environment only. Ends with 1 when a check fails.
import { randomUUID } from 'node:crypto';
import { defineCommand, UsageError } from './command.ts';

type Fields = Record<string, unknown>;
type Payment = Fields & { reference: string; operation: string; amount: string; currency: string };
type Answer = {
  status: number;
  // The members that the checks read; the contract has more.
  body: Fields & { status?: string; reference?: string; amount?: string; currency?: string; error?: { code?: string } };
};
type Request = { body?: Fields & { reference: string }; key?: string; headers?: Record<string, string> };

type Client = ReturnType<typeof clientOf>;
type Settings = { url: string; apiKey: string; card: string; amount: string; currency: string };

/** A client of the contract: calls as Florin makes them. */
function clientOf({ url, apiKey, card, amount, currency }: Settings) {
  const call = async (method: string, path: string, { body, key = apiKey, headers = {} }: Request = {}) => {
    const response = await fetch(url.replace(/\/$/, '') + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'florin-deadline': new Date(Date.now() + 60_000).toISOString(),
        ...(body && { 'content-type': 'application/json', 'idempotency-key': body.reference }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) } as Answer;
    } catch {
      throw new Error(`${method} ${path} returned ${response.status} with a body that is not JSON`);
    }
  };
  const payment = (more: Partial<Payment> = {}): Payment => ({
    reference: randomUUID(),
    operation: 'sale',
    method: 'card',
    amount,
    currency,
    order: { number: `conformance-${randomUUID().slice(0, 8)}`, description: 'Conformance test' },
    card: { number: card, exp_month: '01', exp_year: '2038', cvv: '123', holder: 'Mia Lindqvist' },
    three_ds: 'none',
    return_url: 'https://florin.invalid/return',
    ...more,
  });
  const post = (path: string, body: Fields & { reference: string }, headers?: Record<string, string>) =>
    call('POST', path, { body, headers });
  return { call, post, payment, amount, currency };
}

function expect(isTrue: boolean, message: string) {
  if (!isTrue) throw new Error(message);
}

const errorOf = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? body?.status ?? ''}`.trim();

async function paid(client: Client, more?: Partial<Payment>) {
  const body = client.payment(more);
  const answer = await client.post('/payments', body);
  const wanted = body.operation === 'authorize' ? 'authorized' : 'approved';
  expect(answer.body.status === wanted, `a payment with the test card must be ${wanted}, and was ${errorOf(answer)}`);
  return { body, answer };
}

const follow = (client: Client, { body }: { body: Payment }, kind: string, more: Fields = {}) =>
  client.post(`/payments/${body.reference}/${kind}`, { reference: randomUUID(), ...more });

/** More than the amount, with the same number of decimals. */
const above = (amount: string) => amount.replace(/^\d+/, (whole) => `${whole}1`);

const late = () => ({ 'florin-deadline': new Date(Date.now() - 60_000).toISOString() });

/** Each check with its name, a sentence of what the provider should do. */
const checks: Record<string, (client: Client) => Promise<void>> = {
  'GET /capabilities lists operations and methods': async ({ call }) => {
    const { status, body } = await call('GET', '/capabilities');
    expect(status === 200, `returned ${status}`);
    expect(Array.isArray(body.operations) && Array.isArray(body.methods), 'operations and methods must be lists');
  },
  'a wrong API key gets 401': async ({ call }) => {
    const answer = await call('GET', '/capabilities', { key: 'wrong' });
    expect([401, 403].includes(answer.status), `returned ${errorOf(answer)}`);
  },
  'a payment returns its reference, amount and currency': async (client) => {
    const { body, answer } = await paid(client);
    expect(answer.body.reference === body.reference, 'another reference was returned');
    expect(answer.body.amount === body.amount, `the amount ${answer.body.amount} was returned`);
    expect(answer.body.currency === body.currency, `the currency ${answer.body.currency} was returned`);
  },
  'the same payment twice, also at once, has one effect and one answer': async (client) => {
    const body = client.payment();
    const both = await Promise.all([client.post('/payments', body), client.post('/payments', body)]);
    const known = both.filter(({ status }) => status === 200);
    const isAllowed = ({ status, body: said }: Answer) =>
      status === 200 || said.error?.code === 'operation_in_progress';
    expect(known.length > 0 && both.every(isAllowed), `returned ${both.map(errorOf).join(' and ')}`);
    const again = await client.post('/payments', body);
    for (const { body: said } of known) {
      expect(JSON.stringify(said) === JSON.stringify(again.body), 'the answers differ');
    }
  },
  'the same key with another amount gets 409 idempotency_mismatch': async (client) => {
    const { body } = await paid(client);
    const answer = await client.post('/payments', { ...body, amount: above(body.amount) });
    expect(errorOf(answer) === '409 idempotency_mismatch', `returned ${errorOf(answer)}`);
  },
  'GET /operations/{key} returns the operation': async (client) => {
    const { body, answer } = await paid(client);
    const found = await client.call('GET', `/operations/${body.reference}`);
    expect(found.status === 200 && found.body.status === answer.body.status, `returned ${errorOf(found)}`);
    expect(found.body.amount === body.amount, `the amount ${found.body.amount} was returned`);
  },
  'GET /operations/{key} of an unknown key gets 404 operation_not_found': async ({ call }) => {
    const answer = await call('GET', `/operations/${randomUUID()}`);
    expect(errorOf(answer) === '404 operation_not_found', `returned ${errorOf(answer)}`);
  },
  'a void of an unknown payment is approved, and the payment is declined when it arrives': async (client) => {
    const body = client.payment();
    const voided = await follow(client, { body }, 'void');
    expect(voided.body.status === 'approved', `the void returned ${errorOf(voided)}`);
    const answer = await client.post('/payments', body);
    expect(answer.body.status === 'declined', `the payment returned ${errorOf(answer)}`);
  },
  'a payment after its deadline gets 408 deadline_passed and leaves its key free': async (client) => {
    const body = client.payment();
    const answer = await client.post('/payments', body, late());
    expect(errorOf(answer) === '408 deadline_passed', `returned ${errorOf(answer)}`);
    const found = await client.call('GET', `/operations/${body.reference}`);
    expect(errorOf(found) === '404 operation_not_found', `afterwards the key returned ${errorOf(found)}`);
    const again = await client.post('/payments', body);
    expect(again.body.status === 'approved', `with a later deadline it returned ${errorOf(again)}`);
  },
  'an authorisation is captured once, and never above its amount': async (client) => {
    const authorised = await paid(client, { operation: 'authorize' });
    const { amount, currency } = authorised.body;
    const more = await follow(client, authorised, 'capture', { amount: above(amount), currency });
    expect(more.body.status === 'declined', `a capture above the amount returned ${errorOf(more)}`);
    const first = await follow(client, authorised, 'capture', { amount, currency });
    expect(first.body.status === 'approved', `the capture returned ${errorOf(first)}`);
    expect(first.body.amount === amount && first.body.currency === currency, 'the capture returned another amount');
    const second = await follow(client, authorised, 'capture', { amount, currency });
    expect(second.body.status === 'declined', `a second capture returned ${errorOf(second)}`);
  },
  'of two refunds of the whole amount at once, one is approved': async (client) => {
    const sold = await paid(client);
    const { amount, currency } = sold.body;
    const refund = () => follow(client, sold, 'refund', { amount, currency });
    const states = (await Promise.all([refund(), refund()])).map(({ body }) => body.status);
    expect(states.sort().join(' ') === 'approved declined', `returned ${states.join(' and ')}`);
  },
  'a void of an authorisation is approved, and a capture afterwards declined': async (client) => {
    const authorised = await paid(client, { operation: 'authorize' });
    const voided = await follow(client, authorised, 'void');
    expect(voided.body.status === 'approved', `the void returned ${errorOf(voided)}`);
    const captured = await follow(client, authorised, 'capture');
    expect(captured.body.status === 'declined', `the capture returned ${errorOf(captured)}`);
  },
};

export const providerCheck = defineCommand({
  usage: `API_KEY=... florin provider check http://127.0.0.1:8090
    --card 4111111111111111   test card of an approved payment
    --amount 10.00            amount of each payment
    --currency EUR            currency of each payment`,
  options: {
    card: { type: 'string', default: '4111111111111111' },
    amount: { type: 'string', default: '10.00' },
    currency: { type: 'string', default: 'EUR' },
  },
  positionals: { least: 1, most: 1 },
  run: async (values, [url = '']) => {
    const apiKey = process.env.API_KEY ?? '';
    if (apiKey === '') throw new UsageError('API_KEY is not set.');
    const client = clientOf({ url, apiKey, ...values });
    let failures = 0;
    for (const [name, run] of Object.entries(checks)) {
      try {
        await run(client);
        console.log(`pass  ${name}`);
      } catch (error) {
        failures += 1;
        console.log(`FAIL  ${name}\n      ${error instanceof Error ? error.message : error}`);
      }
    }
    console.log(`${Object.keys(checks).length} checks, ${failures} failed.`);
    process.exit(failures > 0 ? 1 : 0);
  },
});
