// The merchant's server of a history: each client serves one customer over S2S CARD or Checkout, repeats requests without
// an answer at any process, and keeps every answer.
import { newCard } from '../chaos/checkout-clients.ts';
import type { Acknowledged } from '../chaos/consistency.ts';
import { oneOf } from '../chaos/seeded-random.ts';
import { apmMerchant } from '../support/apm-merchant.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { signCard } from '../support/signatures.ts';
import { checkout } from './checkout.ts';
import { addresses, amountOf, type Body, type Customer, type Fields, part } from './customer.ts';
import type { Sent } from './network.ts';
import { merchant as credentials, redirectMethod, serviceOrigin, shopOrigin } from './settings.ts';
import type { World } from './world.ts';

/** Within this time a repeated request is the same payment (contract, Repeated requests). */
const repeatMilliseconds = 12_000;
const patienceMilliseconds = 90_000;
const day = 86_400_000;

const merchant = cardMerchant(serviceOrigin, credentials, addresses as ShopServer);
const methodMerchant = apmMerchant(serviceOrigin, credentials, { ...addresses, url: shopOrigin } as ShopServer);

type Sold = { orderId: string; transId: string; email: string; card: string; answer: Body };
/** An answer to the merchant's server, and when it came. */
export type Reply = Acknowledged & { at: number; status?: string };

/** A history has at most so many clients. */
export const clientsMax = 3;

/** Starts the clients; resolves when all are done. */
export function startClients(world: World, replies: Reply[], count: number) {
  const clients = Array.from({ length: count }, (_, place) => `client ${place + 1}`).filter(world.chance.has);
  return Promise.all(clients.map((name) => serveCustomer(world, name, replies)));
}

async function serveCustomer(world: World, name: string, replies: Reply[]) {
  const draw = world.chance.draws(name);
  const order = `o-${world.seed}-${name.at(-1)}`;
  await world.sleep(draw() * 20_000);
  await oneOf(draw, scenarios)({ world, draw, order, ask, post });

  async function ask(about: string, fields: Fields, protocol: 'card' | 'apm' = 'card'): Promise<Body> {
    const body = new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();
    const action = String(fields.action);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...keyOf(action, about) };
    const sent = { method: 'POST', url: `${serviceOrigin}/s2s/${protocol}/post`, headers, body };
    const said = await insist(`${action} ${about}`, sent, fields.order_id ? repeatMilliseconds : patienceMilliseconds);
    if (!said) return null;
    const { trans_id: transId, result, status } = said;
    world.note(name, `gets ${result} ${status ?? ''} ${transId ?? JSON.stringify(said)}`);
    replies.push({ order: about, action, transId, result, status, at: world.scheduler.now() });
    return said;
  }

  async function post(path: string, fields: object, about: string): Promise<Body> {
    const headers = { 'content-type': 'application/json', ...keyOf(about, order) };
    const sent = { method: 'POST', url: serviceOrigin + path, headers, body: JSON.stringify(fields) };
    const said = await insist(
      `${about} ${order}`,
      sent,
      about === 'session' ? repeatMilliseconds : patienceMilliseconds,
    );
    if (said) world.note(name, `gets ${JSON.stringify(said).slice(0, 120)}`);
    return said;
  }

  // A change that is repeated under its key moves money once.
  function keyOf(action: string, changed: string): Record<string, string> {
    if (!/^(CAPTURE|VOID|CREDITVOID|capture|void|refund)$/.test(action)) return {};
    world.asked.push({ order: changed, action });
    return { 'idempotency-key': `${name} ${world.asked.length}` };
  }

  /** Repeats a request at any process until it is answered; null if it was not in time. */
  async function insist(what: string, sent: Sent, milliseconds: number): Promise<Body> {
    const until = world.scheduler.now() + milliseconds;
    for (let tries = 1; ; tries += 1) {
      world.note(name, what);
      // A client that gives up early repeats the request while the first one is under way.
      const patience = world.chance.happens('client gives up') ? 300 : 60_000;
      const answer = await world.send(name, sent, patience);
      if (answer && answer.status < 500) return JSON.parse(answer.body);
      if (world.scheduler.now() > until) return null;
      await world.sleep(150 + draw() * 1_000 * tries);
    }
  }
}

async function sell({ draw, order, ask }: Customer, more: Fields = {}): Promise<Sold | null> {
  const number = newCard(draw);
  const values = { order_id: order, order_amount: amountOf(draw), card_number: number, ...more };
  const body = merchant.signed(merchant.chargeBody('SALE', values));
  const answer = await ask(order, body);
  if (!answer?.trans_id) return null;
  const card = `${number.slice(0, 6)}${number.slice(-4)}`;
  return { orderId: order, transId: String(answer.trans_id), email: String(body.payer_email), card, answer };
}

/** Waits until the payment has an outcome, by asking for it. */
async function settled(customer: Customer, sold: Sold | null): Promise<Sold | null> {
  if (!sold || sold.answer.result === 'SUCCESS' || sold.answer.result === 'DECLINED') return sold;
  for (let asked = 0; asked < 4; asked += 1) {
    await customer.world.sleep(5_000 + customer.draw() * 30_000);
    const answer = await customer.ask(sold.orderId, merchant.followBody('GET_TRANS_STATUS', sold));
    if (answer && !['PREPARE', 'REDIRECT', '3DS'].includes(answer.status)) return { ...sold, answer };
  }
  return sold;
}

const modify = (customer: Customer, sold: Sold, action: string, more: Fields = {}) =>
  customer.ask(sold.orderId, merchant.followBody(action, sold, more));

const scenarios: ((customer: Customer) => Promise<unknown>)[] = [
  async (customer) => settled(customer, await sell(customer)),
  // Refunds, at once or one after the other; the last may exceed what is left.
  async (customer) => {
    const sold = await settled(customer, await sell(customer));
    if (!sold) return;
    const refunds = Array.from({ length: 1 + Math.floor(customer.draw() * 3) }, () => part(customer.draw));
    if (customer.draw() < 0.4)
      return Promise.all(refunds.map((amount) => modify(customer, sold, 'CREDITVOID', { amount })));
    for (const amount of refunds) await modify(customer, sold, 'CREDITVOID', { amount });
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { auth: 'Y' }));
    if (!sold) return;
    const amount = customer.draw() < 0.5 ? { amount: part(customer.draw) } : {};
    await modify(customer, sold, 'CAPTURE', amount);
    if (customer.draw() < 0.5) await modify(customer, sold, 'CREDITVOID');
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { auth: 'Y' }));
    if (sold) await modify(customer, sold, 'CREDITVOID');
  },
  // Neither captured nor released: it expires.
  (customer) => sell(customer, { auth: 'Y' }),
  async (customer) => {
    const sold = await settled(customer, await sell(customer));
    if (sold) await modify(customer, sold, 'VOID');
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { auth: 'Y' }));
    if (sold) await Promise.all(['CAPTURE', 'CREDITVOID'].map((action) => modify(customer, sold, action)));
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { recurring_init: 'Y' }));
    if (!sold?.answer.recurring_token) return;
    const first = { ...sold, answer: { body: sold.answer, status: 200, headers: new Headers() } };
    for (const turn of [1, 2]) {
      const order = `${customer.order}-${turn}`;
      const amount = customer.draw() < 0.5 ? amountOf(customer.draw) : '12.35';
      const asked = merchant.secondaryBody(first, { order_id: order, order_amount: amount });
      const answer = await customer.ask(order, asked);
      if (answer?.result !== 'DECLINED') continue;
      const charged = { ...sold, orderId: order, transId: answer.trans_id };
      const retried = await modify(customer, charged, 'RETRY');
      if (retried?.result === 'SUCCESS') await modify(customer, charged, 'CREDITVOID', { amount: part(customer.draw) });
    }
  },
  ({ draw, order, ask }) =>
    ask(order, merchant.payoutBody({ order_id: order, card_number: newCard(draw), order_amount: amountOf(draw) })),
  schedule,
  schedule,
  payByMethod,
  checkout,
  checkout,
];

/** A payment by redirect over S2S APM, refunded later. */
async function payByMethod({ draw, order, ask, world }: Customer) {
  const more = { brand: redirectMethod, identifier: 'payer-1', order_id: order, order_amount: amountOf(draw) };
  const body = methodMerchant.signed(methodMerchant.chargeBody('SALE', more));
  const sold = await ask(order, body, 'apm');
  if (!sold?.trans_id) return;
  const transId = String(sold.trans_id);
  await world.sleep(draw() * 120_000);
  const found = await ask(order, methodMerchant.followBody('GET_TRANS_STATUS', { transId }), 'apm');
  if (found?.status !== 'SETTLED') return;
  await ask(order, methodMerchant.followBody('CREDITVOID', { transId }, { amount: part(draw) }), 'apm');
}

/** A subscription, whose schedule is edited while it runs. */
async function schedule(customer: Customer) {
  const { draw, ask, order, world } = customer;
  const act = (action: string, fields: Fields) => {
    const values = { scheduleId: fields.schedule_id as string | undefined };
    const hash = signCard(action === 'CREATE_SCHEDULE' ? 3 : 4, values, credentials);
    return ask(order, { action, client_key: credentials.key, hash, ...fields });
  };
  const plan = () => ({
    name: 'Plan',
    interval_length: 1 + Math.floor(draw() ** 2 * 3),
    interval_unit: draw() < 0.6 ? 'day' : 'month',
    payments_count: 2 + Math.floor(draw() * 6),
  });
  const made = await act('CREATE_SCHEDULE', plan());
  if (!made?.schedule_id) return;
  const sold = await sell(customer, { recurring_init: 'Y', schedule_id: made.schedule_id });
  if (!sold) return;
  const { schedule_id } = made;
  await world.sleep(draw() ** 2 * 40 * day);
  for (let edits = Math.floor(draw() * 4); edits > 0; edits -= 1) {
    const action = oneOf(draw, ['UPDATE_SCHEDULE', 'PAUSE_SCHEDULE', 'RUN_SCHEDULE', 'UPDATE_SCHEDULE']);
    await act(action, { schedule_id, ...(action === 'UPDATE_SCHEDULE' ? plan() : {}) });
    await world.sleep(draw() * 3 * day);
  }
  await act('RUN_SCHEDULE', { schedule_id });
}
