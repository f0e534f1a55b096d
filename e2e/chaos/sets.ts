// npm run chaos -- sets: a model test of the statements over sets. Random histories of several payments are executed twice,
// as sets of rows and one row after the other, on the same PostgreSQL; answers and rows must be the same.
//   --histories 10000   --seed 1
import { createHash } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../scripts/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { seedPayments } from '../audit/seed.ts';
import type { Payment, PaymentWithTransaction, Transition } from '../database/service.ts';
import { command, type Result } from './command-line.ts';
import { type Draw, oneOf, random } from './seeded-random.ts';

type Service = typeof import('../database/service.ts');
type Direct = Parameters<Service['createPaymentsWithAttempts']>[0][number];
type Intent = Parameters<Service['insertAttempts']>[0][number]['intent'];
type Kind = 'approve' | 'decline' | 'challenge' | 'unknown' | 'failover' | 'retry';
/** A step: the same change of some payments by their numbers, of which one may occur twice; `stale`: those whose last version is used. */
type Step = { kind: Kind; payments: number[]; stale: number[] };
/** `order` and `card` may be those of another payment. */
type Plan = { payments: { order: number; card: number | null; token: boolean }[]; steps: Step[] };

const kinds: readonly Kind[] = [
  'approve',
  'approve',
  'decline',
  'decline',
  'challenge',
  'unknown',
  'failover',
  'retry',
];
const at = new Date('2026-11-01T10:00:00Z');

function planOf(draw: Draw): Plan {
  const size = 1 + Math.floor(draw() * 7);
  const pick = () => Math.floor(draw() * size);
  const payments = Array.from({ length: size }, (_, place) => ({
    order: draw() < 0.1 ? pick() : place,
    card: draw() < 0.2 ? null : draw() < 0.3 ? pick() : place,
    token: draw() < 0.4,
  }));
  const steps = Array.from({ length: 1 + Math.floor(draw() * 5) }, () => {
    const chosen = payments.map((_, place) => place).filter(() => draw() < 0.6);
    if (draw() < 0.3) chosen.push(pick());
    return { kind: oneOf(draw, kinds), payments: chosen, stale: chosen.filter(() => draw() < 0.1) };
  });
  return { payments, steps };
}

/** An id that a run and a place in the plan decide. */
const idOf = (run: string, name: string) =>
  createHash('sha256')
    .update(`${run} ${name}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-7$3-8$4-$5');

/** Gives a step's items to a function over sets: together, or one by one. */
type Call = <Item, Answer>(step: (items: readonly Item[]) => Promise<Answer[]>, items: Item[]) => Promise<Answer[]>;
type Parents = { merchant: string; key: string; mid: string };
type Change = { place: number; both: PaymentWithTransaction; name: string };

/** The items of one execution of a plan; `names` has what its ids are called. */
function newItems(service: Service, parents: Parents, run: string) {
  const names = new Map<string, string>();
  const newId = (name: string) => {
    const id = idOf(run, name);
    names.set(id, name);
    return id;
  };
  const caller = {
    merchant: { id: parents.merchant },
    key: { id: parents.key },
    mapping: { protocol: 's2s_card', orderIdReuse: 'never' },
  } as Direct['caller'];
  const mid = { id: parents.mid, settings: {}, settingsVersion: 1 } as never;

  const transactionOf = (payment: Payment, name: string, attemptId?: string) => ({
    ...service.newTransaction(payment, mid, { kind: 'sale', attemptId }, at),
    id: newId(`sale ${name}`),
  });

  const directOf = ({ order, card, token }: Plan['payments'][number], place: number): Direct => {
    const orderNumber = `${run}-${order}`;
    const requestDigest = createHash('sha256').update(`${orderNumber} ${place}`).digest();
    const amount = { orderAmount: '84.50', currency: 'USD', amountMinor: 8450n };
    const payer = { first_name: `payer ${place}` };
    const input = { ...amount, operation: 'purchase', orderNumber, description: 'A set', requestDigest } as const;
    const payment = service.draftPayment(
      caller,
      { ...input, requestToken: token, payer },
      newId(`payment ${place}`),
      at,
    );
    const fingerprint = createHash('sha256').update(`${run} card ${card}`).digest();
    const cardId = newId(`card of ${place}`);
    names.set(cardId, `card ${card}`);
    const stored = { id: cardId, fingerprint, sealed: null, first6: '411111', last4: '1111', brand: 'visa' };
    const intent: Intent = {
      ...{ payment, transaction: transactionOf(payment, String(place)), event: null, exclusive: true, routingLog: [] },
      card: card === null ? undefined : { ...stored, expMonth: 1, expYear: 2038, holder: `holder ${place}` },
    };
    return { caller, input: { ...input, requestToken: token, payer }, intent, now: at };
  };

  const failoverOf = ({ both: { payment, transaction: failed }, name }: Change) => {
    const next = transactionOf(payment, name, failed.attemptId ?? failed.id);
    const decline = { code: 'busy', reason: 'Busy', class: 'technical', soft: true } as const;
    return { failover: { payment, failed, decline, next, routingLog: [] }, now: at };
  };

  const retryOf = ({ both: { payment }, name }: Change): { intent: Intent; now: Date } => {
    const transaction = transactionOf(payment, name);
    return { intent: { payment, transaction, event: 'retry', exclusive: true, routingLog: [] }, now: at };
  };

  const changeOf = (kind: Kind, { both, name }: Change) => {
    const token = createHash('sha256').update(`${run} ${name}`).digest('hex');
    return { transition: transitionOf(kind, both, newId(`callback ${name}`), token), now: at };
  };
  return { names, directOf, failoverOf, retryOf, changeOf };
}

/** Executes a plan. */
async function execute(service: Service, parents: Parents, run: string, { payments, steps }: Plan, call: Call) {
  const { names, directOf, failoverOf, retryOf, changeOf } = newItems(service, parents, run);

  async function perform(kind: Kind, changes: Change[]): Promise<(PaymentWithTransaction | null)[]> {
    if (kind === 'failover') return call(service.commitFailovers, changes.map(failoverOf));
    if (kind === 'retry') return call(service.insertAttempts, changes.map(retryOf));
    const items = changes.map((change) => changeOf(kind, change));
    const written = await call(service.commitTransitions, items);
    return items.map(({ transition: { transaction, status } }, nth) => {
      const payment = written[nth];
      return payment ? { payment, transaction: { ...transaction, status } } : null;
    });
  }

  const current = await call(service.createPaymentsWithAttempts, payments.map(directOf));
  const earlier = [...current];
  const answers = [current.map((both) => both !== null)];
  for (const [turn, { kind, payments: chosen, stale }] of steps.entries()) {
    const changes = chosen.flatMap((place, nth) => {
      const both = (stale.includes(place) ? earlier[place] : current[place]) ?? null;
      return both && isPossible(kind, both) ? [{ place, both, name: `${turn}.${nth}` }] : [];
    });
    const results = await perform(kind, changes);
    answers.push(results.map((result) => result !== null));
    for (const [nth, { place }] of changes.entries()) {
      const result = results[nth];
      if (!result) continue;
      earlier[place] = current[place] ?? null;
      current[place] = result;
    }
  }
  return { answers, names };
}

/** Whether a step can happen to a payment as it was read. */
function isPossible(kind: Kind, { payment, transaction }: PaymentWithTransaction): boolean {
  if (kind === 'retry') return payment.state === 'declined' && payment.inFlightId === null;
  const isOpen = !['success', 'fail'].includes(transaction.status);
  if (kind === 'challenge' || kind === 'unknown' || kind === 'failover') return transaction.status === 'sent';
  return isOpen && ['prepare', 'threeds', 'redirect', 'pending'].includes(payment.state);
}

function transitionOf(
  kind: Kind,
  { payment, transaction }: PaymentWithTransaction,
  callbackId: string,
  token: string,
): Transition {
  const common = { payment, transaction, dueAt: null, callback: { id: callbackId, url: null, address: null } };
  if (kind === 'approve') {
    const report = { type: 'sale', outcome: 'success' } as const;
    const cardToken = payment.requestToken && !payment.cardToken ? token : undefined;
    return { ...common, event: 'settle', status: 'success', report, settledMinor: 8450n, cardToken };
  }
  if (kind === 'challenge')
    return {
      ...common,
      event: 'challenge',
      status: 'challenge',
      report: { type: '3ds', outcome: 'success' },
      dueAt: at,
    };
  if (kind === 'unknown')
    return { ...common, event: null, status: 'unknown', report: { type: 'sale', outcome: 'undefined' }, dueAt: at };
  const decline = { code: 'declined', reason: 'Declined', class: 'bank', soft: false } as const;
  return { ...common, event: 'decline', status: 'fail', report: { type: 'sale', outcome: 'fail' }, decline };
}

/**
 * Tokens are compared by their card; the holder of a card that several payments store, and the times of the database, not at
 * all.
 */
const rowsSql = (run: string) => `
  with p as (select * from payments where order_number like '${run}-%')
  select 'payment' as kind, (to_jsonb(p) - 'request_digest' - 'card_token' - 'order_number' || jsonb_build_object('token',
         (select c.last4 from card_tokens k join cards c on c.id = k.card_id where k.token = p.card_token)))::text as row from p
  union all select 'transaction', (to_jsonb(t) - 'due_back_at' - 'number')::text from transactions t where payment_id in (select id from p)
  union all select 'callback', (to_jsonb(c) #- '{facts,payment,cardToken}')::text from callbacks c where payment_id in (select id from p)
  union all select 'card', (to_jsonb(c) - 'fingerprint' - 'holder')::text from cards c where id in (select card_id from p)
  union all select 'token', count(*)::text from card_tokens where card_id in (select card_id from p)`;

/** The rows of a run, with the names of its ids. */
async function rowsOf(client: pg.Client, run: string, names: Map<string, string>): Promise<string[]> {
  const { rows } = await client.query<{ kind: string; row: string }>(rowsSql(run));
  const named = ({ kind, row }: { kind: string; row: string }) =>
    `${kind} ${row.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g, (id) => names.get(id) ?? id)}`;
  return rows.map(named).sort();
}

/** Runs histories; a history whose two executions differ is a violation. */
export async function runSetTest({ histories, seed }: { histories: number; seed: number }): Promise<Result> {
  const postgres = await startTemporaryPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  const violations: string[] = [];
  let rowCount = 0;
  try {
    await migrate(postgres.url);
    await client.connect();
    await seedPayments(client, 100);
    const { rows } = await client.query(
      'select p.merchant_id as merchant, p.key_id as key, t.mid_id as mid from payments p join transactions t on t.payment_id = p.id limit 1',
    );
    const settings = { BASE_URL: 'http://localhost:3000', VAULT_KEY: 'a'.repeat(64), LOG_LEVEL: 'error' };
    Object.assign(process.env, settings, { DATABASE_URL: postgres.url });
    const service = await import('../database/service.ts');
    for (let history = seed; history < seed + histories; history += 1) {
      const plan = planOf(random(history));
      const asSets = await execute(service, rows[0], `s${history}`, plan, (step, items) => step(items));
      const alone = await execute(service, rows[0], `a${history}`, plan, async (step, items) => {
        const answers = [];
        for (const item of items) answers.push(...(await step([item])));
        return answers;
      });
      const [ofSets, ofAlone] = [
        [JSON.stringify(asSets.answers), ...(await rowsOf(client, `s${history}`, asSets.names))],
        [JSON.stringify(alone.answers), ...(await rowsOf(client, `a${history}`, alone.names))],
      ];
      rowCount += ofSets.length;
      const place = ofSets.findIndex((row, each) => row !== ofAlone[each]);
      if (place >= 0) violations.push(`history ${history}: ${ofSets[place]} as a set, ${ofAlone[place]} alone`);
    }
    await service.closeDatabase();
  } finally {
    await client.end().catch(() => {});
    await postgres.stop();
  }
  return { violations, summary: { histories, rows: rowCount } };
}

await command(import.meta.url, ['histories'], ({ histories }, seed) =>
  runSetTest({ histories: Number(histories ?? 10_000), seed }),
);
