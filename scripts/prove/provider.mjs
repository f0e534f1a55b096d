// The provider of the proofs: the open provider contract (docs/provider-contract.md) over a journal that is on disk before
// anybody is answered, in a process that nobody kills. What stands in the journal is what really happened to the money;
// everything that the application believes is compared with it. Faults are drawn from a seed, one per call.
//   PORT, JOURNAL (file), FAULTS: {"seed": 1, "rates": {"hangAfter": 0.02, ...}}
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { random } from './chance.mjs';

const { PORT, JOURNAL, FAULTS = '{}' } = process.env;
let { seed = 1, rates = {} } = JSON.parse(FAULTS);
let draw = random(seed);
const journal = openSync(JOURNAL, 'a');
/** By key: what was ordered, and what is answered about it. */
const operations = new Map();
const seen = { calls: 0, faults: {} };

const minor = (amount) => BigInt(amount.replace('.', ''));

// Lines that wait for the disk share one flush.
let waiting = [];
function onDisk(line) {
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

/** What an order does to the money. An amount that ends in 5 cents is declined, one that ends in 3 asks the payer first. */
function decide(kind, original, { amount, operation }) {
  if (kind === 'payment') {
    if (amount.endsWith('5')) return declined('funds');
    if (amount.endsWith('3')) return { status: 'challenge' };
    return { status: operation === 'authorize' ? 'authorized' : 'approved' };
  }
  if (kind === 'payout') return { status: 'approved' };
  if (!original) return kind === 'void' ? { status: 'approved' } : declined('unknown_payment');
  return follow(kind, original, amount);
}

function follow(kind, original, amount) {
  const wanted = amount === undefined ? null : minor(amount);
  if (kind === 'capture') {
    const isHeld = original.status === 'authorized' && original.captured === null && !original.isVoided;
    if (!isHeld || (wanted ?? original.minor) > original.minor) return declined('not_held');
    original.captured = wanted ?? original.minor;
    return { status: 'approved', moved: original.captured };
  }
  const taken = original.captured ?? (original.status === 'approved' ? original.minor : 0n);
  if (kind === 'refund') {
    const left = original.isVoided ? 0n : taken - original.refunded;
    const share = wanted ?? left;
    if (share <= 0n || share > left) return declined('nothing_left');
    original.refunded += share;
    return { status: 'approved', moved: share };
  }
  if (original.isVoided || original.refunded > 0n) return declined('over');
  original.isVoided = true;
  if (original.status === 'challenge' || original.status === 'processing') original.status = 'declined';
  // What was held and not taken is set free: that amount moves in the journal, as that of a payment taken back does.
  const isHeld = original.status === 'authorized' && original.captured === null;
  return { status: 'approved', moved: isHeld ? original.minor : taken };
}

const declined = (code) => ({ status: 'declined', decline: { code, message: code, class: 'bank', soft: false } });

/** Carries an order out, once per key, and has it on disk. */
async function carryOut(kind, key, originalKey, body) {
  const known = operations.get(key);
  if (known) return known.written;
  const original = operations.get(originalKey);
  const amount = body.amount ?? null;
  const decision = decide(kind, original, body);
  const operation = {
    ...decision,
    kind,
    key,
    original: originalKey ?? null,
    order: body.order?.number ?? original?.order ?? null,
    minor: amount === null ? 0n : minor(amount),
    captured: null,
    refunded: 0n,
    isVoided: false,
  };
  operations.set(key, operation);
  operation.written = note(operation, body.operation ?? kind);
  return operation.written;
}

function note({ key, kind, original, order, status, minor: amount, moved }, what) {
  return onDisk({ at: Date.now(), key, kind, what, original, order, status, minor: String(moved ?? amount) });
}

function answerOf(key) {
  const operation = operations.get(key);
  if (!operation) return [404, { error: { code: 'operation_not_found' } }];
  const { status, decline } = operation;
  const action =
    status === 'challenge' ? { url: `http://127.0.0.1:${PORT}/bank/${key}`, method: 'GET', params: {} } : undefined;
  return [200, { reference: key, provider_reference: `p-${key}`, status, decline, action }];
}

/** Names the fault of this call, or null. */
function fault(isOrder) {
  seen.calls += 1;
  let at = draw();
  for (const [name, rate] of Object.entries(rates)) {
    if (!isOrder && /(Before|late)/.test(name)) continue;
    at -= rate;
    if (at < 0) {
      seen.faults[name] = (seen.faults[name] ?? 0) + 1;
      return name;
    }
  }
  return null;
}

const pause = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/** Answers as the fault has it. `work` carries the order out, where there is one. */
async function serve(response, name, work, answer) {
  const send = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
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

async function route(request, response, text) {
  const [, first = '', original, action] = (request.url ?? '').split('/');
  if (first === 'control') return control(response, original, text);
  if (request.method === 'GET')
    return serve(
      response,
      fault(false),
      async () => {},
      () => answerOf(original),
    );
  const body = JSON.parse(text);
  const key = body.reference;
  const kind = action ?? (first === 'payouts' ? 'payout' : 'payment');
  await serve(
    response,
    fault(true),
    () => carryOut(kind, key, action ? original : undefined, body),
    () => answerOf(key),
  );
}

/** For the proof itself: the payer's word at the bank, other faults, and what was met. */
async function control(response, what, text) {
  const asked = text === '' ? {} : JSON.parse(text);
  if (what === 'faults') {
    seed = asked.seed ?? seed;
    rates = asked.rates ?? rates;
    draw = random(seed);
  }
  if (what === 'finish') {
    const operation = operations.get(asked.key);
    // `anyway` breaks the contract: what was called off settles all the same.
    if (operation && (operation.status === 'challenge' || asked.anyway)) {
      Object.assign(operation, asked.ok ? { status: 'approved' } : declined('refused'));
      await note(operation, 'finished');
    }
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen));
}

const server = createServer((request, response) => {
  const chunks = [];
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
