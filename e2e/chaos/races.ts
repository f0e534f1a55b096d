// npm run chaos -- races: sends the same request many times concurrently to two application processes: sales with one
// new card, captures, voids, refunds, recurring payments, two tabs paying one session, a payer's return during a
// notification, edits of a schedule with a year of past dates. After each round the provider's journal shows how often
// money moved.
//   --rounds 1000   --at-once 200   --seed N
import type { Changes } from '../support/merchant.ts';
import { newCard } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { checkConsistency, waitUntilIdle } from './consistency.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { notify } from './notify.ts';
import { random } from './seeded-random.ts';

/** The context of a round. `post` sends a form to the process with this number and returns the response body. */
async function raceContext(environment: Environment, seed: number) {
  const [{ cardMerchant }, { merchantClient }, { startPayer }] = await Promise.all([
    import('../support/card-merchant.ts'),
    import('../support/merchant.ts'),
    import('../support/payer.ts'),
  ]);
  const { apps, credentials, shopServer, provider } = environment;
  const draw = random(seed);
  const urlOf = (place: number) => apps[place % apps.length]?.url ?? '';
  const merchant = cardMerchant(urlOf(0), credentials, shopServer);
  let orders = 0;
  const newOrder = () => `race-${seed}-${++orders}`;

  async function post(place: number, fields: Changes) {
    const body = new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [name, String(value)] as [string, string]),
    ).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${urlOf(place)}/s2s/card/post`, { method: 'POST', headers, body });
    return response.json();
  }

  async function sell(more: Changes = {}, place = 0) {
    const orderId = newOrder();
    const fields = { order_id: orderId, order_amount: '50.00', card_number: newCard(draw), ...more };
    const body = merchant.signed(merchant.chargeBody('SALE', fields));
    const answer = await post(place, body);
    const number = String(body.card_number);
    const card = `${number.slice(0, 6)}${number.slice(-4)}`;
    return { orderId, transId: String(answer.trans_id), email: String(body.payer_email), card, answer };
  }

  /** A schedule action at the process with this number. */
  async function edit(place: number, action: string, fields: Changes) {
    return cardMerchant(urlOf(place), credentials, shopServer).schedule(action, fields);
  }

  return {
    merchant,
    edit,
    draw,
    newOrder,
    post,
    sell,
    apps,
    provider,
    newSession: () => merchantClient(urlOf(0), credentials, shopServer).open({ order: { number: newOrder() } }),
    payerAt: (place: number) => startPayer(urlOf(place)),
    urlOf,
    query: environment.query,
    /** The movements of an order, such as `capture 5000`. */
    moved: (order: string) =>
      provider
        .journal()
        .filter((line) => line.order === order && (line.status === 'approved' || line.status === 'authorized'))
        .map(({ kind, minor }) => `${kind} ${minor}`),
  };
}

/** Sends the same request `count` times concurrently. */
const atOnce = <T>(count: number, send: (place: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, place) => send(place)));

const expectMoves = (moved: string[], wanted: string[], what: string) =>
  JSON.stringify(moved) === JSON.stringify(wanted) ? [] : [`${what}: the money moved as ${moved.join(', ')}`];

/** Each returns its violations. */
type Context = Awaited<ReturnType<typeof raceContext>>;

const races: Record<string, (context: Context, count: number) => Promise<string[]>> = {
  // Every sale stores its card in the statement that creates it; only one of them can be the first.
  async card(context, count) {
    const number = newCard(context.draw);
    const sold = await atOnce(count, (place) => context.sell({ card_number: number }, place));
    return sold.flatMap(({ orderId, answer }) => {
      // An overloaded process rejects the request and moves no money.
      if (answer.error_code === 503) return expectMoves(context.moved(orderId), [], orderId);
      const refused = answer.result === 'SUCCESS' ? [] : [`${orderId}: it got ${JSON.stringify(answer)}`];
      return [...expectMoves(context.moved(orderId), ['payment 5000'], orderId), ...refused];
    });
  },
  async capture(context, count) {
    const sold = await context.sell({ auth: 'Y' });
    const answers = await atOnce(count, (place) => context.post(place, context.merchant.followBody('CAPTURE', sold)));
    const taken = answers.filter(({ result }) => result === 'SUCCESS').length;
    return [
      ...expectMoves(context.moved(sold.orderId), ['payment 5000', 'capture 5000'], sold.orderId),
      ...(taken >= 1 ? [] : [`${sold.orderId}: no capture was acknowledged`]),
    ];
  },
  async void(context, count) {
    const sold = await context.sell();
    await atOnce(count, (place) => context.post(place, context.merchant.followBody('VOID', sold)));
    return expectMoves(context.moved(sold.orderId), ['payment 5000', 'void 5000'], sold.orderId);
  },
  async refund(context, count) {
    const sold = await context.sell();
    const answers = await atOnce(count, (place) =>
      context.post(place, context.merchant.followBody('CREDITVOID', sold, { amount: '5.00' })),
    );
    const moved = context.moved(sold.orderId).filter((line) => line === 'refund 500').length;
    const confirmed = answers.filter(({ result }) => result === 'SUCCESS').length;
    // A refund whose outcome is still unknown is sent to the provider again; the records are compared at the end.
    const accepted = answers.filter(({ result }) => result !== 'ERROR' && result !== 'DECLINED').length;
    if (moved > 10) return [`${sold.orderId}: ${moved} refunds of 5.00 out of 50.00`];
    if (moved >= confirmed && moved <= accepted) return [];
    return [`${sold.orderId}: ${confirmed} refunds were confirmed, ${accepted} accepted, and ${moved} happened`];
  },
  async recurring(context, count) {
    const first = await context.sell({ recurring_init: 'Y' });
    const order = context.newOrder();
    const sold = { ...first, answer: { body: first.answer, status: 200, headers: new Headers() } };
    const body = context.merchant.secondaryBody(sold, { order_id: order });
    await atOnce(count, (place) => context.post(place, body));
    return expectMoves(context.moved(order), ['payment 1200'], order);
  },
  async 'capture against release'(context, count) {
    const sold = await context.sell({ auth: 'Y' });
    await atOnce(count, (place) =>
      context.post(place >> 1, context.merchant.followBody(place % 2 === 0 ? 'CAPTURE' : 'CREDITVOID', sold)),
    );
    const after = context.moved(sold.orderId).slice(1);
    // Captured and refunded, or voided; never voided and captured.
    const isFine = ['void 5000', 'capture 5000', 'capture 5000,refund 5000', 'capture 5000,void 5000'].includes(
      `${after}`,
    );
    return isFine ? [] : [`${sold.orderId}: the money moved as ${after.join(', ')}`];
  },
  // The schedule has a year of past monthly dates; edits must not charge them.
  async 'schedule edits'(context, count) {
    const plan = { name: 'Monthly', interval_length: 1, interval_unit: 'month', payments_count: 2000 };
    const made = await context.merchant.schedule('CREATE_SCHEDULE', plan);
    const schedule_id = made.body.schedule_id;
    const { orderId } = await context.sell({ recurring_init: 'Y', schedule_id });
    await context.query(
      `update subscriptions set done = 12, first_date = current_date - 365, due_at = now() + interval '1 day'
        where schedule_id = $1`,
      [schedule_id],
    );
    const edits: [action: string, fields: Changes][] = [
      ['UPDATE_SCHEDULE', { ...plan, interval_unit: 'day' }],
      ['PAUSE_SCHEDULE', {}],
      ['RUN_SCHEDULE', {}],
      ['UPDATE_SCHEDULE', { ...plan, interval_length: 2 }],
    ];
    await atOnce(Math.min(count, 20), (place) => {
      const [action, fields] = edits[place % edits.length] ?? ['', {}];
      return context.edit(place, action, { schedule_id, ...fields });
    });
    for (const action of ['RUN_SCHEDULE', 'UPDATE_SCHEDULE'])
      await context.edit(0, action, { schedule_id, ...plan, interval_unit: 'day' });
    await new Promise((wake) => setTimeout(wake, 3000));
    await context.edit(0, 'PAUSE_SCHEDULE', { schedule_id });
    const charged = await context.query(
      `select count(*)::int as times from payments p join subscriptions s on s.id = p.subscription_id
        where s.schedule_id = $1`,
      [schedule_id],
    );
    // The next charge is in the future.
    return charged[0].times === 0 ? [] : [`${orderId}: edits of its schedule charged it ${charged[0].times} times`];
  },
  async 'two tabs'(context) {
    const opened = await context.newSession();
    const { pathname } = new URL(opened.url);
    const card = { number: newCard(context.draw), expiry: '01/38' };
    // Both tabs load the page before either pays; a tab opened later finds the order paid.
    const tabs = await atOnce(2, async (place) => {
      const payer = context.payerAt(place);
      return { payer, page: await payer.visit(context.urlOf(place) + pathname) };
    });
    await Promise.all(tabs.map(({ payer, page }) => payer.payOn(page, card)));
    return expectMoves(context.moved(opened.order.number), ['payment 8450'], opened.order.number);
  },
  async 'return against notification'(context, count) {
    const sold = await context.sell({ order_amount: '50.03' });
    if (sold.answer.result !== 'REDIRECT') return [`${sold.orderId} got no challenge: ${JSON.stringify(sold.answer)}`];
    await context.provider.control('finish', { key: sold.transId, ok: true });
    const [{ mid_id: mid }] = await context.query('select mid_id from transactions where id = $1', [sold.transId]);
    await atOnce(Math.min(count, 20), (place) => {
      const url = context.urlOf(place);
      if (place % 2 === 0) return fetch(`${url}/return/${sold.transId}`, { redirect: 'manual' });
      return notify(`${url}/notify/http/${mid}`, sold.transId);
    });
    const callbacks = await context.query(
      `select c.outcome::text from callbacks c join payments p on p.id = c.payment_id
        where p.order_number = $1 and c.order_state = 'settled'`,
      [sold.orderId],
    );
    return callbacks.length === 1 ? [] : [`${sold.orderId}: ${callbacks.length} callbacks report it as settled`];
  },
};

/** Runs every race for the given number of rounds. */
export async function runRaceTest({
  rounds,
  atOnce: count,
  seed,
}: {
  rounds: number;
  atOnce: number;
  seed: number;
}): Promise<Result> {
  const environment = await startEnvironment({ name: 'races', merchant: { timeoutSeconds: 5 } });
  try {
    const context = await raceContext(environment, seed);
    const violations: string[] = [];
    const milliseconds: Record<string, number> = {};
    for (const [name, race] of Object.entries(races)) {
      const started = performance.now();
      for (let round = 0; round < rounds; round += 1) {
        for (const found of await race(context, count)) violations.push(`${name}: ${found}`);
      }
      milliseconds[name] = Math.round((performance.now() - started) / rounds);
    }
    const idleAfterSeconds = await waitUntilIdle(environment, 300);
    const { violations: left, summary } = await checkConsistency(environment, []);
    return {
      violations: [...violations, ...left],
      summary: { rounds, count, milliseconds, idleAfterSeconds, ...summary },
    };
  } finally {
    await environment.stop();
  }
}

await command(import.meta.url, ['rounds', 'at-once'], (options, seed) =>
  runRaceTest({ rounds: Number(options.rounds ?? 1000), atOnce: Number(options['at-once'] ?? 200), seed }),
);
