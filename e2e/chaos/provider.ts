// The provider of the chaos tests: the open provider contract (docs/providers/contract.md) over a journal that is
// flushed to disk before each response, in a process that is never killed. The journal is the true record of money
// movements that the application is compared with. Faults are drawn from a seed, one per call.
//   PORT, JOURNAL (file), FAULTS: {"seed": 1, "rates": {"hangAfter": 0.02, ...}, "lateSeconds": [45, 90], "deadlines": 0.5}
// `lateSeconds` is the delay of the fault `arrivesLate`; `deadlines` is the share of requests refused after their
// `Florin-Deadline`. The rest models a provider that ignores the deadline.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { oneOf, random } from './seeded-random.ts';

type Faults = { seed?: number; rates?: Record<string, number>; lateSeconds?: [number, number]; deadlines?: number };

/** A line of the journal: one movement. */
type Movement = {
  at: number;
  key: string;
  kind: string;
  what: string;
  original: string | null;
  order: string | null;
  status: string;
  minor: string;
};

type Decision = {
  status: string;
  /** The money that a modification moves. */
  moved?: bigint;
  decline?: { code: string; message: string; class: string; soft: boolean };
};

type Chargeback = { id: string; amount: string; currency: string; date: string; status: string };

type Operation = Decision & {
  kind: string;
  key: string;
  original: string | null;
  order: string | null;
  minor: bigint;
  currency: string;
  notifyUrl?: string;
  chargebacks: Chargeback[];
  captured: bigint | null;
  refunded: bigint;
  isVoided: boolean;
  written?: Promise<void>;
};

/** The body of a request of the contract. */
type Asked = {
  reference: string;
  amount?: string;
  currency?: string;
  operation?: string;
  order?: { number: string };
  notify_url?: string;
};

type Answer = [status: number, body: object];

const { PORT, JOURNAL = '', FAULTS = '{}' } = process.env;
let { seed = 1, rates = {}, lateSeconds = [45, 90], deadlines = 0.5 }: Faults = JSON.parse(FAULTS);
let draw = random(seed);
const journal = openSync(JOURNAL, 'a');
/** By key: the operation and its response. */
const operations = new Map<string, Operation>();
const seen = { calls: 0, faults: {} as Record<string, number>, inTransit: 0, refusedLate: 0 };
let actions = 0;

const minor = (amount: string) => BigInt(amount.replace('.', ''));
/** All test amounts have two decimals. */
const amountOf = (sum: bigint) => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;

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

/** The outcome of a request. Amounts ending in 5 are declined, those ending in 3 get a challenge. */
function decide(kind: string, original: Operation | undefined, { amount = '', operation }: Asked): Decision {
  if (kind === 'payment') {
    if (amount.endsWith('5')) return declined('funds');
    if (amount.endsWith('3')) return { status: 'challenge' };
    return { status: operation === 'authorize' ? 'authorized' : 'approved' };
  }
  if (kind === 'payout') return { status: 'approved' };
  if (!original) return declined('unknown_payment');
  return follow(kind, original, amount === '' ? null : minor(amount));
}

function follow(kind: string, original: Operation, wanted: bigint | null): Decision {
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
  // The void of an uncaptured authorisation moves its full amount in the journal, like a refund.
  const isHeld = original.status === 'authorized' && original.captured === null;
  return { status: 'approved', moved: isHeld ? original.minor : taken };
}

const declined = (code: string) => ({
  status: 'declined',
  decline: { code, message: code, class: 'bank', soft: false },
});

/** Executes a request once per key and writes it to disk. */
async function execute(kind: string, key: string, originalKey: string | undefined, body: Asked) {
  const known = operations.get(key);
  if (known) return known.written;
  if (kind === 'void' && originalKey && !operations.has(originalKey)) blockKey(originalKey);
  const original = operations.get(originalKey ?? '');
  const amount = body.amount ?? null;
  const decision = decide(kind, original, body);
  const operation: Operation = {
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

/** A void of an unknown payment blocks its key: the payment is declined if it arrives later. */
function blockKey(key: string) {
  const blank = {
    original: null,
    order: null,
    minor: 0n,
    currency: 'EUR',
    chargebacks: [],
    captured: null,
    refunded: 0n,
  };
  const blocked: Operation = { ...declined('cancelled'), ...blank, key, kind: 'payment', isVoided: false };
  operations.set(key, blocked);
  blocked.written = note(blocked, 'cancelled');
}

function note({ key, kind, original, order, status, minor: amount, moved }: Operation, what: string) {
  return onDisk({ at: Date.now(), key, kind, what, original, order, status, minor: String(moved ?? amount) });
}

function answerOf(key: string): Answer {
  const operation = operations.get(key);
  if (!operation) return [404, { error: { code: 'operation_not_found' } }];
  const { kind, minor: sum, currency, chargebacks } = operation;
  // A voided payment holds no money, whatever its state before.
  const voided = kind === 'payment' && operation.isVoided ? declined('voided') : null;
  const { status, decline } = voided ?? operation;
  const action =
    status === 'challenge' ? { url: `http://127.0.0.1:${PORT}/bank/${key}`, method: 'GET', params: {} } : undefined;
  const money = kind === 'void' ? {} : { amount: amountOf(sum), currency };
  const disputes = chargebacks.length > 0 ? { chargebacks } : {};
  return [200, { reference: key, provider_reference: `p-${key}`, status, decline, action, ...money, ...disputes }];
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
      () => answerOf(original),
    );
  const body: Asked = JSON.parse(text);
  const key = body.reference;
  const kind = action ?? (first === 'payouts' ? 'payout' : 'payment');
  await serve(
    response,
    fault(true),
    async () => {
      if (!isOver(request.headers['florin-deadline']?.toString()))
        await execute(kind, key, action ? original : undefined, body);
    },
    () => (operations.has(key) ? answerOf(key) : [408, { error: { code: 'deadline_passed' } }]),
  );
}

/** Actions of the provider's staff and of issuers. */
const portal: Record<string, (payment: Operation) => Promise<boolean>> = {
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

/** The captured amount, 0 after a void. */
const takenOf = ({ status, isVoided, captured, minor: sum }: Operation) =>
  isVoided ? 0n : (captured ?? (status === 'approved' ? sum : 0n));

/** Acts on a random payment; returns its key and notification URL, or nothing if none is eligible. */
async function actAtPortal() {
  const payments = [...operations.values()].filter(({ kind, order }) => kind === 'payment' && order !== null);
  const what = oneOf(draw, Object.keys(portal));
  const from = Math.max(0, payments.length - 200);
  for (let attempts = 0; attempts < 20 && payments.length > 0; attempts += 1) {
    const payment = payments[from + Math.floor(draw() * (payments.length - from))];
    if (!payment || !(await portal[what]?.(payment))) continue;
    actions += 1;
    return { what, key: payment.key, notifyUrl: payment.notifyUrl };
  }
  return {};
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
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await actAtPortal()));
    return;
  }
  if (what === 'finish') {
    const operation = operations.get(input.key);
    // `anyway` violates the contract: a cancelled payment settles nevertheless.
    if (operation && (operation.status === 'challenge' || input.anyway)) {
      Object.assign(operation, input.ok ? { status: 'approved', isVoided: false } : declined('refused'));
      await note(operation, 'finished');
    }
  }
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
