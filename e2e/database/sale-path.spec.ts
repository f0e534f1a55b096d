// The files that a sale passes from wire to database are those that ARCHITECTURE.md lists. A server of its own reports by
// its inspector which functions run for one S2S CARD sale.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cardMerchant } from '../support/card-merchant.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';

const pathMax = 25;
/** Vocabulary, and platform that knows no payments: libraries to the path. */
const libraries = /^lib\/(core|methods|config|telemetry|db|http|vault)\//;

type Call = (method: string, params?: object) => Promise<{ result: ScriptCoverage[] }>;
type ScriptCoverage = { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] };

let server: KillableServer;
test.beforeAll(async () => {
  server = await startKillableServer({ NODE_OPTIONS: '--inspect=127.0.0.1:0' });
});
test.afterAll(() => server.kill());

test('a sale passes the files that ARCHITECTURE.md lists', async ({ cardShop }) => {
  const shop = cardMerchant(server.url, cardShop.credentials, cardShop.shopServer);
  const sell = async () => expect((await shop.sell()).answer.body).toMatchObject({ status: 'SETTLED' });
  // The check of the scripts runs once soon after the start; the first sale fills caches and compiles schemas and statements.
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
  const scripts = async () => (await (await fetch(`${server.url}/readyz`, { headers })).json()).checks.scripts.says;
  await expect.poll(scripts).toContain('as approved');
  await sell();
  const call = await inspectorOf(server);
  await call('Profiler.enable');
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runs: Set<string>[] = [];
  for (const _ of [1, 2, 3]) {
    await call('Profiler.takePreciseCoverage');
    await sell();
    const { result } = await call('Profiler.takePreciseCoverage');
    runs.push(filesOf(result));
  }
  const [first = new Set<string>(), ...others] = runs;
  // What runs in one of them alone is a timer's.
  const passed = [...first].filter((file) => others.every((run) => run.has(file)));

  const section = readFileSync('ARCHITECTURE.md', 'utf8').split('\n## Path of a sale\n')[1]?.split('\n## ')[0] ?? '';
  const listed = (item: RegExp) => [...section.matchAll(item)].map(([, file]) => file ?? '');
  const path = listed(/^\d+\. `(lib\/\S+)`/gm);
  const afterwards = listed(/^- `(lib\/\S+)`/gm);
  expect(passed.filter((file) => !libraries.test(file)).sort()).toEqual([...path, ...afterwards].sort());
  expect(path.length).toBeLessThanOrEqual(pathMax);
});

/** A connection to the inspector of a server. */
async function inspectorOf({ output }: KillableServer): Promise<Call> {
  const socket = new WebSocket(/ws:\/\/\S+/.exec(output())?.[0] ?? '');
  await new Promise((opened, failed) => {
    socket.addEventListener('open', opened);
    socket.addEventListener('error', failed);
  });
  let calls = 0;
  return (method, params = {}) =>
    new Promise((done) => {
      calls += 1;
      const id = calls;
      const onMessage = ({ data }: MessageEvent) => {
        const answer = JSON.parse(data);
        if (answer.id !== id) return;
        socket.removeEventListener('message', onMessage);
        done(answer.result);
      };
      socket.addEventListener('message', onMessage);
      socket.send(JSON.stringify({ id, method, params }));
    });
}

/** The files of lib with a function that ran. The bundle names each module in a comment before its code. */
function filesOf(scripts: ScriptCoverage[]): Set<string> {
  const { script } = JSON.parse(process.env.FLORIN_SERVER ?? '{}') as { script: string };
  const code = readFileSync(script, 'utf8');
  const modules = [...code.matchAll(/^\/\/ (\S+\.\w+)$/gm)].map(({ index, 1: file = '' }) => ({ index, file }));
  const files = scripts
    .filter(({ url }) => url.endsWith(join('/', script)))
    .flatMap(({ functions }) => functions.flatMap(({ ranges: [whole] }) => (whole && whole.count > 0 ? [whole] : [])))
    .map(({ startOffset }) => modules.findLast(({ index }) => index <= startOffset)?.file ?? '');
  return new Set(files.filter((file) => file.startsWith('lib/')));
}
