// The provider of the proofs: the open provider contract (docs/provider-contract.md) over a journal that is on disk before
// anybody is answered, in a process that nobody kills. What stands in the journal is what really happened to the money;
// everything that the application believes is compared with it. Faults are drawn from a seed, one per call.
//   PORT, JOURNAL (file), FAULTS: {"seed": 1, "rates": {"hangAfter": 0.02, ...}, "lateSeconds": [45, 90], "deadlines": 0.5}
// `lateSeconds` is how long a request of the fault `arrivesLate` is on its way; `deadlines` is how often a request that
// arrives after its `Florin-Deadline` is refused. One that is carried out all the same is a provider that ignores it.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { random } from './random.mjs';

const { PORT, JOURNAL, FAULTS = '{}' } = process.env;
let { seed = 1, rates = {}, lateSeconds = [45, 90], deadlines = 0.5 } = JSON.parse(FAULTS);
let draw = random(seed);
const journal = openSync(JOURNAL, 'a');
/** By key: what was ordered, and what is answered about it. */
const operations = new Map();
const seen = { calls: 0, faults: {}, inTransit: 0, refusedLate: 0 };
let actions = 0;

const minor = (amount) => BigInt(amount.replace('.', ''));
/** The amounts of the proofs have two decimals. */
const amountOf = (sum) => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;

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
  if (!original) return declined('unknown_payment');
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
  if (kind === 'void' && !operations.has(originalKey)) takeKey(originalKey);
  const original = operations.get(originalKey);
  const amount = body.amount ?? null;
  const decision = decide(kind, original, body);
  const operation = {
    ...decision,
    kind,
    key,
    original: originalKey ?? null,
    order: body.order?.number ?? original?.order ?? null,
    minor: amount === null ? (decision.moved ?? 0n) : minor(amount),
    currency: body.currency ?? original?.currency ?? 'EUR',
    notifyUrl: body.notify_url,
    chargebacks: [],
    captured: null,
    refunded: 0n,
    isVoided: false,
  };
  operations.set(key, operation);
  operation.written = note(operation, body.operation ?? kind);
  return operation.written;
}

/** A void of a payment that is not known takes its key: if it arrives after all, it is declined. */
function takeKey(key) {
  const blank = {
    original: null,
    order: null,
    minor: 0n,
    currency: 'EUR',
    chargebacks: [],
    captured: null,
    refunded: 0n,
  };
  const unborn = { ...declined('cancelled'), ...blank, key, kind: 'payment', isVoided: false };
  operations.set(key, unborn);
  unborn.written = note(unborn, 'cancelled');
}

function note({ key, kind, original, order, status, minor: amount, moved }, what) {
  return onDisk({ at: Date.now(), key, kind, what, original, order, status, minor: String(moved ?? amount) });
}

function answerOf(key) {
  const operation = operations.get(key);
  if (!operation) return [404, { error: { code: 'operation_not_found' } }];
  const { kind, minor: sum, currency, chargebacks } = operation;
  // A payment that was voided takes nothing, whatever it was before.
  const voided = kind === 'payment' && operation.isVoided ? declined('voided') : null;
  const { status, decline } = voided ?? operation;
  const action =
    status === 'challenge' ? { url: `http://127.0.0.1:${PORT}/bank/${key}`, method: 'GET', params: {} } : undefined;
  const told = kind === 'void' ? {} : { amount: amountOf(sum), currency };
  const disputes = chargebacks.length > 0 ? { chargebacks } : {};
  return [200, { reference: key, provider_reference: `p-${key}`, status, decline, action, ...told, ...disputes }];
}

/** Names the fault of this call, or null. */
function fault(isOrder) {
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

// Its sender has given it up long before.
async function arriveLate(work) {
  const [least, most] = lateSeconds;
  seen.inTransit += 1;
  await pause((least + draw() * (most - least)) * 1000);
  seen.inTransit -= 1;
  await work();
}

/** Whether a request is refused because its sender's time for it is over. */
function isOver(deadline) {
  const over = deadline !== undefined && Date.now() > Date.parse(deadline) && draw() < deadlines;
  if (over) seen.refusedLate += 1;
  return over;
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
    async () => {
      if (!isOver(request.headers['florin-deadline'])) await carryOut(kind, key, action ? original : undefined, body);
    },
    () => (operations.has(key) ? answerOf(key) : [408, { error: { code: 'deadline_passed' } }]),
  );
}

/** What the provider's own people, and the payers' banks, do to a payment by themselves. */
const portal = {
  async void(payment) {
    if (takenOf(payment) === 0n || payment.refunded > 0n) return false;
    Object.assign(payment, declined('voided_at_portal'), { isVoided: true });
    await note(payment, 'taken back');
    return true;
  },
  async capture(payment) {
    if (payment.status !== 'authorized' || payment.captured !== null || payment.isVoided) return false;
    Object.assign(payment, { captured: payment.minor, status: 'approved' });
    await note(payment, 'portal capture');
    return true;
  },
  async chargeback(payment) {
    const left = takenOf(payment) - payment.refunded;
    if (left < 100n || payment.chargebacks.length > 0) return false;
    const sum = draw() < 0.5 ? left : left / 2n;
    const id = `cb-${payment.key}`;
    const date = new Date().toISOString().slice(0, 10);
    payment.chargebacks.push({ id, amount: amountOf(sum), currency: payment.currency, date, status: 'open' });
    const line = { key: id, kind: 'chargeback', what: 'chargeback', original: payment.key, order: payment.order };
    await onDisk({ at: Date.now(), ...line, status: 'approved', minor: String(sum) });
    return true;
  },
};

/** What was taken of a payment and not undone. */
const takenOf = ({ status, isVoided, captured, minor: sum }) =>
  isVoided ? 0n : (captured ?? (status === 'approved' ? sum : 0n));

/** Does something to a payment that the draw chooses; gives its key and where to notify, or nothing where none fits. */
async function actAtPortal() {
  const payments = [...operations.values()].filter(({ kind, order }) => kind === 'payment' && order !== null);
  const what = Object.keys(portal)[Math.floor(draw() * 3)];
  const from = Math.max(0, payments.length - 200);
  for (let tries = 0; tries < 20 && payments.length > 0; tries += 1) {
    const payment = payments[from + Math.floor(draw() * (payments.length - from))];
    if (!(await portal[what](payment))) continue;
    actions += 1;
    return { what, key: payment.key, notifyUrl: payment.notifyUrl };
  }
  return {};
}

/** For the proof itself: the payer's word at the bank, other faults, and what was met. */
async function control(response, what, text) {
  const asked = text === '' ? {} : JSON.parse(text);
  if (what === 'faults') {
    seed = asked.seed ?? seed;
    rates = asked.rates ?? rates;
    draw = random(seed);
  }
  if (what === 'portal') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await actAtPortal()));
    return;
  }
  if (what === 'finish') {
    const operation = operations.get(asked.key);
    // `anyway` breaks the contract: what was called off settles all the same.
    if (operation && (operation.status === 'challenge' || asked.anyway)) {
      Object.assign(operation, asked.ok ? { status: 'approved', isVoided: false } : declined('refused'));
      await note(operation, 'finished');
    }
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...seen, actions }));
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
