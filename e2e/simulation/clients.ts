// The merchant's server of a history: each client serves one customer over S2S CARD or Checkout, repeats requests without
// an answer at any process, and keeps every answer.
import type { Acknowledged } from '../chaos/consistency.ts';
import { oneOf } from '../chaos/seeded-random.ts';
import type { Sent } from './network.ts';
import type { Order } from './receiver.ts';
import type { Asked, Body, Fields } from './requests.ts';
import { scenarios } from './scenarios.ts';
import { serviceOrigin } from './settings.ts';
import type { World } from './world.ts';

/** Within this time a repeated request is the same payment (contract, Repeated requests). */
const repeatMilliseconds = 12_000;
const patienceMilliseconds = 90_000;

/** An answer to the merchant's server, and when it came. */
export type Reply = Acknowledged & { at: number; status?: string };

/** A history has at most so many clients. */
export const clientsMax = 3;

/** Starts the clients; resolves when all are done. */
export function startClients(world: World, replies: Reply[], count: number) {
  const clients = Array.from({ length: count }, (_, place) => `client ${place + 1}`).filter(world.chance.has);
  return Promise.all(clients.map((name) => serveCustomer(world, name, replies)));
}

const keyOf = ({ key }: Asked): Record<string, string> => (key ? { 'idempotency-key': key } : {});

async function serveCustomer(world: World, name: string, replies: Reply[]) {
  const draw = world.chance.draws(name);
  const order = `o-${world.seed}-${name.at(-1)}`;
  await world.sleep(draw() * 20_000);
  await oneOf(draw, scenarios)({ world, draw, order, ask, post });

  async function ask(about: string, fields: Fields, protocol: 'card' | 'apm' = 'card'): Promise<Body> {
    const body = new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();
    const action = String(fields.action);
    if (fields.order_id) recordOrder(about, protocol, String(fields.order_amount), fields.order_currency);
    const asked = record(about, action, fields.amount ?? fields.order_amount);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...keyOf(asked) };
    const sent = { method: 'POST', url: `${serviceOrigin}/s2s/${protocol}/post`, headers, body };
    const said = await insist(asked, sent, fields.order_id ? repeatMilliseconds : patienceMilliseconds);
    if (!said) return null;
    const { trans_id: transId, result, status } = said;
    world.note(name, `gets ${result} ${status ?? ''} ${transId ?? JSON.stringify(said)}`);
    replies.push({ order: about, action, transId, result, status, at: world.scheduler.now() });
    return said;
  }

  async function post(path: string, fields: object, about: string): Promise<Body> {
    const { amount, order: opened } = fields as { amount?: string; order?: { amount: string; currency: string } };
    const asked = record(order, about, amount ?? opened?.amount);
    const headers = { 'content-type': 'application/json', ...keyOf(asked) };
    if (opened) recordOrder(order, 'checkout', opened.amount, opened.currency);
    const sent = { method: 'POST', url: serviceOrigin + path, headers, body: JSON.stringify(fields) };
    const said = await insist(asked, sent, about === 'session' ? repeatMilliseconds : patienceMilliseconds);
    if (said) world.note(name, `gets ${JSON.stringify(said).slice(0, 120)}`);
    return said;
  }

  // A charge of a stored card names no currency: it has that of the first.
  function recordOrder(number: string, protocol: Order['protocol'], amount: string, currency: unknown = 'EUR') {
    world.orders.set(number, { protocol, amount, currency: String(currency) });
  }

  function record(about: string, action: string, amount: unknown): Asked {
    // A change that is repeated under its key moves money once.
    const isChange = /^(CAPTURE|VOID|CREDITVOID|capture|void|refund)$/.test(action);
    const key = isChange ? `${name} ${world.asked.length}` : undefined;
    const sum = typeof amount === 'string' ? amount : undefined;
    const asked = { order: about, action, amount: sum, key, at: world.scheduler.now(), answer: null };
    world.asked.push(asked);
    return asked;
  }

  /** Repeats a request at any process until it is answered; null if it was not in time. */
  async function insist(asked: Asked, sent: Sent, milliseconds: number): Promise<Body> {
    const until = world.scheduler.now() + milliseconds;
    for (let tries = 1; ; tries += 1) {
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
