// A shop under way: several clients, each with one customer after another, who pay, are captured, refunded, voided, charged
// again and paid out over S2S CARD. A client that gets no answer sends the same request again, to whichever process answers,
// as a merchant's server does.
import { importTypeScript } from '../../scripts/bundle.mjs';
import { oneOf, random } from './random.mjs';

const patienceSeconds = 90;
/** Within it the same request is the same payment (contract, Repeated requests); later it would be a new one. */
const repeatSeconds = 12;

/**
 * Opens the shop. `acknowledged` grows with every answer that a client got; `stop` lets each finish its customer.
 * @param {{ apps: { url: string }[], catcher: object, credentials: object }} environment
 * @param {{ clients: number, seed: number, onRequest?: (request: object) => void }} options `onRequest` is told of every request:
 *   what was asked and what came of it, `status` being null where nothing came
 */
export async function startCheckoutClients(environment, { clients, seed, onRequest = () => {} }) {
  const { cardMerchant } = await importTypeScript('e2e/support/card-merchant.ts');
  const acknowledged = [];
  const refusals = new Map();
  const choose = random(seed + 104_729);
  let isOpen = true;
  let served = 0;
  const running = Array.from({ length: clients }, (_, client) => serveCustomers(client, random(seed + client * 7919)));

  async function serveCustomers(client, draw) {
    const merchant = cardMerchant(environment.apps[0].url, environment.credentials, environment.catcher);
    for (let customer = 0; isOpen; customer += 1) {
      await oneOf(draw, visits)({ merchant, draw, order: `client-${seed}-${client}-${customer}`, ask });
      served += 1;
    }
  }

  /** Sends a request until somebody answers; gives the answer's body, or null for one that nobody answered in time. */
  async function ask(order, fields) {
    const text = new URLSearchParams(flat(fields)).toString();
    const started = performance.now();
    for (;;) {
      const { url } = oneOf(choose, environment.apps);
      const askedAt = Date.now();
      const { status, body } = await post(url, text);
      onRequest({ order, fields, askedAt, status, body });
      if (body && status < 500) {
        const told = { order, action: fields.action, transId: body.trans_id, result: body.result, status: body.status };
        acknowledged.push(told);
        if (body.result === 'ERROR') refusals.set(body.error_message, (refusals.get(body.error_message) ?? 0) + 1);
        return body;
      }
      const gone = (performance.now() - started) / 1000;
      if (gone > (fields.order_id ? repeatSeconds : patienceSeconds)) return null;
      await new Promise((wake) => setTimeout(wake, 150));
    }
  }

  return {
    acknowledged,
    refusals,
    served: () => served,
    async stop() {
      isOpen = false;
      await Promise.all(running);
    },
  };
}

async function post(url, body) {
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(`${url}/s2s/card/post`, { method: 'POST', headers, body, signal });
    return { status: response.status, body: await response.json().catch(() => null) };
  } catch {
    return { status: null, body: null };
  }
}

const flat = (fields) => Object.entries(fields).map(([name, value]) => [name, String(value)]);

/** A Luhn-valid number of a live card. */
export function newCard(draw) {
  const digits = `4${String(Math.floor(draw() * 1e14)).padStart(14, '0')}`;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

async function sell({ merchant, draw, order, ask }, more = {}) {
  // One in ten is declined: the provider's rule for amounts.
  const cents = draw() < 0.1 ? '5' : '0';
  const body = merchant.signed(
    merchant.chargeBody('SALE', {
      order_id: order,
      order_amount: `${10 + Math.floor(draw() * 90)}.${Math.floor(draw() * 10)}${cents}`,
      card_number: newCard(draw),
      ...more,
    }),
  );
  const answer = await ask(order, body);
  const { card_number: number, payer_email: email, order_amount: amount } = body;
  const card = `${number.slice(0, 6)}${number.slice(-4)}`;
  return answer?.result === 'SUCCESS'
    ? { orderId: order, transId: answer.trans_id, email, card, amount, answer }
    : null;
}

const visits = [
  (visit) => sell(visit),
  // Given back in two parts, the second of which may be more than is left.
  async (visit) => {
    const sold = await sell(visit);
    if (!sold) return;
    for (const amount of ['5.00', '7.00']) await follow(visit, sold, 'CREDITVOID', { amount });
  },
  async (visit) => {
    const sold = await sell(visit, { auth: 'Y' });
    if (sold) await follow(visit, sold, 'CAPTURE');
  },
  async (visit) => {
    const sold = await sell(visit, { auth: 'Y' });
    if (sold) await follow(visit, sold, 'CREDITVOID');
  },
  async (visit) => {
    const sold = await sell(visit);
    if (sold) await follow(visit, sold, 'VOID');
  },
  // A chain and two charges of it.
  async (visit) => {
    const { merchant, order, ask } = visit;
    const first = await sell(visit, { recurring_init: 'Y' });
    if (!first?.answer.recurring_token) return;
    for (const turn of [1, 2]) {
      const body = merchant.secondaryBody(
        { ...first, answer: { body: first.answer } },
        { order_id: `${order}-${turn}` },
      );
      await ask(`${order}-${turn}`, body);
    }
  },
  async ({ merchant, draw, order, ask }) => {
    await ask(order, merchant.payoutBody({ order_id: order, card_number: newCard(draw) }));
  },
];

async function follow({ merchant, ask }, sold, action, more = {}) {
  return ask(sold.orderId, merchant.followBody(action, sold, more));
}
