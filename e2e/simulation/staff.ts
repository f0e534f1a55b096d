// Users of the dashboard in a history: they decide about unresolved items after a look at the provider's portal, send
// callbacks again, and refund, capture and void; at times two at once, and each repeats a request without an answer.
import { type Draw, oneOf } from '../chaos/seeded-random.ts';
import { part } from './customer.ts';
import type { DashboardAction, UserRequest } from './dashboard.ts';
import { firstMerchant, orderSql } from './merchants.ts';
import type { Asked, Body, Resent, UserDecision } from './requests.ts';
import { id, serviceOrigin } from './settings.ts';
import type { World } from './world.ts';

const day = 86_400_000;
/** Visits end before the history does (history.ts). */
const visitsWithin = 7 * day;
const visitsMax = 8;
/** How often users look for unresolved items. */
const looks = 8;

type User = { name: string; id: string; draw: Draw };
const users = [
  { name: 'ana', id: id(901) },
  { name: 'ben', id: id(902) },
];

/** Users visit the dashboard during the faults and for some days after them. */
export function startStaff(world: World) {
  const draw = world.chance.draws('staff');
  const visits = Math.floor(draw() * visitsMax);
  for (let turn = 0; turn < looks + visits; turn += 1) {
    // Half of the visits are in the first minutes.
    const delay = draw() < 0.5 ? draw() * 600_000 : draw() ** 3 * visitsWithin;
    const task = turn < looks ? decide : oneOf(draw, [resend, resend, resendAll, change]);
    const present = draw() < 0.4 ? users : users.slice(0, 1);
    world.scheduler.after(delay, null, 'a user comes', () => {
      for (const user of present) void task(world, { ...user, draw: world.chance.draws(`user ${user.name}`) });
    });
  }
}

/** Sends a request until it is answered, some twice; null if no answer came in time. */
async function act(world: World, { name, id: user, draw }: User, action: DashboardAction, about: string, body: object) {
  const asked: UserRequest = { user, body };
  const headers = { 'content-type': 'application/json' };
  const sent = {
    method: 'POST',
    url: `${serviceOrigin}/dashboard/${action}/${about}`,
    headers,
    body: JSON.stringify(asked),
  };
  const isTwice = draw() < 0.2;
  let isSure = !isTwice;
  if (isTwice) void world.send('user', sent, 60_000);
  for (let tries = 0; tries < 3; tries += 1) {
    const answer = await world.send('user', sent, 60_000);
    world.note(name, `${action} ${about.slice(-4)}: ${answer?.status ?? 'no answer'}`);
    if (answer && answer.status < 500) return { status: answer.status, body: JSON.parse(answer.body) as Body, isSure };
    isSure = false;
    await world.sleep(2_000 + draw() * 10_000);
  }
  return null;
}

type Task = Record<'id' | 'transaction' | 'status' | 'kind' | 'currency', string>;

/** Decides about an item that needs a user: an operation without an outcome gets the one that the provider has. */
async function decide(world: World, user: User) {
  const { base, providers, decisions } = world;
  const tasks = await base.rows<Task>(
    `select u.id, t.id as transaction, t.status::text, t.kind::text, t.currency
       from unresolved u join transactions t on t.id = u.transaction_id where u.closed_at is null and u.action = 'task' order by u.created_at, u.id`,
  );
  if (tasks.length === 0) return;
  const { id: item, transaction, status, kind, currency } = oneOf(user.draw, tasks);
  const line = providers.flatMap(({ journal }) => journal).findLast(({ key }) => key === transaction);
  // The user waits for the provider's decision, and for the capture of a sale that is only authorised.
  if (/^(processing|challenge)$/.test(line?.status ?? '')) return;
  if (line?.status === 'authorized' && kind !== 'authorize') return;
  // Money in another currency is not approved, which would book it as the requested one.
  if (line && line.currency !== currency) return;
  const outcome = /^(approved|authorized)$/.test(line?.status ?? '') ? 'approved' : 'declined';
  const decision = /^(success|fail)$/.test(status) ? 'closed' : outcome;
  const note = `decision ${decisions.length + 1} of ${user.name}`;
  const made: UserDecision = { item, user: user.id, transaction, decision, note, status: null, isSure: false };
  decisions.push(made);
  const answer = await act(world, user, 'close', item, { decision, note });
  if (answer) Object.assign(made, { status: answer.status, isSure: answer.isSure });
}

async function resend(world: World, user: User) {
  const callbacks = await world.base.rows<{ id: string }>('select id from callbacks order by created_at, id');
  if (callbacks.length === 0) return;
  const { id: callback } = oneOf(user.draw, callbacks);
  await noteResent(world, callback, () => act(world, user, 'resend', callback, {}));
}

/** Sends all callbacks again that were received, or that wait. */
async function resendAll(world: World, user: User) {
  const query = oneOf(user.draw, ['state=delivered', 'state=waiting']);
  await noteResent(world, '*', () => act(world, user, 'resend-all', 'filter', { query }));
}

async function noteResent({ resent, scheduler }: World, callback: string, send: () => ReturnType<typeof act>) {
  const each: Resent = { callback, from: scheduler.now(), to: Number.POSITIVE_INFINITY };
  resent.push(each);
  if ((await send())?.isSure) each.to = scheduler.now();
}

type Changed = Record<'id' | 'version' | 'order' | 'state' | 'currency', string>;

/** Refunds, captures or voids a payment as its page shows it. */
async function change(world: World, user: User) {
  const { base, asked, scheduler } = world;
  const payments = await base.rows<Changed>(
    `select p.id, p.version, ${orderSql} as order, p.state::text, p.currency from payments p
      where p.state in ('settled', 'pending', 'refund') and p.operation <> 'credit' order by p.created_at, p.id`,
  );
  if (payments.length === 0) return;
  const { id: payment, version, order, state, currency } = oneOf(user.draw, payments);
  const action = oneOf(
    user.draw,
    state === 'pending' ? (['capture', 'void'] as const) : (['refund', 'refund', 'void'] as const),
  );
  const amount = action !== 'void' && user.draw() < 0.7 ? part(user.draw) : undefined;
  const key = `${user.name} ${asked.length}`;
  const made: Asked = {
    ...{ merchant: firstMerchant, order, protocol: 'dashboard', action, amount, currency, key },
    ...{ at: scheduler.now(), triedAt: scheduler.now(), tries: 2, answer: null },
  };
  asked.push(made);
  const answer = await act(world, user, action, payment, { version: Number(version), key, amount });
  if (answer) made.answer = { at: scheduler.now(), status: answer.status, body: {} };
}
