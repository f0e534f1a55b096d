// The trade of a benchmark: live merchants with an account at a provider each, the production server that they sell by,
// receivers of their callbacks, and the load. What several parts do with it stands here too.
import { randomUUID } from 'node:crypto';
import { freePorts } from '../../scripts/ports.mjs';
import { newCard, pageRequest, payRequest, saleRequest, sessionRequest } from './requests.mjs';
import { ask } from './stack.mjs';

/** As many as a closed round can use up. */
const requestsMax = 20_000;
export const connections = 32;
export const poolSize = 16;

const production = { APP_ENV: 'production', DATABASE_POOL_SIZE: String(poolSize) };

/**
 * Starts every process of it.
 * @param {object} stack
 * @param {{ merchants?: Record<string, object>, floor?: boolean, addresses?: number, settings?: object }} options
 *   `merchants` by name, each over the usual one (seed.ts); `told` says that callbacks go to the provider's process;
 *   `addresses` is the number of receivers of callbacks
 */
export async function openTrade(stack, { merchants: wanted = { silent: {} }, floor, addresses = 0, settings } = {}) {
  const receiver = addresses > 0 ? await stack.start('receiver.mjs', { ADDRESSES: String(addresses) }) : null;
  const [floorPort, app, provider] = await freePorts(3);
  const providerUrl = `http://127.0.0.1:${provider}`;
  const merchantOf = ({ told, ...more }) => ({
    key: randomUUID(),
    password: randomUUID(),
    callbackUrl: told ? `${providerUrl}/callback` : null,
    providerUrl,
    protocols: ['checkout', 's2s_card'],
    operations: ['purchase', 'recurring'],
    ...more,
  });
  const merchants = Object.fromEntries(Object.entries(wanted).map(([name, more]) => [name, merchantOf(more)]));
  const all = { ...production, JOBS: 'on', ...settings };
  await stack.seed('e2e/bench/seed.ts', app, { ...all, BENCH_MERCHANTS: JSON.stringify(Object.values(merchants)) });
  await stack.start('provider.mjs', { PORT: String(provider) });
  if (floor) {
    await stack.start('baseline.mjs', {
      PORT: String(floorPort),
      POOL_SIZE: String(poolSize),
      BASE_URL: `http://127.0.0.1:${floorPort}`,
      PROVIDER_URL: providerUrl,
    });
  }
  const server = await stack.serve(app, all);
  const client = await stack.start('load.mjs');
  return {
    ports: { floor: floorPort, app, provider },
    merchants,
    server,
    client,
    receiver,
    counts: async () => (await fetch(`${providerUrl}/count`)).json(),
  };
}

/** Lets the load send requests over few connections, as quickly as they are answered. */
export function closed({ client }, job) {
  return ask(client, { connections, seconds: 2, ...job });
}

/** Lets the load send `rate` requests a second, whatever becomes of them. */
export function openLoad({ client }, job) {
  return ask(client, job);
}

export const times = (count, make) => Array.from({ length: count }, make);

const linkPath = /"redirect_url":"http:\/\/[^/]+(\/pay\/[^"]+)"/g;
const hiddenFields = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;
const paid = /"next":"go","url":"[^"]*[?&](attempt=1)/g;
const soldAs = /"trans_id":"([^"]+)"/g;

// As much to read as the application's form.
export const floorForm = Object.entries({ attempt: '0', total: '84.50 EUR', guard: 'x'.repeat(22), lang: 'en' });

/** Opens sessions and gives the paths of their payment pages. */
export async function openSessions(trade, port, merchant, count = requestsMax) {
  const opened = await closed(trade, {
    port,
    requests: times(count, () => sessionRequest(port, merchant)),
    pick: linkPath,
  });
  return { ...opened, paths: opened.picked.map(([[path]]) => path) };
}

/** Loads the pages of the application's sessions; gives the requests that pay them. */
export async function visitPages(trade, port, paths) {
  const requests = paths.map((path) => pageRequest(port, path));
  const seen = await closed(trade, { port, seconds: 30, requests, pick: hiddenFields });
  return { ...seen, requests: paths.map((path, at) => payRequest(port, path, seen.picked[at])) };
}

/** Pays sessions. */
export function pay(trade, port, requests) {
  return closed(trade, { port, requests, pick: paid });
}

/** Sells by S2S CARD; gives what a status is asked by: the transaction's id and the card. */
export async function sell(trade, port, merchant, { path, seconds = 2, callbackUrl } = {}) {
  const cards = times(requestsMax, newCard);
  const requests = cards.map((card) => saleRequest(port, merchant, { card, path, callbackUrl }));
  const sold = await closed(trade, { port, seconds, requests, pick: soldAs });
  return { ...sold, sales: sold.picked.map(([[transId]], at) => ({ transId, card: cards[at] })) };
}

/** The writing transactions of the database so far. */
export async function writesOf(database) {
  return Number((await database.query('select pg_current_xact_id()::text as id')).rows[0].id);
}
