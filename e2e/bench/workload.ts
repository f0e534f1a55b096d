// @ts-nocheck
// The workload of a benchmark: live merchants with an account at a provider each, the production server, callback
// receivers and the load generator, with the helpers that several parts share.
import { randomUUID } from 'node:crypto';
import { freePorts } from '../../scripts/ports.ts';
import { newCard, pageRequest, payRequest, saleRequest, sessionRequest } from './requests.ts';
import { requestChild } from './stack.ts';

/** The most requests that a closed round can use. */
const requestsMax = 20_000;
export const connections = 32;
export const poolSize = 16;

const production = { APP_ENV: 'production', DATABASE_POOL_SIZE: String(poolSize) };

/**
 * Starts every process.
 * @param {object} stack
 * @param {{ merchants?: Record<string, object>, baseline?: boolean, addresses?: number, settings?: object }} options
 * `merchants` by name, each over the defaults (seed.ts); `callbacks` sends callbacks to the provider's process;
 * `addresses` is the number of callback receivers
 */
export async function startWorkload(
  stack,
  { merchants: wanted = { silent: {} }, baseline, addresses = 0, settings } = {},
) {
  const receiver = addresses > 0 ? await stack.start('receiver.ts', { ADDRESSES: String(addresses) }) : null;
  const [baselinePort, app, provider] = await freePorts(3);
  const providerUrl = `http://127.0.0.1:${provider}`;
  const merchantOf = ({ callbacks, ...more }) => ({
    key: randomUUID(),
    password: randomUUID(),
    callbackUrl: callbacks ? `${providerUrl}/callback` : null,
    providerUrl,
    protocols: ['checkout', 's2s_card'],
    operations: ['purchase', 'recurring'],
    ...more,
  });
  const merchants = Object.fromEntries(Object.entries(wanted).map(([name, more]) => [name, merchantOf(more)]));
  const all = { ...production, JOBS: 'on', ...settings };
  await stack.seed('e2e/bench/seed.ts', app, { ...all, BENCH_MERCHANTS: JSON.stringify(Object.values(merchants)) });
  await stack.start('provider.ts', { PORT: String(provider) });
  if (baseline) {
    await stack.start('baseline.ts', {
      PORT: String(baselinePort),
      POOL_SIZE: String(poolSize),
      BASE_URL: `http://127.0.0.1:${baselinePort}`,
      PROVIDER_URL: providerUrl,
    });
  }
  const server = await stack.serve(app, all);
  const client = await stack.start('load.ts');
  return {
    ports: { baseline: baselinePort, app, provider },
    merchants,
    server,
    client,
    receiver,
    counts: async () => (await fetch(`${providerUrl}/count`)).json(),
  };
}

/** Closed load: sends requests over few connections, as fast as they are answered. */
export function closed({ client }, job) {
  return requestChild(client, { connections, seconds: 2, ...job });
}

/** Open load: sends `rate` requests a second, independent of the responses. */
export function openLoad({ client }, job) {
  return requestChild(client, job);
}

export const times = (count, make) => Array.from({ length: count }, make);

const linkPath = /"redirect_url":"http:\/\/[^/]+(\/pay\/[^"]+)"/g;
const hiddenFields = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;
const paid = /"next":"go","url":"[^"]*[?&](attempt=1)/g;
const transIdPattern = /"trans_id":"([^"]+)"/g;

// As much to parse as the application's form.
export const baselineForm = Object.entries({ attempt: '0', total: '84.50 EUR', guard: 'x'.repeat(22), lang: 'en' });

/** Creates sessions and returns the paths of their payment pages. */
export async function openSessions(workload, port, merchant, count = requestsMax) {
  const opened = await closed(workload, {
    port,
    requests: times(count, () => sessionRequest(port, merchant)),
    pick: linkPath,
  });
  return { ...opened, paths: opened.picked.map(([[path]]) => path) };
}

/** Loads the payment pages of the sessions; returns the requests that pay them. */
export async function visitPages(workload, port, paths) {
  const requests = paths.map((path) => pageRequest(port, path));
  const seen = await closed(workload, { port, seconds: 30, requests, pick: hiddenFields });
  return { ...seen, requests: paths.map((path, at) => payRequest(port, path, seen.picked[at])) };
}

/** Pays sessions. */
export function pay(workload, port, requests) {
  return closed(workload, { port, requests, pick: paid });
}

/** Makes S2S CARD sales; returns the transaction ids and cards for status requests. */
export async function sell(workload, port, merchant, { path, seconds = 2, callbackUrl } = {}) {
  const cards = times(requestsMax, newCard);
  const requests = cards.map((card) => saleRequest(port, merchant, { card, path, callbackUrl }));
  const sold = await closed(workload, { port, seconds, requests, pick: transIdPattern });
  return { ...sold, sales: sold.picked.map(([[transId]], at) => ({ transId, card: cards[at] })) };
}

/** The number of writing transactions of the database so far. */
export async function writesOf(database) {
  return Number((await database.query('select pg_current_xact_id()::text as id')).rows[0].id);
}
