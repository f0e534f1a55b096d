// Makes the demo merchant's payments of the last month, so that the dashboard is not empty at the first sign-in. The
// payments run through the ordinary code, with the clock set back and the sandbox provider served meanwhile.
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { claimDue, recordAttempt, retrySeconds } from '../../lib/callbacks/index.ts';
import { env } from '../../lib/config/index.ts';
import type { CardData } from '../../lib/connectors/index.ts';
import { demoMerchant } from '../../lib/core/demo-merchant.ts';
import { parseAmount } from '../../lib/core/money.ts';
import type { Payment } from '../../lib/core/payment.ts';
import { sandboxCards } from '../../lib/core/sandbox-cards.ts';
import { advanceClock, now } from '../../lib/db/clock.ts';
import { buildMatcher, httpResult } from '../../lib/http/index.ts';
import { backgroundDone } from '../../lib/jobs/index.ts';
import { type Caller, findCaller, type Mapping } from '../../lib/merchants/index.ts';
import {
  cancelSession,
  capture,
  createSession,
  findPayment,
  handleProviderNotification,
  type PaymentInput,
  type PaymentInstrument,
  pay,
  payDirect,
  findByOrder as paymentsOfOrder,
  refund,
  type SessionFields,
  voidPayment,
} from '../../lib/payments/index.ts';
import { chargeDue } from '../../lib/recurring/index.ts';
import { chargeBack, findByOrder, simulatorRoutes } from '../../lib/sandbox/index.ts';
import { createSchedule } from '../../lib/schedules/index.ts';
import { sendResult, webRequest } from '../../lib/server/index.ts';
import { findToken } from '../../lib/vault/index.ts';
import { demoHistory, type Order, type What } from './demo-history.ts';

type KnownCaller = Caller & { mapping: Mapping };

/** An event at a time; steps run in order of time. */
type Step = { at: Date; run: (at: Date) => Promise<void> };

const hour = 3_600_000;
const day = 24 * hour;
const callbackUrl = 'https://shop.demo.florin.test/florin/callbacks';
const schedules = { weekly: '018f3a00-0000-7000-8000-0000000000a1', monthly: '018f3a00-0000-7000-8000-0000000000a2' };

/** Makes the payments. `serveProvider` if the provider's address is not served yet. */
export async function seedDemoPayments(serveProvider: boolean): Promise<void> {
  const provider = serveProvider ? await startProvider() : null;
  const started = new Date();
  try {
    const steps = [...schedulesMade(started), ...demoHistory.flatMap((order, at) => stepsOf(order, at, started))];
    for (const { at, run } of steps.sort((one, other) => one.at.getTime() - other.at.getTime())) {
      setClock(at);
      await run(at);
      await backgroundDone();
      await answerCallbacks(now());
    }
  } finally {
    setClock(new Date());
    provider?.close();
    provider?.closeAllConnections();
  }
}

function setClock(at: Date): void {
  advanceClock((at.getTime() - now().getTime()) / 1000);
}

async function startProvider(): Promise<Server> {
  const match = buildMatcher(simulatorRoutes);
  const server = createServer(async (incoming, outgoing) => {
    const { request } = webRequest(incoming, outgoing, env.baseUrl);
    const found = match(request.method, new URL(request.url).pathname);
    const response =
      found && 'route' in found
        ? await found.route.run(request, found.params, { address: '127.0.0.1' })
        : httpResult(null, { status: 404 });
    await sendResult(response, incoming, outgoing, new AbortController().signal);
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(env.port, '127.0.0.1', done);
  });
  return server;
}

function timeOf(when: string, started: Date): Date {
  const [first = '', second = ''] = when.split(/\s+/);
  if (second === 'min') return new Date(started.getTime() - Number(first) * 60_000);
  const date = new Date(started.getTime() - Number(first) * day).toISOString().slice(0, 10);
  return new Date(`${date}T${second}:${String((Number(first) * 17) % 60).padStart(2, '0')}.000Z`);
}

async function caller(at: Date, protocol: 'checkout' | 's2s_card' = 'checkout'): Promise<KnownCaller> {
  const found = await findCaller(demoMerchant.key, protocol, at);
  if (!found?.mapping) throw new Error('the demo merchant does not exist');
  return { ...found, mapping: found.mapping };
}

function schedulesMade(started: Date): Step[] {
  const at = new Date(started.getTime() - 30 * day);
  const weekly = { name: 'Coffee box, every week', intervalLength: 7, intervalUnit: 'day', paymentsCount: 52 } as const;
  const monthly = { name: 'Club membership, monthly', intervalLength: 1, intervalUnit: 'month' } as const;
  const run = async () => {
    const { merchant } = await caller(at);
    await createSchedule(merchant.id, { ...weekly, id: schedules.weekly }, at);
    await createSchedule(merchant.id, { ...monthly, id: schedules.monthly, dayOfMonth: 31, paymentsCount: 12 }, at);
  };
  return [{ at, run }];
}

/** The steps of an order: the payment itself, and its later modifications. */
function stepsOf(order: Order, number: number, started: Date): Step[] {
  const at = timeOf(order.when, started);
  const orderNumber = `DEMO-${1001 + number}`;
  let id = '';
  const first: Step = {
    at,
    run: async () => {
      id = await begin(order, orderNumber, at);
    },
  };
  const paid = async (): Promise<Payment> => {
    const payment = await findPayment(id);
    if (!payment) throw new Error(`${orderNumber} was not created`);
    return payment;
  };
  const later = (milliseconds: number, act: (payment: Payment, then: Date) => Promise<unknown>): Step => ({
    at: new Date(at.getTime() + milliseconds),
    run: async (then) => {
      await act(await paid(), then);
    },
  });
  const follows: { readonly [what in What]?: Step[] } = {
    'part refunded': [later(2 * day, (payment, then) => refund(payment, payment.amountMinor / 4n, then))],
    refunded: [later(3 * day, (payment, then) => refund(payment, null, then))],
    voided: [later(2 * hour, (payment, then) => voidPayment(payment, then))],
    captured: [later(day, (payment, then) => capture(payment, (payment.amountMinor * 9n) / 10n, then))],
    released: [later(day, (payment, then) => voidPayment(payment, then))],
    disputed: [later(6 * day, (payment, then) => dispute(payment, number % 2 === 0 ? '13.1' : '10.4', then))],
    left: [later(4 * 60_000, (payment, then) => cancelSession(payment.id, then))],
    weekly: [1, 2, 3].map((week) => later(week * 7 * day + 600_000, (_, then) => chargeDue(then))),
  };
  return [first, ...(follows[order.what] ?? [])];
}

async function begin(order: Order, orderNumber: string, at: Date): Promise<string> {
  if (order.what === 'payout') return payOut(order, orderNumber, at);
  const known = await caller(at);
  const input = { ...inputOf(order, orderNumber), ...sessionOf(order, at) };
  const { payment, session } = await createSession(known, input, at);
  if (['expired', 'left', 'open'].includes(order.what)) return payment.id;
  const instrument = order.what === 'again' ? await storedCard(known.merchant.id, order, at) : meansOf(order);
  const then = new Date(at.getTime() + 40_000 + (orderNumber.charCodeAt(8) % 5) * 9_000);
  setClock(then);
  const done = await pay({ caller: known, payment, session, instrument, payer: { ip: order.payer.ip }, now: then });
  if ('refused' in done) throw new Error(`${orderNumber} was refused: ${done.refused}`);
  return payment.id;
}

function inputOf({ amount, currency, goods, payer, what, means }: Order, orderNumber: string): PaymentInput {
  const parsed = parseAmount(amount, currency);
  if (!parsed.ok) throw new Error(`${orderNumber} has no amount`);
  const { name, email, country, ip } = payer;
  const scheduleId = what === 'weekly' || what === 'monthly' ? schedules[what] : null;
  return {
    operation: 'purchase',
    orderNumber,
    orderAmount: amount,
    currency,
    amountMinor: parsed.minor,
    description: goods,
    authorizeOnly: ['held', 'captured', 'released'].includes(what),
    recurringInit: scheduleId !== null,
    requestToken: what === 'keeps',
    vatCalc: false,
    payer: { name, email, country, ip },
    payee: {},
    parameters: isCard(means) ? {} : { [means]: { sandbox: 'approve' } },
    customData: null,
    notificationUrl: callbackUrl,
    channelId: null,
    scheduleId,
    scheduleStart: null,
    scheduleAmount: what === 'monthly' ? '39.00' : null,
    requestDigest: createHash('sha256').update(orderNumber).digest(),
  };
}

function sessionOf({ means, payer }: Order, at: Date): SessionFields {
  const languages: Record<string, string> = { DE: 'de', PL: 'pl', IT: 'it', FR: 'fr', PT: 'pt' };
  return {
    methods: isCard(means) ? ['card'] : [means, 'card'],
    successUrl: `${env.baseUrl}/?paid`,
    cancelUrl: `${env.baseUrl}/?cancelled`,
    errorUrl: null,
    expiryUrl: null,
    returnUrl: null,
    linkTarget: null,
    language: languages[payer.country] ?? 'en',
    formId: null,
    expiresAt: new Date(at.getTime() + hour),
    hostedFields: false,
    consentRequired: false,
    cardTokens: [],
  };
}

const isCard = (method: string): boolean => sandboxCards.some(({ id }) => id === method);

function cardOf(id: string, holder: string): CardData {
  const card = sandboxCards.find((each) => each.id === id);
  if (!card) throw new Error(`there is no sandbox card ${id}`);
  const [month = '', year = ''] = (card.expiry ?? '08/2029').split('/');
  return { number: card.number, expMonth: Number(month), expYear: Number(year), cvv: '123', holder };
}

function meansOf({ means, payer }: Order): PaymentInstrument {
  return isCard(means) ? cardOf(means, payer.name) : { method: means };
}

/** The card that the payer saved at the shop before. */
async function storedCard(merchantId: string, order: Order, at: Date): Promise<PaymentInstrument> {
  const first = demoHistory.findIndex(({ what, payer }) => what === 'keeps' && payer === order.payer);
  const { merchant } = await caller(at);
  const [savedPayment] = await paymentsOfOrder(merchant.id, `DEMO-${1001 + first}`, 1);
  const token = savedPayment?.cardToken ?? '';
  const found = await findToken(merchantId, token, at);
  if (found === null || found === 'foreign') throw new Error('no card was stored');
  return { storedCard: { cardId: found.card.id, token } };
}

async function payOut(order: Order, orderNumber: string, at: Date): Promise<string> {
  const known = await caller(at, 's2s_card');
  const [first = '', last = ''] = order.payer.name.split(' ');
  const input: PaymentInput = {
    ...inputOf(order, orderNumber),
    operation: 'credit',
    payer: {},
    payee: { first_name: first, last_name: last },
    parameters: {},
  };
  const { number } = cardOf(order.means, order.payer.name);
  const { payment } = await payDirect(known, input, { number, expMonth: 0, expYear: 0 }, {}, at);
  return payment.id;
}

async function dispute(payment: Payment, reasonCode: string, at: Date): Promise<void> {
  const taken = (await findByOrder(payment.orderNumber)).find(({ kind }) => kind === 'payment');
  if (!taken || !payment.attemptId) throw new Error(`${payment.orderNumber} was not paid`);
  const amount = { minor: taken.capturedMinor, currency: taken.currency };
  await chargeBack(taken, { amount, reasonCode }, at);
  await handleProviderNotification(payment.attemptId, at);
}

/** The shop confirms every callback except those of one order, whose attempts all fail. */
async function answerCallbacks(at: Date): Promise<void> {
  for (;;) {
    const due = await claimDue(at, 100, { receivers: [], merchants: [] });
    if (due.length === 0) return;
    for (const callback of due.filter(({ url }) => url === callbackUrl)) {
      const payment = await findPayment(callback.paymentId);
      const order = demoHistory[Number(payment?.orderNumber.slice(5)) - 1001];
      if (order?.what !== 'unheard') {
        const durationMs = 60 + ((callback.sequence * 37) % 90);
        await recordAttempt(callback, { httpStatus: 200, answer: 'OK', timedOut: false, durationMs }, at);
        continue;
      }
      let then = at;
      for (const [made, seconds] of retrySeconds.entries()) {
        then = new Date(then.getTime() + seconds * 1100);
        const failed = made % 3 === 1 ? { error: 'connection refused' } : { httpStatus: 502, answer: 'Bad Gateway' };
        await recordAttempt({ ...callback, attempts: made }, { ...failed, timedOut: false, durationMs: 1204 }, then);
      }
    }
  }
}
