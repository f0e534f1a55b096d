// The merchant's server of a history: each client serves one customer over S2S CARD or Checkout, repeats requests without
// an answer at any process, and keeps every answer.
import { oneOf } from '../chaos/seeded-random.ts';
import { rotateKey } from './keys.ts';
import { firstMerchant, type Merchant, secondMerchant } from './merchants.ts';
import type { Sent } from './network.ts';
import type { Asked, Body, Fields } from './requests.ts';
import { scenarios } from './scenarios.ts';
import { serviceOrigin } from './settings.ts';
import { trespass } from './trespass.ts';
import type { World } from './world.ts';

/** Within this time a repeated request is the same payment (contract, Repeated requests). */
const repeatMilliseconds = 12_000;
const patienceMilliseconds = 90_000;

/** A history has at most so many clients. */
export const clientsMax = 3;

/** Starts the clients; resolves when all are done. */
export function startClients(world: World) {
  // Most histories have one: a fault is found in the shortest histories first. Those at a turnover limit compete.
  const power = world.chance.joins('limits') ? 1 : 4;
  const count = 1 + Math.floor(world.chance.draws('clients')() ** power * clientsMax);
  const orders = Array.from({ length: count }, (_, place) => `o-${world.seed}-${place + 1}`);
  const clients = orders.map((order, place) => ({ name: `client ${place + 1}`, merchant: firstMerchant, order }));
  const started = clients.filter(({ name }) => world.chance.has(name));
  // The order of the second merchant has the number of one of the first.
  if (world.merchants.includes(secondMerchant))
    started.push({ name: secondMerchant.name, merchant: secondMerchant, order: orders[0] as string });
  const served = started.map((client) => serveCustomer(world, client));
  if (world.merchants.length > 1) served.push(trespass(world));
  if (world.chance.joins('rotation')) served.push(rotateKey(world));
  return Promise.all(served);
}

const keyOf = ({ key }: Asked): Record<string, string> => (key ? { 'idempotency-key': key } : {});

type Client = { name: string; merchant: Merchant; order: string };

async function serveCustomer(world: World, { name, merchant, order }: Client) {
  const draw = world.chance.draws(name);
  const record = recorderOf(world, name, merchant);
  await world.sleep(draw() * (world.chance.joins('limits') ? 500 : 20_000));
  await oneOf(
    draw,
    scenarios,
  )({
    ...{ world, draw, order, ask, post },
    get merchant() {
      return world.withKey(merchant);
    },
  });

  async function ask(about: string, fields: Fields, protocol: 'card' | 'apm' = 'card'): Promise<Body> {
    const body = new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();
    const action = String(fields.action);
    const sum = fields.amount ?? fields.order_amount;
    const asked = record(fields.client_key, { order: about, protocol, action }, sum, fields.order_currency);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...keyOf(asked) };
    const sent = { method: 'POST', url: `${serviceOrigin}/s2s/${protocol}/post`, headers, body };
    const said = await insist(asked, sent, fields.order_id ? repeatMilliseconds : patienceMilliseconds);
    if (!said) return null;
    const { trans_id: transId, result, status } = said;
    world.note(name, `gets ${result} ${status ?? ''} ${transId ?? JSON.stringify(said)}`);
    return said;
  }

  async function post(path: string, fields: object, about: string): Promise<Body> {
    type Sum = { merchant_key: string; amount?: string; order?: { amount: string; currency: string } };
    const { merchant_key: key, amount, order: opened } = fields as Sum;
    const what = { order, protocol: 'checkout', action: about } as const;
    const asked = record(key, what, amount ?? opened?.amount, opened?.currency);
    const headers = { 'content-type': 'application/json', ...keyOf(asked) };
    const sent = { method: 'POST', url: serviceOrigin + path, headers, body: JSON.stringify(fields) };
    const said = await insist(asked, sent, about === 'session' ? repeatMilliseconds : patienceMilliseconds);
    if (said) world.note(name, `gets ${JSON.stringify(said).slice(0, 120)}`);
    return said;
  }

  /** Repeats a request at any process until it is answered; null if it was not in time. */
  async function insist(asked: Asked, sent: Sent, milliseconds: number): Promise<Body> {
    const until = world.scheduler.now() + milliseconds;
    for (let tries = 1; ; tries += 1) {
      Object.assign(asked, { tries, triedAt: world.scheduler.now() });
      world.note(name, `${asked.action} ${asked.order}`);
      // A client that gives up early repeats the request while the first one is under way.
      const patience = world.chance.happens('client gives up') ? 300 : 60_000;
      const answer = await world.send(name, sent, patience);
      if (answer && answer.status < 500) {
        const body = JSON.parse(answer.body);
        asked.answer = { at: world.scheduler.now(), status: answer.status, body };
        return body;
      }
      if (world.scheduler.now() > until) return null;
      await world.sleep(150 + draw() * 1_000 * tries);
    }
  }
}

/** Records the requests of a client. */
function recorderOf(world: World, name: string, merchant: Merchant) {
  type What = Pick<Asked, 'order' | 'protocol' | 'action'>;
  // A charge of a stored card names no currency: it has that of the first.
  return function record(usedKey: unknown, what: What, amount: unknown, currency: unknown = 'EUR'): Asked {
    // A change that is repeated under its key moves money once.
    const isChange = /^(CAPTURE|VOID|CREDITVOID|capture|void|refund)$/.test(what.action);
    const asked: Asked = {
      ...what,
      merchant: usedKey === firstMerchant.rotated.credentials.key ? firstMerchant.rotated : merchant,
      order: merchant.orderOf(what.order),
      amount: typeof amount === 'string' ? amount : undefined,
      currency: String(currency),
      key: isChange ? `${name} ${world.asked.length}` : undefined,
      at: world.scheduler.now(),
      triedAt: world.scheduler.now(),
      tries: 0,
      answer: null,
    };
    world.asked.push(asked);
    return asked;
  };
}
