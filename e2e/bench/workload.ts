// The workload of a benchmark: live merchants with an account at a provider each, the production server, callback
// receivers and the load generator, with the helpers that several parts share.
import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { freePorts } from '../../scripts/ports.ts';
import type { ClosedJob, ClosedResult, OpenJob, OpenResult } from './load.ts';
import { type Merchant, newCard, pageRequest, payRequest, saleRequest, sessionRequest } from './requests.ts';
import { requestChild, type Stack } from './stack.ts';

/** The most requests that a closed round can use. */
const requestsMax = 20_000;
export const connections = 32;
export const poolSize = 16;

const production = { APP_ENV: 'production', DATABASE_POOL_SIZE: String(poolSize) };

type Choice<Name extends string> = {
  /** By name, each over the defaults (seed.ts); `callbacks` sends callbacks to the provider's process. */
  merchants: Record<Name, { callbacks?: boolean; [setting: string]: unknown }>;
  baseline?: boolean;
  /** The number of callback receivers. */
  addresses?: number;
  settings?: Record<string, string>;
};

export type Workload<Name extends string = string> = Awaited<ReturnType<typeof startWorkload<Name>>>;

/** Starts every process. */
export async function startWorkload<Name extends string>(
  stack: Stack,
  { merchants: wanted, baseline, addresses = 0, settings }: Choice<Name>,
) {
  const receiver = addresses > 0 ? await stack.start('receiver.ts', { ADDRESSES: String(addresses) }) : null;
  const [baselinePort, app, provider] = await freePorts(3);
  const providerUrl = `http://127.0.0.1:${provider}`;
  const merchantOf = ({ callbacks, ...more }: Choice<string>['merchants'][string]) => ({
    key: randomUUID(),
    password: randomUUID(),
    callbackUrl: callbacks ? `${providerUrl}/callback` : null,
    providerUrl,
    protocols: ['checkout', 's2s_card'],
    operations: ['purchase', 'recurring'],
    ...more,
  });
  const merchants = Object.fromEntries(
    Object.entries<Choice<string>['merchants'][string]>(wanted).map(([name, more]) => [name, merchantOf(more)]),
  ) as Record<Name, ReturnType<typeof merchantOf>>;
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
export function closed(
  { client }: Pick<Workload, 'client'>,
  job: Partial<ClosedJob> & Pick<ClosedJob, 'port' | 'requests'>,
): Promise<ClosedResult> {
  return requestChild(client, { connections, seconds: 2, ...job });
}

/** Open load: sends `rate` requests a second, independent of the responses. */
export function openLoad({ client }: Pick<Workload, 'client'>, job: OpenJob): Promise<OpenResult> {
  return requestChild(client, job);
}

export const times = <T>(count: number, make: (_: unknown, at: number) => T): T[] =>
  Array.from({ length: count }, make);

const linkPath = /"redirect_url":"http:\/\/[^/]+(\/pay\/[^"]+)"/g;
const hiddenFields = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;
const paid = /"next":"go","url":"[^"]*[?&](attempt=1)/g;
const transIdPattern = /"trans_id":"([^"]+)"/g;

// As much to parse as the application's form.
export const baselineForm = Object.entries({ attempt: '0', total: '84.50 EUR', guard: 'x'.repeat(22), lang: 'en' });

/** Creates sessions and returns the paths of their payment pages. */
export async function openSessions(
  workload: Pick<Workload, 'client'>,
  port: number,
  merchant: Merchant,
  count = requestsMax,
) {
  const opened = await closed(workload, {
    port,
    requests: times(count, () => sessionRequest(port, merchant)),
    pick: linkPath,
  });
  return { ...opened, paths: opened.picked.map(([match]) => match?.[0] ?? '') };
}

/** Loads the payment pages of the sessions; returns the requests that pay them. */
export async function visitPages(workload: Pick<Workload, 'client'>, port: number, paths: string[]) {
  const requests = paths.map((path) => pageRequest(port, path));
  const seen = await closed(workload, { port, seconds: 30, requests, pick: hiddenFields });
  return { ...seen, requests: paths.map((path, at) => payRequest(port, path, seen.picked[at] ?? [])) };
}

/** Pays sessions. */
export function pay(workload: Pick<Workload, 'client'>, port: number, requests: string[]) {
  return closed(workload, { port, requests, pick: paid });
}

/** Makes S2S CARD sales; returns the transaction ids and cards for status requests. */
export async function sell(
  workload: Pick<Workload, 'client'>,
  port: number,
  merchant: Merchant,
  { path, seconds = 2, callbackUrl }: { path?: string; seconds?: number; callbackUrl?: string } = {},
) {
  const cards = times(requestsMax, newCard);
  const requests = cards.map((card) => saleRequest(port, merchant, { card, path, callbackUrl }));
  const sold = await closed(workload, { port, seconds, requests, pick: transIdPattern });
  return { ...sold, sales: sold.picked.map(([match], at) => ({ transId: match?.[0] ?? '', card: cards[at] ?? '' })) };
}

/** The number of writing transactions of the database so far. */
export async function writesOf(database: ClientBase): Promise<number> {
  return Number((await database.query('select pg_current_xact_id()::text as id')).rows[0].id);
}
