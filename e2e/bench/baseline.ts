// The baseline of the API benchmark: what node:http and pg alone achieve. It parses the same requests and makes the
// same commits into copies of the same tables with prepared statements, without any check, signature, encryption or
// log. The difference to it is the cost of the application.
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { request as ask } from 'undici';
import { v7 as newId } from 'uuid';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
const provider = new URL(process.env.PROVIDER_URL ?? '');
const merchantId = newId();
const someId = newId();
const sealed = Buffer.alloc(46, 7);

const tables = ['payments', 'sessions', 'cards', 'transactions', 'callbacks'];

const openSession = {
  name: 'baseline-session',
  text: `
    with p as (
      insert into baseline.payments (id, merchant_id, key_id, protocol, operation, request_digest, order_number,
        order_amount, currency, amount_minor, description, payer, created_at, updated_at)
      values ($1, $2, $3, 'checkout', 'purchase', $4, $5, $6, $7, 8450, $8, $9, $10, $10)
      returning id
    )
    insert into baseline.sessions (payment_id, methods, success_url, cancel_url, expires_at, card_tokens, hosted_fields)
    select id, $11, $12, $13, $14, '{}', false from p`,
};

const storeCard = `
  insert into baseline.cards (id, merchant_id, fingerprint, sealed, first6, last4, brand, exp_month, exp_year, holder, created_at)
  values ($1, $2, $3, $4, $5, $6, 'visa', 1, 2038, $7, $8)
  on conflict (merchant_id, fingerprint) do update set holder = excluded.holder
  returning id`;

const recordAttempt = {
  name: 'baseline-record',
  text: `
    with c as (${storeCard}), t as (
      insert into baseline.transactions (id, payment_id, kind, amount_minor, currency, mid_id, method, card_id, browser,
        due_at, created_at)
      select $9, $10, 'sale', 8450, 'EUR', $11, 'card', c.id, $12, $13, $8 from c
    )
    update baseline.payments set version = version + 1, updated_at = $8, attempt_id = $9, in_flight_id = $9,
      attempts = attempts + 1, method = 'card', card_id = (select id from c) where id = $10`,
};

const recordOutcome = {
  name: 'baseline-outcome',
  text: `
    with t as (
      update baseline.transactions set status = 'success', facts = $1, due_at = null, finished_at = $2 where id = $3
    ), p as (
      update baseline.payments set state = 'settled', version = version + 1, updated_at = $2, settled_at = $2,
        settled_minor = amount_minor, in_flight_id = null where id = $4
    )
    insert into baseline.callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state,
      amount_minor, state, created_at)
    values ($5, $4, $3, $6, 2, 'success', 'sale', 'settled', 8450, 'undelivered', $2)`,
};

// An S2S CARD sale has no session: its first commit contains the payment as well.
const recordSale = {
  name: 'baseline-sale',
  text: `
    with c as (${storeCard}), t as (
      insert into baseline.transactions (id, payment_id, kind, amount_minor, currency, mid_id, method, card_id, due_at,
        created_at)
      select $9, $10, 'sale', 8450, $11, $12, 'card', c.id, $13, $8 from c
    )
    insert into baseline.payments (id, merchant_id, key_id, protocol, operation, request_digest, order_number, order_amount,
      currency, amount_minor, description, payer, version, attempt_id, in_flight_id, attempts, method, card_id,
      created_at, updated_at)
    select $10, $2, $12, 's2s_card', 'purchase', $14, $15, $16, $11, 8450, $17, $18, 1, $9, $9, 1, 'card', c.id, $8, $8
      from c`,
};

const statusColumns = `p.id, p.state, p.order_number, p.order_amount, p.currency, p.description, p.payer, p.created_at,
  t.id as trans_id, t.status, t.decline_reason`;

const statusOfPayment = {
  name: 'baseline-status',
  text: `select ${statusColumns} from baseline.payments p left join baseline.transactions t on t.id = p.attempt_id
          where p.id = $1`,
};

const statusOfTransaction = {
  name: 'baseline-trans-status',
  text: `select ${statusColumns} from baseline.transactions t join baseline.payments p on p.id = t.payment_id where t.id = $1`,
};

const facts = JSON.stringify({ providerRef: someId, rrn: '604412345678', approvalCode: 'A1B2C3', brand: 'visa' });

async function session(body: string) {
  const { order, customer, success_url: successUrl, cancel_url: cancelUrl } = JSON.parse(body);
  const now = new Date();
  const id = newId();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const values = [id, merchantId, someId, Buffer.alloc(32), order.number, order.amount, order.currency];
  values.push(order.description, customer, now, ['card'], successUrl, cancelUrl, expiresAt);
  await pool.query({ ...openSession, values });
  return { redirect_url: `${process.env.BASE_URL}/pay/${id}`, redirect_method: 'GET' };
}

async function sale(paymentId: string, body: string, asksProvider: boolean) {
  const form = new URLSearchParams(body);
  const number = (form.get('card_number') ?? '').replaceAll(' ', '');
  const [transactionId, now] = [newId(), new Date()];
  const browser = { language: form.get('browser_language'), screenWidth: Number(form.get('browser_screen_width')) };
  const values = [...cardOf(number), form.get('card_holder'), now, transactionId, paymentId, someId, browser];
  await pool.query({ ...recordAttempt, values: [...values, later(now)] });
  await finishSale(transactionId, paymentId, number, asksProvider);
  return { next: 'go', url: `/pay/${paymentId}?attempt=1` };
}

const later = (now: Date) => new Date(now.getTime() + 35_000);

function cardOf(number: string) {
  return [newId(), merchantId, Buffer.from(number.padEnd(32)), sealed, number.slice(0, 6), number.slice(-4)];
}

async function finishSale(transactionId: string, paymentId: string, number: string, asksProvider: boolean) {
  if (asksProvider) await askProvider(transactionId, number);
  const outcome = [facts, new Date(), transactionId, paymentId, newId(), merchantId];
  await pool.query({ ...recordOutcome, values: outcome });
}

async function directSale(form: URLSearchParams, asksProvider: boolean) {
  const number = form.get('card_number') ?? '';
  const [paymentId, transactionId, now] = [newId(), newId(), new Date()];
  const [currency, amount, orderId] = [form.get('order_currency'), form.get('order_amount'), form.get('order_id')];
  const holder = `${form.get('payer_first_name')} ${form.get('payer_last_name')}`;
  const payer = { email: form.get('payer_email'), phone: form.get('payer_phone'), ip: form.get('payer_ip') };
  const values: unknown[] = [...cardOf(number), holder, now, transactionId, paymentId, currency, someId, later(now)];
  values.push(Buffer.alloc(32), orderId, amount, form.get('order_description'), payer);
  await pool.query({ ...recordSale, values });
  await finishSale(transactionId, paymentId, number, asksProvider);
  const reply = { action: 'SALE', result: 'SUCCESS', status: 'SETTLED', order_id: orderId, trans_id: transactionId };
  return { ...reply, trans_date: now.toISOString(), descriptor: 'Bench', amount, currency };
}

async function statusByPayment(body: string) {
  const { payment_id: paymentId } = JSON.parse(body);
  const [row] = (await pool.query({ ...statusOfPayment, values: [paymentId] })).rows;
  const order = { number: row.order_number, amount: row.order_amount, currency: row.currency };
  const reply = { payment_id: row.id, date: row.created_at.toISOString(), status: row.state };
  return { ...reply, order: { ...order, description: row.description }, customer: row.payer };
}

async function statusByTransaction(form: URLSearchParams) {
  const [row] = (await pool.query({ ...statusOfTransaction, values: [form.get('trans_id')] })).rows;
  const reply = { action: 'GET_TRANS_STATUS', result: 'SUCCESS', status: row.state };
  return { ...reply, order_id: row.order_number, trans_id: row.trans_id };
}

function formAnswer(body: string, asksProvider: boolean): Promise<object> {
  const form = new URLSearchParams(body);
  return form.get('action') === 'SALE' ? directSale(form, asksProvider) : statusByTransaction(form);
}

async function askProvider(reference: string, number: string) {
  const answer = await ask(`${provider.origin}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': reference },
    body: JSON.stringify({ reference, operation: 'sale', method: 'card', amount: '84.50', currency: 'EUR', number }),
  });
  await answer.body.json();
}

function answer({ url = '' }: IncomingMessage, body: string): Promise<object> {
  if (url === '/api/v1/session') return session(body);
  if (url === '/api/v1/payment/status') return statusByPayment(body);
  if (url.startsWith('/s2s/')) return formAnswer(body, url === '/s2s/asking');
  const [, place, paymentId = ''] = url.split('/');
  return sale(paymentId, body, place === 'pay-asking');
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    answer(request, body).then(
      (said) => {
        const text = JSON.stringify(said);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        response.end(text);
      },
      (error) => {
        const text = String(error.message);
        response.writeHead(500, { 'content-length': Buffer.byteLength(text) }).end(text);
      },
    );
  });
});

await pool.query('create schema baseline');
for (const table of tables) await pool.query(`create table baseline.${table} (like public.${table} including all)`);
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
