// The provider of the chaos tests: the open provider contract (docs/providers/contract.md) over a journal that is
// flushed to disk before each response, in a process that is never killed. The journal is the true record of money
// movements that the application is compared with. Faults are drawn from a seed, one per call.
//   PORT, JOURNAL (file), FAULTS: {"seed": 1, "rates": {"hangAfter": 0.02, ...}, "lateSeconds": [45, 90], "deadlines": 0.5}
// `lateSeconds` is the delay of the fault `arrivesLate`; `deadlines` is the share of requests refused after their
// `Florin-Deadline`. The rest models a provider that ignores the deadline.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, type Asked, type Movement, newProviderModel } from './provider-model.ts';
import { random } from './seeded-random.ts';

type Faults = { seed?: number; rates?: Record<string, number>; lateSeconds?: [number, number]; deadlines?: number };

const { PORT, JOURNAL = '', FAULTS = '{}' } = process.env;
let { seed = 1, rates = {}, lateSeconds = [45, 90], deadlines = 0.5 }: Faults = JSON.parse(FAULTS);
let draw = random(seed);
const journal = openSync(JOURNAL, 'a');
const model = newProviderModel({
  write: onDisk,
  now: Date.now,
  draw: () => draw(),
  bankUrl: (key) => `http://127.0.0.1:${PORT}/bank/${key}`,
});
const seen = { calls: 0, faults: {} as Record<string, number>, inTransit: 0, refusedLate: 0 };
let actions = 0;

// Entries waiting for the disk share one flush.
let waiting: (() => void)[] = [];
function onDisk(line: Movement): Promise<void> {
  writeSync(journal, `${JSON.stringify(line)}\n`);
  return new Promise((done) => {
    waiting.push(done);
    if (waiting.length > 1) return;
    setImmediate(() => {
      const flushed = waiting;
      waiting = [];
      fdatasyncSync(journal);
      for (const each of flushed) each();
    });
  });
}

/** The fault of this call, or null. */
function fault(isOrder: boolean): string | null {
  seen.calls += 1;
  let at = draw();
  for (const [name, rate] of Object.entries(rates)) {
    if (isOrder ? name === 'stray' : /(Before|late|arrivesLate)/.test(name)) continue;
    at -= rate;
    if (at < 0) {
      seen.faults[name] = (seen.faults[name] ?? 0) + 1;
      return name;
    }
  }
  return null;
}

const pause = (milliseconds: number) => new Promise((wake) => setTimeout(wake, milliseconds));

/** Responds according to the fault. `work` executes the request, if there is one. */
async function serve(response: ServerResponse, name: string | null, work: () => Promise<void>, answer: () => Answer) {
  const send = (status: number, body: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  switch (name) {
    case 'hangBefore':
      return;
    case 'resetBefore':
      return response.socket?.destroy();
    case 'errorBefore':
      return send(500, 'oops');
    case 'late':
      await pause(3000);
      await work();
      return;
    case 'arrivesLate':
      return arriveLate(work);
    case 'stray':
      return send(404, JSON.stringify({ error: { code: 'operation_not_found' } }));
    default:
  }
  await work();
  switch (name) {
    case 'hangAfter':
      return;
    case 'resetAfter':
      return response.socket?.destroy();
    case 'errorAfter':
      return send(502, '<html>Bad gateway</html>');
    case 'garbageAfter':
      return send(200, '<html>Maintenance</html>');
    case 'cutAfter': {
      const text = JSON.stringify(answer()[1]);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2));
      await pause(20);
      return response.socket?.destroy();
    }
    case 'slow':
      await pause(200 + Math.floor(draw() * 1200));
      break;
    default:
  }
  const [status, body] = answer();
  send(status, JSON.stringify(body));
}

// The sender has given up long before.
async function arriveLate(work: () => Promise<void>) {
  const [least, most] = lateSeconds;
  seen.inTransit += 1;
  await pause((least + draw() * (most - least)) * 1000);
  seen.inTransit -= 1;
  await work();
}

/** Whether a request is refused because its deadline has passed. */
function isOver(deadline: string | undefined): boolean {
  const over = deadline !== undefined && Date.now() > Date.parse(deadline) && draw() < deadlines;
  if (over) seen.refusedLate += 1;
  return over;
}

async function route(request: IncomingMessage, response: ServerResponse, text: string) {
  const [, first = '', original = '', action] = (request.url ?? '').split('/');
  if (first === 'control') return control(response, original, text);
  if (request.method === 'GET')
    return serve(
      response,
      fault(false),
      async () => {},
      () => model.answerOf(original),
    );
  const body: Asked = JSON.parse(text);
  const key = body.reference;
  const kind = action ?? (first === 'payouts' ? 'payout' : 'payment');
  await serve(
    response,
    fault(true),
    async () => {
      if (!isOver(request.headers['florin-deadline']?.toString()))
        await model.execute(kind, key, action ? original : undefined, body);
    },
    () => (model.operations.has(key) ? model.answerOf(key) : [408, { error: { code: 'deadline_passed' } }]),
  );
}

/** The control API of the tests: the payer's decision at the bank, the fault rates, and the counters. */
async function control(response: ServerResponse, what: string, text: string) {
  const input = text === '' ? {} : JSON.parse(text);
  if (what === 'faults') {
    seed = input.seed ?? seed;
    rates = input.rates ?? rates;
    draw = random(seed);
  }
  if (what === 'portal') {
    const acted = await model.actAtPortal();
    if ('key' in acted) actions += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(acted));
    return;
  }
  if (what === 'finish') await model.finish(input);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...seen, actions }));
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    route(request, response, Buffer.concat(chunks).toString('utf8')).catch((thrown) => {
      console.error(thrown);
      process.exit(1);
    });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => {
  closeSync(journal);
  process.exit(0);
});
