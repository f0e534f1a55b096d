// An adapter: a server between Florin and a processor of money, which speaks Florin's provider contract
// (docs/providers/contract.md) on one side and the processor's own language on the other. Node alone, no package.
//
//   API_KEY=secret SIGNING_SECRET=whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= node adapter.mjs
//
// The processor here is made up and lives in `processor` below: replace that, and keep the rest. It declines cards that
// end in 9995, takes its time over cards that end in 1075, and says yes to all others.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const { API_KEY = '', SIGNING_SECRET = '', PORT = '8090', JOURNAL = 'journal.jsonl' } = process.env;
if (API_KEY === '' || SIGNING_SECRET === '') throw new Error('API_KEY and SIGNING_SECRET are what the account has.');

/** The processor. It answers `taken`, `refused` or `later`, and moves money at most once per `key`. */
const processor = {
  pay: ({ card }) => ({ 9995: 'refused', 1075: 'later' })[card?.number.slice(-4)] ?? 'taken',
  /** Asked about what it wanted to think over. */
  ask: () => 'taken',
};

// Every operation by its reference, in memory and in a journal that is on disk before anybody is answered: the first
// promise of the contract is that one key moves money at most once, also when this process dies.
const operations = new Map();
const records = existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').trimEnd().split('\n') : [];
for (const line of records) if (line !== '') remember(JSON.parse(line));
const journal = openSync(JOURNAL, 'a');

function remember(operation) {
  operations.set(operation.reference, operation);
}

function write(operation) {
  writeSync(journal, `${JSON.stringify(operation)}\n`);
  fsyncSync(journal);
  remember(operation);
  return operation;
}

/** What may be told and kept: no card, no code. */
function operationOf(kind, body, more) {
  const { reference, amount, currency, method, operation, notify_url } = body;
  return {
    kind,
    reference,
    amount,
    currency,
    method,
    operation,
    notify_url,
    provider_reference: randomUUID(),
    ...more,
  };
}

const declined = (code, message, kind = 'bank') => ({
  status: 'declined',
  decline: { code, message, class: kind, soft: false },
});

// Amounts are texts; sums are made of whole numbers, of as many decimals as the contract has at most.
const units = (amount) => {
  const [whole, parts = ''] = amount.split('.');
  return BigInt(whole + parts.padEnd(8, '0'));
};

/** Units as text again, with as many decimals as an amount in the same currency has. */
const textOf = (sum, { length }) => {
  const parts = String(sum % 100_000_000n).padStart(8, '0');
  const whole = String(sum / 100_000_000n);
  return length === 0 ? whole : `${whole}.${parts.slice(0, length)}`;
};
const decimalsOf = (amount) => amount.split('.')[1] ?? '';

function pay(kind, body) {
  // The intention comes first: after a crash the processor is asked, not charged again.
  write(operationOf(kind, body, { status: 'processing' }));
  const said = processor.pay(body);
  const done = body.operation === 'authorize' ? 'authorized' : 'approved';
  const outcome = { taken: { status: done }, refused: declined('do_not_honour', 'Do not honour'), later: {} }[said];
  const operation = write({ ...operations.get(body.reference), ...outcome });
  if (said === 'later') setTimeout(() => finish(body.reference, done), 500);
  return operation;
}

/** The outcome of what the processor wanted to think over. It may have been voided meanwhile. */
function finish(reference, done) {
  const operation = operations.get(reference);
  if (operation.status !== 'processing') return;
  write({ ...operation, status: processor.ask() === 'taken' ? done : 'declined' });
  notify(operations.get(reference)).catch(() => {}); // Florin asks by itself if this never arrives.
}

/** The sum of what was done to a payment. */
function sumOf(original, kind) {
  const done = [...operations.values()].filter((each) => each.original === original && each.kind === kind);
  return done.filter(({ status }) => status === 'approved').reduce((sum, { amount }) => sum + units(amount), 0n);
}

const isVoided = (original) =>
  [...operations.values()].some((each) => each.original === original && each.kind === 'void');

function follow(kind, original, body) {
  const payment = operations.get(original);
  if (!payment) return kind === 'void' ? voidUnknown(original, body) : null;
  const { currency } = payment;
  const amount = body.amount ?? payment.amount;
  const isOther = body.currency !== undefined && body.currency !== currency;
  const outcome = isOther
    ? declined('wrong_currency', 'The payment is in another currency', 'technical')
    : { capture, refund, void: voidPayment }[kind](payment, amount, body);
  return write(operationOf(kind, { ...body, currency }, { original, amount, ...outcome }));
}

function capture(payment, amount) {
  const isHeld = payment.status === 'authorized' && !isVoided(payment.reference);
  if (!isHeld || sumOf(payment.reference, 'capture') > 0n) return declined('not_held', 'Nothing is held', 'technical');
  if (units(amount) > units(payment.amount)) return declined('above_held', 'More than is held', 'technical');
  return { status: 'approved' };
}

function refund(payment, _amount, { amount }) {
  const { reference } = payment;
  const taken = payment.status === 'approved' ? units(payment.amount) : sumOf(reference, 'capture');
  const left = isVoided(reference) ? 0n : taken - sumOf(reference, 'refund');
  const wanted = amount === undefined ? left : units(amount);
  if (wanted <= 0n || wanted > left) return declined('above_left', 'More than is left', 'technical');
  return { status: 'approved', amount: amount ?? textOf(left, decimalsOf(payment.amount)) };
}

// After `approved` the payment takes no money, whatever is still on its way.
function voidPayment(payment) {
  if (isVoided(payment.reference) || sumOf(payment.reference, 'refund') > 0n) {
    return declined('undone', 'It was undone already', 'technical');
  }
  if (payment.status === 'processing') write({ ...payment, ...declined('cancelled', 'Cancelled', 'technical') });
  return { status: 'approved' };
}

// The payment may still arrive: its key is taken, and it will be declined.
function voidUnknown(original, body) {
  write({ kind: 'payment', reference: original, ...declined('cancelled', 'Cancelled', 'technical') });
  return write(operationOf('void', body, { original, status: 'approved' }));
}

/** What Florin is told of an operation: with the amount that moved or is held, which only a void has not. */
function told({ kind, reference, provider_reference, status, amount, currency, decline }) {
  const moved = kind !== 'void' && amount !== undefined && { amount, currency };
  return { reference, provider_reference, status, ...moved, ...(decline && { decline }) };
}

/** A notification, signed as Standard Webhooks has it. Florin takes from it only which operation to ask about. */
async function notify(operation) {
  const body = JSON.stringify(told(operation));
  const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))];
  const key = Buffer.from(SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  await fetch(operation.notify_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

const capabilities = {
  operations: ['sale', 'authorize', 'debit', 'capture', 'refund', 'void', 'payout'],
  methods: ['card'],
  partial_capture: true,
  partial_refund: true,
  zero_amount: false,
  three_ds: false,
  recurring: true,
  wallet: 'none',
};

const refused = (status, code) => ({ status, body: { error: { code, message: code.replaceAll('_', ' ') } } });
const order = /^\/(?:(payments|payouts)|payments\/([^/]+)\/(capture|refund|void))$/;

function answer(method, path, headers, text) {
  if (!isKey(headers.authorization ?? '')) return refused(401, 'unauthorized');
  if (method === 'GET' && path === '/capabilities') return { status: 200, body: capabilities };
  if (method === 'GET' && path.startsWith('/operations/')) {
    const operation = operations.get(decodeURIComponent(path.slice('/operations/'.length)));
    return operation ? { status: 200, body: told(operation) } : refused(404, 'operation_not_found');
  }
  const [, list, original, kind] = (method === 'POST' && order.exec(path)) || [];
  if (!list && !original) return refused(404, 'not_found');
  const body = JSON.parse(text);
  if (headers['idempotency-key'] !== body.reference) return refused(400, 'idempotency_key');
  const known = operations.get(body.reference);
  if (known) return repeated(known, list === undefined ? kind : list.slice(0, -1), body);
  if (isLate(headers['florin-deadline'])) return refused(408, 'deadline_passed');
  if (list) return { status: 200, body: told(pay(list.slice(0, -1), body)) };
  const done = follow(kind, decodeURIComponent(original), body);
  return done ? { status: 200, body: told(done) } : refused(404, 'payment_not_found');
}

// The same key gets the first answer; with another movement it is a mistake that must not become money. A void may have
// taken the key of a payment before it came.
function repeated(known, kind, body) {
  const isSame =
    known.kind === kind &&
    ['amount', 'currency', 'method'].every(
      (name) => known[name] === undefined || body[name] === undefined || known[name] === body[name],
    );
  return isSame ? { status: 200, body: told(known) } : refused(409, 'idempotency_mismatch');
}

// Florin may have done by other means what did not arrive in time. Clocks may be 5 seconds apart. What is no time at all is
// late, too: nothing is done that is not certain to be wanted.
function isLate(deadline) {
  return deadline !== undefined && !(Date.now() <= Date.parse(deadline) + 5000);
}

function isKey(given) {
  const [a, b] = [Buffer.from(given), Buffer.from(`Bearer ${API_KEY}`)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let said;
  try {
    said = answer(request.method, request.url, request.headers, Buffer.concat(chunks).toString());
  } catch (fault) {
    // Never a guess: what is not certain is an error 5xx, and Florin asks again by the key.
    console.error(fault);
    said = fault instanceof SyntaxError ? refused(400, 'malformed') : refused(500, 'internal');
  }
  response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
});
server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => closeSync(journal)));
