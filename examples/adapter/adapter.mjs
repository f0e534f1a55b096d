// An adapter: a server between Florin and a processor of money, which speaks Florin's provider contract
// (docs/providers/contract.md) on one side and the processor's own language on the other. Node alone, no package.
//
//   API_KEY=secret SIGNING_SECRET=whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= node adapter.mjs
//
// `processor` below is a simulation: replace it and keep the rest. It declines cards that end in 9995, delays cards
// that end in 1075 and approves all others.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const { API_KEY = '', SIGNING_SECRET = '', PORT = '8090', JOURNAL = 'journal.jsonl' } = process.env;
if (API_KEY === '' || SIGNING_SECRET === '')
  throw new Error('Set API_KEY and SIGNING_SECRET to the values of the MID.');

/** The processor. It returns `taken`, `refused` or `later`, and moves money at most once per `key`. */
const processor = {
  pay: ({ card }) => ({ 9995: 'refused', 1075: 'later' })[card?.number.slice(-4)] ?? 'taken',
  /** Returns the outcome of a delayed payment. */
  ask: () => 'taken',
};

// All operations by reference, in memory and in a journal that is written to disk before each response. The contract
// requires that one key moves money at most once, also if this process crashes.
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

/** The members of an operation that are stored and returned, without card data. */
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

// Amounts are texts. Sums use integers with the maximum number of decimals of the contract.
const units = (amount) => {
  const [whole, parts = ''] = amount.split('.');
  return BigInt(whole + parts.padEnd(8, '0'));
};

/** Converts units to text with the decimals of an amount in the same currency. */
const textOf = (sum, { length }) => {
  const parts = String(sum % 100_000_000n).padStart(8, '0');
  const whole = String(sum / 100_000_000n);
  return length === 0 ? whole : `${whole}.${parts.slice(0, length)}`;
};
const decimalsOf = (amount) => amount.split('.')[1] ?? '';

function pay(kind, body) {
  // Stored before the call, so that after a crash the processor is queried and not called again.
  write(operationOf(kind, body, { status: 'processing' }));
  const result = processor.pay(body);
  const done = body.operation === 'authorize' ? 'authorized' : 'approved';
  const outcome = { taken: { status: done }, refused: declined('do_not_honour', 'Do not honour'), later: {} }[result];
  const operation = write({ ...operations.get(body.reference), ...outcome });
  if (result === 'later') setTimeout(() => finish(body.reference, done), 500);
  return operation;
}

/** Stores the outcome of a delayed payment, unless it was voided meanwhile. */
function finish(reference, done) {
  const operation = operations.get(reference);
  if (operation.status !== 'processing') return;
  write({ ...operation, status: processor.ask() === 'taken' ? done : 'declined' });
  notify(operations.get(reference)).catch(() => {}); // Florin polls if the notification is lost.
}

/** The sum of a payment's approved operations of a kind. */
function sumOf(original, kind) {
  const done = [...operations.values()].filter((each) => each.original === original && each.kind === kind);
  return done.filter(({ status }) => status === 'approved').reduce((sum, { amount }) => sum + units(amount), 0n);
}

const isVoided = (original) =>
  [...operations.values()].some((each) => each.original === original && each.kind === 'void');

function modify(kind, original, body) {
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
  const isAuthorised = payment.status === 'authorized' && !isVoided(payment.reference);
  if (!isAuthorised || sumOf(payment.reference, 'capture') > 0n)
    return declined('not_held', 'Nothing is authorised', 'technical');
  if (units(amount) > units(payment.amount)) return declined('above_held', 'More than is authorised', 'technical');
  return { status: 'approved' };
}

function refund(payment, _amount, { amount }) {
  const { reference } = payment;
  const collected = payment.status === 'approved' ? units(payment.amount) : sumOf(reference, 'capture');
  const remaining = isVoided(reference) ? 0n : collected - sumOf(reference, 'refund');
  const requested = amount === undefined ? remaining : units(amount);
  if (requested <= 0n || requested > remaining)
    return declined('above_left', 'More than the remaining amount', 'technical');
  return { status: 'approved', amount: amount ?? textOf(remaining, decimalsOf(payment.amount)) };
}

// After `approved` the payment must never collect money, even if a processor's response is pending.
function voidPayment(payment) {
  if (isVoided(payment.reference) || sumOf(payment.reference, 'refund') > 0n) {
    return declined('undone', 'Already voided or refunded', 'technical');
  }
  if (payment.status === 'processing') write({ ...payment, ...declined('cancelled', 'Cancelled', 'technical') });
  return { status: 'approved' };
}

// The payment may still arrive. Its key is stored, so that it will be declined.
function voidUnknown(original, body) {
  write({ kind: 'payment', reference: original, ...declined('cancelled', 'Cancelled', 'technical') });
  return write(operationOf('void', body, { original, status: 'approved' }));
}

/** The response for an operation. It has the collected or authorised amount; only a void has none. */
function responseOf({ kind, reference, provider_reference, status, amount, currency, decline }) {
  const moved = kind !== 'void' && amount !== undefined && { amount, currency };
  return { reference, provider_reference, status, ...moved, ...(decline && { decline }) };
}

/**
 * Sends a notification signed by Standard Webhooks. Florin reads only the reference from it and polls the operation.
 */
async function notify(operation) {
  const body = JSON.stringify(responseOf(operation));
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

function handle(method, path, headers, text) {
  if (!isKey(headers.authorization ?? '')) return refused(401, 'unauthorized');
  if (method === 'GET' && path === '/capabilities') return { status: 200, body: capabilities };
  if (method === 'GET' && path.startsWith('/operations/')) {
    const operation = operations.get(decodeURIComponent(path.slice('/operations/'.length)));
    return operation ? { status: 200, body: responseOf(operation) } : refused(404, 'operation_not_found');
  }
  const [, list, original, kind] = (method === 'POST' && order.exec(path)) || [];
  if (!list && !original) return refused(404, 'not_found');
  const body = JSON.parse(text);
  if (headers['idempotency-key'] !== body.reference) return refused(400, 'idempotency_key');
  const known = operations.get(body.reference);
  if (known) return repeated(known, list === undefined ? kind : list.slice(0, -1), body);
  if (isLate(headers['florin-deadline'])) return refused(408, 'deadline_passed');
  if (list) return { status: 200, body: responseOf(pay(list.slice(0, -1), body)) };
  const done = modify(kind, decodeURIComponent(original), body);
  return done ? { status: 200, body: responseOf(done) } : refused(404, 'payment_not_found');
}

// A repeat with the same key gets the first response. The same key for another operation is an error and moves no
// money. A void may have stored the key of a payment before the payment arrived.
function repeated(known, kind, body) {
  const isSame =
    known.kind === kind &&
    ['amount', 'currency', 'method'].every(
      (name) => known[name] === undefined || body[name] === undefined || known[name] === body[name],
    );
  return isSame ? { status: 200, body: responseOf(known) } : refused(409, 'idempotency_mismatch');
}

// Florin may have replaced a late request by another one. Clocks may differ by 5 seconds. A malformed deadline counts
// as late.
function isLate(deadline) {
  return deadline !== undefined && !(Date.now() <= Date.parse(deadline) + 5000);
}

function isKey(authorization) {
  const [a, b] = [Buffer.from(authorization), Buffer.from(`Bearer ${API_KEY}`)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let result;
  try {
    result = handle(request.method, request.url, request.headers, Buffer.concat(chunks).toString());
  } catch (error) {
    // An unclear outcome is a 5xx error, and Florin polls by the key.
    console.error(error);
    result = error instanceof SyntaxError ? refused(400, 'malformed') : refused(500, 'internal');
  }
  response.writeHead(result.status, { 'content-type': 'application/json' }).end(JSON.stringify(result.body));
});
server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => closeSync(journal)));
