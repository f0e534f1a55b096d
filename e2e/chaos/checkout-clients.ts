// Load of a merchant's server over S2S CARD: several clients, each with one customer after another, send sales,
// captures, refunds, voids, recurring payments and payouts. A request without a response is repeated to any process.
import type { CardMerchant } from '../support/card-merchant.ts';
import type { Acknowledged } from './consistency.ts';
import type { Environment } from './environment.ts';
import { type Draw, oneOf, random } from './seeded-random.ts';

const patienceSeconds = 90;
/** Within this time a repeated request is the same payment (contract, Repeated requests); later it is a new one. */
const repeatSeconds = 12;

type Fields = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
type Body = any;

/** A request with its result; `status` is null if there was no response. */
export type Asked = { order: string; fields: Fields; askedAt: number; status: number | null; body: Body };

type Ask = (order: string, fields: Fields) => Promise<Body>;
type Customer = { merchant: CardMerchant; draw: Draw; order: string; ask: Ask };

/**
 * Starts the clients. `acknowledged` collects every response; `stop` resolves when each client has finished its
 * customer. `onRequest` is called with every request.
 */
export async function startCheckoutClients(
  environment: Pick<Environment, 'shopServer' | 'credentials'> & { apps: { url: string }[] },
  { clients, seed, onRequest = () => {} }: { clients: number; seed: number; onRequest?: (request: Asked) => void },
) {
  const { cardMerchant } = await import('../support/card-merchant.ts');
  const acknowledged: Acknowledged[] = [];
  const refusals = new Map<string, number>();
  const choose = random(seed + 104_729);
  let isOpen = true;
  let served = 0;
  const running = Array.from({ length: clients }, (_, client) => serveCustomers(client, random(seed + client * 7919)));

  async function serveCustomers(client: number, draw: Draw) {
    const merchant = cardMerchant(environment.apps[0]?.url ?? '', environment.credentials, environment.shopServer);
    for (let customer = 0; isOpen; customer += 1) {
      await oneOf(draw, scenarios)({ merchant, draw, order: `client-${seed}-${client}-${customer}`, ask });
      served += 1;
    }
  }

  /** Sends a request until a response arrives; returns the response body, or null after the timeout. */
  async function ask(order: string, fields: Fields): Promise<Body> {
    const text = new URLSearchParams(flat(fields)).toString();
    const started = performance.now();
    for (;;) {
      const { url } = oneOf(choose, environment.apps);
      const askedAt = Date.now();
      const { status, body } = await post(url, text);
      onRequest({ order, fields, askedAt, status, body });
      if (body && status !== null && status < 500) {
        const acknowledgement = {
          order,
          action: String(fields.action),
          transId: body.trans_id,
          result: body.result,
          status: body.status,
        };
        acknowledged.push(acknowledgement);
        if (body.result === 'ERROR') refusals.set(body.error_message, (refusals.get(body.error_message) ?? 0) + 1);
        return body;
      }
      const elapsed = (performance.now() - started) / 1000;
      if (elapsed > (fields.order_id ? repeatSeconds : patienceSeconds)) return null;
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

async function post(url: string, body: string): Promise<{ status: number | null; body: Body }> {
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(`${url}/s2s/card/post`, { method: 'POST', headers, body, signal });
    return { status: response.status, body: await response.json().catch(() => null) };
  } catch {
    return { status: null, body: null };
  }
}

const flat = (fields: Fields) => Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);

/** A Luhn-valid number of a live card. */
export function newCard(draw: Draw): string {
  const digits = `4${String(Math.floor(draw() * 1e14)).padStart(14, '0')}`;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

async function sell({ merchant, draw, order, ask }: Customer, more: Fields = {}) {
  // One in ten is declined by the provider's rule for amounts.
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
  const card = `${String(number).slice(0, 6)}${String(number).slice(-4)}`;
  return answer?.result === 'SUCCESS'
    ? { orderId: order, transId: String(answer.trans_id), email: String(email), card, amount, answer }
    : null;
}

const scenarios: ((customer: Customer) => Promise<unknown>)[] = [
  (context) => sell(context),
  // Two partial refunds; the second may exceed what is left.
  async (context) => {
    const sold = await sell(context);
    if (!sold) return;
    for (const amount of ['5.00', '7.00']) await modify(context, sold, 'CREDITVOID', { amount });
  },
  async (context) => {
    const sold = await sell(context, { auth: 'Y' });
    if (sold) await modify(context, sold, 'CAPTURE');
  },
  async (context) => {
    const sold = await sell(context, { auth: 'Y' });
    if (sold) await modify(context, sold, 'CREDITVOID');
  },
  async (context) => {
    const sold = await sell(context);
    if (sold) await modify(context, sold, 'VOID');
  },
  // An initial payment and two subsequent payments.
  async (context) => {
    const { merchant, order, ask } = context;
    const first = await sell(context, { recurring_init: 'Y' });
    if (!first?.answer.recurring_token) return;
    for (const turn of [1, 2]) {
      const body = merchant.secondaryBody(
        { ...first, answer: { body: first.answer, status: 200, headers: new Headers() } },
        { order_id: `${order}-${turn}` },
      );
      await ask(`${order}-${turn}`, body);
    }
  },
  async ({ merchant, draw, order, ask }) => {
    await ask(order, merchant.payoutBody({ order_id: order, card_number: newCard(draw) }));
  },
];

async function modify(
  { merchant, ask }: Customer,
  sold: { orderId: string; transId: string; email: string; card: string },
  action: string,
  more: Fields = {},
) {
  return ask(sold.orderId, merchant.followBody(action, sold, more));
}
