// The preconditions of the documentation's examples: a payment of the demo merchant in the required state, and the
// placeholders that its values replace.
import { apmMerchant } from './apm-merchant.ts';
import { type CardMerchant, cardFields, cardMerchant } from './card-merchant.ts';
import { collect, createSessionToken } from './hosted-fields-requests.ts';
import { type Merchant, merchantClient, newOrderNumber } from './merchant.ts';
import { demo, merchants } from './merchants.ts';
import { type Card, cards } from './payer.ts';
import { callbacksOf, pay } from './payment-flows.ts';
import { expectS2sCallbacks } from './s2s-flows.ts';
import type { Sold } from './s2s-merchant.ts';
import type { ShopServer } from './shop-server.ts';
import { appleToken } from './wallets.ts';

/** Placeholders of an example and their values, and the password that belongs to the payment. */
export type Need = { words: Record<string, string>; password?: string };

/** Creates preconditions; the examples refer to them by name. */
export function needsOf(florin: string, shopServer: ShopServer, language: string): Record<string, () => Promise<Need>> {
  const checkout = merchantClient(florin, demo, shopServer);
  const card = cardMerchant(florin, demo, shopServer);
  // The address of the reader's own receiver, which must respond.
  const receiver = async () => ({ words: { 'http://localhost:8080/': shopServer.addressFor(newOrderNumber()) } });
  return { receiver, ...checkoutNeeds(checkout), ...cardNeeds(card, language), ...apmNeeds(florin, shopServer) };
}

const payee: Card = { number: '4601 5418 3377 6519', expiry: '01/38' };

function checkoutNeeds(shop: Merchant): Record<string, () => Promise<Need>> {
  const paid = async (cardUsed?: Card, changes?: Record<string, unknown>): Promise<Need> => {
    const { id, order } = await pay(shop, cardUsed, changes);
    return { words: { PAYMENT_ID: id, ORDER_ID: order.number } };
  };
  const callbackFields = async (changes: Record<string, unknown>, used = cards.settled) => {
    const { order } = await pay(shop, used, changes);
    const [message] = await callbacksOf(shop, order, 1);
    return message?.fields ?? {};
  };
  return {
    'checkout-paid': () => paid(),
    'checkout-held': () => paid(cards.settled, { auth: true }),
    'checkout-declined': () => paid(cards.declined),
    'checkout-session': async () => ({ words: { SESSION_TOKEN: (await shop.open()).token } }),
    'checkout-fields': async () => {
      const { token } = await createSessionToken(shop);
      await collect(shop, token);
      return { words: { SESSION_TOKEN: token } };
    },
    'checkout-chain': async () => {
      const fields = await callbackFields({ recurring_init: true });
      return {
        words: { FIRST_TRANS_ID: fields.recurring_init_trans_id ?? '', RECURRING_TOKEN: fields.recurring_token ?? '' },
      };
    },
    'payee-token': async () => {
      const fields = await callbackFields({ operation: 'credit', req_token: true }, payee);
      return { words: { CARD_TOKEN: fields.card_token ?? '' } };
    },
  };
}

/** The payer in the examples. */
const doe = { payer_email: 'doe@example.com' };

/** A card per language: saving a card again replaces a removed token, so parallel tests must not share one. */
const spareCards: Record<string, string> = {
  sh: '5555555555554444',
  js: '2223003122003222',
  php: '6011111111111117',
  python: '3530111333300000',
};

function cardNeeds(shop: CardMerchant, language: string): Record<string, () => Promise<Need>> {
  const paid = async (changes: Record<string, unknown> = {}): Promise<Need> => placeholdersOf(await sell(changes));
  const sell = (changes: Record<string, unknown>, action?: string) => shop.sell({ ...doe, ...changes }, action);
  const placeholdersOf = ({ transId, orderId }: Sold): Need => ({ words: { TRANS_ID: transId, ORDER_ID: orderId } });
  const chain = async (action?: string, changes: Record<string, unknown> = {}): Promise<Need> => {
    const sold = await sell({ recurring_init: 'Y', ...changes }, action);
    return { words: { FIRST_TRANS_ID: sold.transId, RECURRING_TOKEN: sold.answer.body.recurring_token } };
  };
  const schedule = async (): Promise<string> => {
    const fields = { name: 'Box', interval_length: '1', interval_unit: 'month', payments_count: '3' };
    return (await shop.schedule('CREATE_SCHEDULE', fields)).body.schedule_id;
  };
  return {
    'card-paid': () => paid(),
    'card-held': () => paid({ auth: 'Y' }),
    'card-declined': () => paid(cardFields.declined),
    'card-token': async () => {
      const sold = await sell({ req_token: 'Y' });
      return { words: { CARD_TOKEN: sold.answer.body.card_token } };
    },
    // A token of its own, because the example deletes it.
    'spare-token': async () => {
      const sold = await sell({ req_token: 'Y', card_number: spareCards[language] });
      return { words: { CARD_TOKEN: sold.answer.body.card_token } };
    },
    'card-chain': () => chain(),
    'card-debit-chain': () => chain('DEBIT'),
    schedule: async () => ({ words: { SCHEDULE_ID: await schedule() } }),
    subscription: async () => {
      const id = await schedule();
      const { words } = await chain('SALE', { schedule_id: id });
      return { words: { ...words, SCHEDULE_ID: id } };
    },
    // The demo merchant has no wallets of its own: its settings are the defaults.
    'wallet-token': async () => ({
      words: { WALLET_TOKEN: appleToken(), [demo.key]: merchants.wallets.key },
      password: merchants.wallets.password,
    }),
  };
}

function apmNeeds(florin: string, shopServer: ShopServer): Record<string, () => Promise<Need>> {
  const shop = apmMerchant(florin, demo, shopServer);
  const sold = async (changes: Record<string, unknown> = {}, action?: string): Promise<Need> => ({
    words: { TRANS_ID: (await shop.sell(changes, action)).transId },
  });
  return {
    'apm-paid': () => sold(),
    'apm-held': () => sold({ auth: 'Y' }),
    'apm-quote': () => sold({}, 'DEBIT2VIRTUAL_CALC'),
  };
}

export type Told = { headers: Record<string, string>; body: string };

/** Callbacks of a protocol as delivered to the demo merchant's shop, one for each signature form. */
export async function callbacksFor(protocol: string, florin: string, shopServer: ShopServer): Promise<Told[]> {
  const of = (order: string) => shopServer.arrived(order).map(({ headers, body }) => ({ headers, body }));
  // Non-ASCII letters, because signatures are computed over bytes.
  const custom_data = { basket: 'Čaše & žute šolje', tags: ['a', 'b'], list: { 10: 'ten', 9: 'nine' } };
  if (protocol === 'checkout') {
    const shop = merchantClient(florin, demo, shopServer);
    const { id, order } = await pay(shop, cards.settled, { custom_data, recurring_init: true });
    // Two equal amounts, which only their ids distinguish.
    await shop.refund(id, '4.50');
    await callbacksOf(shop, order, 2);
    await shop.refund(id, '4.50');
    await callbacksOf(shop, order, 3);
    return of(order.number);
  }
  if (protocol === 's2s-card') {
    const shop = cardMerchant(florin, demo, shopServer);
    const sold = await shop.sell({ ...doe, custom_data });
    await shop.follow('CREDITVOID', sold);
    await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS REFUND']);
    const payout = newOrderNumber();
    await shop.payout({ order_id: payout });
    await shopServer.waitFor(payout, (all) => all.length > 0);
    return [...of(sold.orderId), ...of(payout)];
  }
  const shop = apmMerchant(florin, demo, shopServer);
  const sold = await shop.sell({ custom_data });
  const payout = await shop.payOut();
  const coins = await shop.sell({ ...doe, brand: 'crypto-btg', identifier: undefined });
  const orders = [sold, payout, coins].map(({ orderId }) => orderId);
  for (const order of orders) await shopServer.waitFor(order, (all) => all.length > 0);
  return orders.flatMap(of);
}
