// Random histories of payments over both protocols, compared with a small model: every answer, state, callback and
// provider balance must match the model. A failure prints its seed and the shortest failing history; FLORIN_SEED
// repeats that seed.
import fc from 'fast-check';
import { type CardMerchant, cardFields } from '../support/card-merchant.ts';
import type { Answer, Merchant, Opened } from '../support/merchant.ts';
import { type Card, cards, type Payer, startPayer } from '../support/payer.ts';
import {
  type CardKind,
  capture,
  cardState,
  chargeBack,
  inCardWords,
  type Model,
  pay,
  refund,
  retry,
  type Verdict,
  voidWhole,
} from '../support/payment-model.ts';
import type { Provider } from '../support/provider.ts';
import { describeS2sCallback, s2sStatusOf } from '../support/s2s-flows.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { describeDelivery, messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

/** One payment as its shop can act on it, for either protocol. */
type Real = {
  order: string;
  pay: ((card: CardKind, challenge: 'none' | 'confirm' | 'refuse') => Promise<void>) | null;
  capture: (amount?: string) => Promise<Answer>;
  refund: (amount?: string) => Promise<Answer>;
  void: () => Promise<Answer>;
  retry: () => Promise<Answer>;
  state: () => Promise<string>;
  told: () => string[];
  /** The model's actions in the words of the protocol. */
  inWords: { told: (told: string) => string; state: (state: string) => string };
  wait: (count: number) => Promise<unknown>;
  provider: Provider;
};

const total = 8450;
const amounts = [1, 4225, total, total + 1];
const text = (cents: number | null) => (cents === null ? undefined : (cents / 100).toFixed(2));

const typed: Record<CardKind, Card> = {
  settled: cards.settled,
  declined: cards.declined,
  captureDeclined: cards.captureDeclined,
  refundDeclined: { number: '4000 0000 0000 5126', expiry: '01/38' },
  voidDeclined: { number: '4000 0000 0000 1091', expiry: '01/38' },
};
const kinds = Object.keys(typed) as CardKind[];

function resultOf({ status, body }: Answer): Verdict {
  if (status !== 200) return String(body.error_code);
  const word = body.trans_status ?? body.result;
  return (
    { SUCCESS: 'ok', FAIL: 'failed', DECLINED: 'failed', accepted: 'taken', ACCEPTED: 'taken' }[String(word)] ?? word
  );
}

type Command = fc.AsyncCommand<Model, Real>;

function command(
  name: string,
  isPossible: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check: isPossible,
    toString: () => name,
    async run(model, real) {
      await run(model, real);
      await real.wait(model.told.length);
      expect(real.told(), name).toEqual(model.told.map(real.inWords.told));
      expect(await real.state(), name).toBe(real.inWords.state(model.state));
    },
  };
}

const always = () => true;
// A RETRY has no payer who could pass a challenge.
const canRetry = ({ state, challenged }: Model) => !(state === 'decline' && challenged);
const hasForm = ({ protocol, state }: Model) => protocol === 'checkout' && (state === 'prepare' || state === 'decline');
// Excludes partly refunded payments, whose chargeback has a smaller amount.
const canBeChargedBack = ({ state, auth, refunded }: Model) => state === 'settled' && !auth && refunded === 0;

type Ask = (real: Real) => Promise<Answer>;

function requests(
  name: string,
  send: Ask,
  answer: (model: Model) => Verdict,
  isPossible: (model: Model) => boolean = always,
): Command {
  return command(name, isPossible, async (model, real) => {
    const result = resultOf(await send(real));
    expect(result, `${name} of a payment in ${model.state}`).toBe(answer(model));
  });
}

const amount = fc.constantFrom(null, ...amounts);

const commands = [
  fc
    .tuple(fc.constantFrom(...kinds), fc.constantFrom('none', 'none', 'confirm', 'refuse' as const))
    .map(([card, how]) => {
      // Only one card is challenged.
      const challenge = card === 'settled' ? how : 'none';
      return command(`pay ${card} ${challenge}`, hasForm, async (model, real) => {
        await real.pay?.(card, challenge);
        pay(model, card, challenge);
      });
    }),
  amount.map((cents) =>
    requests(
      `capture ${cents}`,
      (real) => real.capture(text(cents)),
      (model) => capture(model, cents),
    ),
  ),
  amount.map((cents) =>
    requests(
      `refund ${cents}`,
      (real) => real.refund(text(cents)),
      (model) => refund(model, cents),
    ),
  ),
  fc.constant(requests('void', (real) => real.void(), voidWhole)),
  fc.constant(requests('retry', (real) => real.retry(), retry, canRetry)),
  fc.constant(
    command('chargeback', canBeChargedBack, async (model, real) => {
      await real.provider.chargeback(real.order);
      chargeBack(model);
    }),
  ),
];

type Beginning = {
  protocol: Model['protocol'];
  operation: Model['operation'];
  auth: boolean;
  card: CardKind;
  paid: boolean;
};

const initialConditions: fc.Arbitrary<Beginning> = fc
  .record({
    protocol: fc.constantFrom('checkout', 's2s'),
    operation: fc.constantFrom('purchase', 'purchase', 'debit'),
    auth: fc.boolean(),
    card: fc.constantFrom(...kinds),
    // Few histories are about a page without an attempt.
    paid: fc.constantFrom(true, true, true, true, false),
  })
  .map((input) => ({ ...input, auth: input.auth && input.operation === 'purchase' }) as Beginning);

function newModel({ protocol, operation, auth, card }: Beginning): Model {
  return {
    protocol,
    operation,
    auth,
    card,
    challenged: false,
    total,
    state: 'prepare',
    settled: 0,
    refunded: 0,
    told: [],
  };
}

type Sandbox = { shop: Merchant; cardShop: CardMerchant; provider: Provider };

async function begin(sandbox: Sandbox, initial: Beginning): Promise<{ model: Model; real: Real }> {
  const model = newModel(initial);
  const { protocol, operation, auth } = initial;
  if (protocol === 'checkout') {
    const real = realCheckout(sandbox, await sandbox.shop.open({ operation, auth: auth || undefined }));
    if (!initial.paid) return { model, real };
    await real.pay?.(initial.card, 'none');
    pay(model, initial.card, 'none');
    return { model, real };
  }
  const fields = { ...cardOf(initial.card), auth: auth ? 'Y' : undefined };
  const sold = await sandbox.cardShop.sell(fields, operation === 'debit' ? 'DEBIT' : 'SALE');
  pay(model, initial.card, 'none');
  return { model, real: realCard(sandbox, sold) };
}

function cardOf(kind: CardKind) {
  const [month = '', year = ''] = typed[kind].expiry.split('/');
  const card_number = typed[kind].number.replaceAll(' ', '');
  return { ...cardFields.settled, card_number, card_exp_month: month, card_exp_year: `20${year}` };
}

function realCheckout({ shop, provider }: Sandbox, { url, order }: Opened): Real {
  const payer: Payer = startPayer(shop.baseUrl);
  let id = '';
  const paymentId = async () => {
    id ||= (await shop.statusByOrder(order.number)).body.payment_id;
    return id;
  };
  const reported = () => messagesOf(shop.shopServer.arrived(order.number)).map(describeDelivery);
  return {
    order: order.number,
    provider,
    pay: async (card, challenge) => {
      const used = challenge === 'none' ? typed[card] : cards.challenge;
      await payer.pay(url, used, challenge === 'refuse' ? 'refuse' : 'confirm');
    },
    capture: async (cents) => shop.capture(await paymentId(), cents),
    refund: async (cents) => shop.refund(await paymentId(), cents),
    void: async () => shop.void(await paymentId()),
    retry: async () => shop.retry(await paymentId()),
    state: async () => (await shop.status(await paymentId())).body.status,
    told: reported,
    inWords: { told: (each) => each, state: (each) => each },
    wait: (count) => shop.shopServer.waitFor(order.number, () => reported().length >= count),
  };
}

function realCard({ cardShop, provider }: Sandbox, sold: Sold): Real {
  const follow = (action: string, cents?: string) => cardShop.follow(action, sold, { amount: cents });
  return {
    order: sold.orderId,
    provider,
    pay: null,
    capture: (cents) => follow('CAPTURE', cents),
    refund: (cents) => follow('CREDITVOID', cents),
    void: () => follow('VOID'),
    retry: () => follow('RETRY'),
    state: async () => (await s2sStatusOf(cardShop, sold)).status,
    told: () => messagesOf(cardShop.shopServer.arrived(sold.orderId)).map(describeS2sCallback),
    inWords: { told: inCardWords, state: cardState },
    wait: (count) => cardShop.shopServer.waitFor(sold.orderId, (all) => messagesOf(all).length >= count),
  };
}

/** The balance of the provider in cents. */
async function balanceOf({ provider, order }: Real): Promise<number> {
  const entries = await provider.journal(order);
  const paid = entries.filter(({ kind }) => kind === 'payment');
  const cents = (value: string) => Math.round(Number(value) * 100);
  return paid.reduce((sum, entry) => sum + (entry.voided ? 0 : cents(entry.captured) - cents(entry.refunded)), 0);
}

const expectedBalance = ({ state, settled, refunded }: Model) =>
  ['settled', 'refund', 'chargeback'].includes(state) ? settled - refunded : 0;

/** The number of histories that run in parallel, and the number of rounds. */
const parallel = 25;
const rounds = 8;

test('random histories match the model', async ({ shop, cardShop, provider }) => {
  const sandbox = { shop, cardShop, provider };
  const history = fc.tuple(initialConditions, fc.commands(commands, { maxCommands: 10, size: 'max' }));
  const histories = fc.tuple(...Array.from({ length: parallel }, () => history));
  const seed = Number(process.env.FLORIN_SEED ?? Date.now() % 2 ** 31);
  const numRuns = rounds;
  console.log(`${numRuns * parallel} random histories with the seed ${seed} (FLORIN_SEED)`);
  const property = fc.asyncProperty(histories, async (all) => {
    const ends = await Promise.allSettled(
      all.map(async ([initial, steps]) => {
        const { model, real } = await begin(sandbox, initial);
        await fc.asyncModelRun(() => ({ model, real }), steps);
        await real.wait(model.told.length);
        expect(real.told()).toEqual(model.told.map(real.inWords.told));
        expect(await balanceOf(real), `the provider's balance of ${JSON.stringify(model)}`).toBe(
          expectedBalance(model),
        );
      }),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  });
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 70_000, markInterruptAsFailure: true });
});
