// The canary run: payments over every input that takes a card number or security code, valid, declined, rejected and
// malformed. Returns what was sent and received. The results are not checked here: canaries must not be stored whatever
// happened to a request.
import { type CardMerchant, cardFields, cardMerchant, payoutCard } from '../support/card-merchant.ts';
import { collect, createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { type Merchant, merchantClient, newOrderNumber } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { cardFormOf, type Payer, startPayer } from '../support/payer.ts';
import { pairsOf } from '../support/s2s-merchant.ts';
import { type ShopServer, startShopServer } from '../support/shop-server.ts';
import { type Canaries, drawCodes, drawNumber, drawWord, drawWrongNumber, liveShapes } from './canaries.ts';

/** Responses and callbacks as text. `outcomes` counts results of requests by name. */
export type Sent = { requests: number; answers: string[]; callbacks: string[]; outcomes: Record<string, number> };

const sandboxNumbers = [
  ...['4111111111111111', '4242424242424242', '5555555555554444', '6011111111111117', '30569309025904'],
  ...['6759649826438453', '6200000000000005', '4000000000000002', '4000000000001059', '4000000000001075', payoutCard],
];
const amex = '378282246310005';

/** Draws the canaries of a run. Four-digit codes belong to American Express. */
export function drawCanaries(): Canaries {
  const live = liveShapes.map(drawNumber);
  const wrong = [drawWrongNumber('4###############'), drawWrongNumber('5###############')];
  const numbers = [...sandboxNumbers, amex, ...live, ...wrong];
  // Masked numbers stand beside the names of removed codes.
  const visible = numbers.flatMap((number) => [number.slice(0, 6), number.slice(-4)]);
  const codes = [...drawCodes(3, 3, visible), ...drawCodes(4, 3, visible)];
  const words = [drawWord(), drawWord(), drawWord()];
  return { numbers, words, codes, sent: new Map() };
}

/** The numbers that no page shows as an example. */
export function drawnNumbers({ numbers }: Canaries): string[] {
  return numbers.filter((number) => number !== amex && !sandboxNumbers.includes(number));
}

type Run = {
  canaries: Canaries;
  url: string;
  live: string[];
  wrong: string[];
  /** A security code for a number, counted as sent. */
  code(number: string): string;
  shop: Merchant;
  cardShop: CardMerchant;
  payer(): Payer;
};

/** The target: a sandbox server or one for live payments. */
export type Target = { url: string; live: boolean };

/** Sends everything `rounds` times and calls `between` after every round. */
export async function sendCanaries(
  { url, live }: Target,
  canaries: Canaries,
  rounds: number,
  between: () => Promise<void>,
): Promise<Sent> {
  const sent: Sent = { requests: 0, answers: [], callbacks: [], outcomes: {} };
  const by = live ? merchants.plainLive : merchants.plain;
  const stopListening = listen(sent, canaries);
  const shopServer = await startShopServer();
  const orders: string[] = [];
  const noting: ShopServer = {
    ...shopServer,
    addressFor(order) {
      orders.push(order);
      return shopServer.addressFor(order);
    },
  };
  const drawn = drawnNumbers(canaries);
  let turn = 0;
  const run: Run = {
    canaries,
    url,
    live: drawn.slice(0, liveShapes.length),
    wrong: drawn.slice(liveShapes.length),
    code: (number) => codeFor(canaries, number, turn++),
    shop: merchantClient(url, by, noting),
    cardShop: cardMerchant(url, by, noting),
    payer: () => startPayer(url),
  };
  const ways = { pages, fields, transfers, charges, follows, payouts, misplaced, refusals };
  try {
    for (let round = 0; round < rounds; round += 1) {
      turn = round;
      for (const [name, send] of Object.entries(ways)) {
        const ends = await Promise.allSettled(send(run));
        for (const { status } of ends) {
          const end = `${name} ${status === 'fulfilled' ? 'answered' : 'failed'}`;
          sent.outcomes[end] = (sent.outcomes[end] ?? 0) + 1;
        }
      }
      // Notifications, polls and callbacks follow asynchronously.
      await new Promise((wake) => setTimeout(wake, 1500));
      await between();
    }
    sent.callbacks = orders.flatMap((order) => shopServer.arrived(order).map(({ body }) => body));
  } finally {
    await shopServer.close();
    stopListening();
  }
  return sent;
}

// Records every response. A page may repeat its own address in links: responses to addresses with canaries do not
// count.
function listen(sent: Sent, canaries: Canaries): () => void {
  const secrets = [...drawnNumbers(canaries), ...canaries.words];
  const { fetch } = globalThis;
  globalThis.fetch = async (...args) => {
    sent.requests += 1;
    const response = await fetch(...args);
    if (secrets.some((secret) => response.url.includes(secret))) return response;
    const text = await response.clone().text();
    sent.answers.push(JSON.stringify([...response.headers]), text);
    return response;
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

// The codes take turns, and each round begins with the next one: after three rounds every input was sent each code.
function codeFor({ codes, sent }: Canaries, number: string, turn: number): string {
  const wanted = codes.filter(({ length }) => length === (/^3[47]/.test(number) ? 4 : 3));
  const code = wanted[turn % wanted.length] ?? '';
  sent.set(code, (sent.get(code) ?? 0) + 1);
  return code;
}

// Numbers as payers type and paste them.
const formats: ((number: string) => string)[] = [
  (number) => number,
  (number) => (number.match(/\d{1,4}/g) ?? []).join(' '),
  (number) => (number.match(/\d{1,4}/g) ?? []).join('-'),
  (number) => (number.match(/\d{1,4}/g) ?? []).join('\u00a0'),
  (number) => `  ${[...number].join(' ')} `,
  (number) => number.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
  (number) => number.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];

function pages(run: Run): Promise<unknown>[] {
  const { shop, payer, code, live, wrong, canaries } = run;
  const typed = async (number: string, more: { expiry?: string; cvv?: string; holder?: string } = {}) => {
    const { url } = await shop.open({ req_token: true });
    return payer().pay(url, { number, expiry: '12/38', cvv: code(number.replace(/\D/g, '')), ...more });
  };
  const inAddress = async (number: string) => {
    const { url } = await shop.open();
    return payer().visit(`${url}?card_number=${number}&card_cvv=${code(number)}`);
  };
  const inFields = async () => {
    const { url } = await shop.open();
    const someone = payer();
    const form = cardFormOf(await someone.visit(url));
    const number = live[0] ?? '';
    // The number in the code and date fields, and fields that the form does not have.
    return (
      form && someone.submit(form, { card_number: '', card_expiry: number, card_cvv: number, number, pan: number })
    );
  };
  return [
    ...sandboxNumbers.map((number, at) => typed(formats[at % formats.length]?.(number) ?? number)),
    ...live.map((number, at) => typed(formats[at % formats.length]?.(number) ?? number)),
    ...['01/38', '02/38', '05/38', '06/38', '12/39'].map((expiry) => typed(cardFields.settled.card_number, { expiry })),
    ...wrong.map((number) => typed(number)),
    ...canaries.words.map((word) => typed(live[1] ?? '', { cvv: word })),
    ...Array.from({ length: 6 }, () => typed(amex)),
    typed(live[2] ?? '', { expiry: '13/19' }),
    typed(live[3] ?? '', { holder: 'x' }),
    inAddress(live[0] ?? ''),
    inFields(),
  ];
}

// Hosted fields: contents that are paid, declined, abandoned, malformed, or passed in unknown fields of the pay call.
function fields({ shop, code, live, wrong, canaries }: Run): Promise<unknown>[] {
  const payHosted = async (number: string, more: object = {}, paid = true, spell = formats[0]) => {
    const { token } = await createSessionToken(shop);
    await collect(shop, token, {
      card_number: spell?.(number),
      card_expiry: '12 / 38',
      card_cvv: code(number),
      ...more,
    });
    return paid && processCard(shop, token);
  };
  return [
    ...[...sandboxNumbers, amex, ...live].map((number, at) =>
      payHosted(number, {}, true, formats[at % formats.length]),
    ),
    ...live.map((number) => payHosted(number, {}, false)),
    ...wrong.map((number) => payHosted(number)),
    ...canaries.words.map((word) => payHosted(live[0] ?? '', { card_cvv: word })),
    (async () => {
      const { token } = await createSessionToken(shop);
      const number = live[1] ?? '';
      await collect(shop, number, { card_number: number, card_cvv: code(number) });
      await collect(shop, token, `{"card_number":"${number}","card_cvv":"${canaries.words[0]}"`);
      return processCard(shop, token, { card_number: number, name: number, card_cvv: canaries.words[1] });
    })(),
  ];
}

function transfers({ shop, payer, code, live }: Run): Promise<unknown>[] {
  return [payoutCard, ...live].map(async (payee) => {
    const { url } = await shop.open({ operation: 'transfer' });
    const number = cardFields.settled.card_number;
    return payer().pay(url, { number, expiry: '01/38', cvv: code(number) }, 'confirm', { payee_card_number: payee });
  });
}

const dated = (number: string, code: string) => ({
  card_number: number,
  card_exp_month: '12',
  card_exp_year: '2038',
  card_cvv2: code,
});

function charges({ cardShop, code, live, wrong, canaries }: Run): Promise<unknown>[] {
  const all = [...sandboxNumbers, amex, ...live, ...wrong];
  return [
    ...all.map((number) => cardShop.charge('SALE', { ...dated(number, code(number)), req_token: 'Y' })),
    ...all.slice(0, 4).map((number) => cardShop.charge('DEBIT', dated(number, code(number)))),
    ...Array.from({ length: 24 }, () => cardShop.charge('SALE', dated(amex, code(amex)))),
    ...live.map((number) => cardShop.charge('CARD2CARD', { payee_card_number: number, card_cvv2: code('4') })),
    ...live.map((number) => cardShop.charge('CARD2CARD', { ...dated(number, code(number)) })),
    ...canaries.words.map((word) => cardShop.charge('SALE', dated(live[0] ?? '', word))),
    ...formats.map((spell) => cardShop.charge('SALE', dated(spell(live[1] ?? ''), code('4')))),
    cardShop.charge('SALE', { ...cardFields.challenge, card_cvv2: code('4') }),
    cardShop.charge('SALE', { ...cardFields.redirect, card_cvv2: code('4') }),
  ];
}

// After a first payment: a token with a code, a chain, another attempt, a declined modification.
function follows({ cardShop, code }: Run): Promise<unknown>[] {
  const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
  return [
    (async () => {
      const first = await cardShop.sell({ req_token: 'Y', recurring_init: 'Y', card_cvv2: code('4') });
      const token = first.answer.body.card_token;
      await cardShop.charge('SALE', { ...without, card_token: token, card_cvv2: code('4') });
      await cardShop.again(first);
      await cardShop.follow('CREDITVOID', first, { amount: '10.00' });
    })(),
    (async () => {
      const declined = await cardShop.sell({ ...cardFields.declined, card_cvv2: code('4') });
      await cardShop.follow('RETRY', declined);
    })(),
    (async () => {
      const refused = await cardShop.sell({ ...cardFields.refundDeclined, card_cvv2: code('4') });
      await cardShop.follow('CREDITVOID', refused, { amount: '10.00' });
    })(),
  ];
}

function payouts({ shop, cardShop, payer, live, wrong }: Run): Promise<unknown>[] {
  const account = (number: string) => ({ payer_account_number: number, payer_nationality: 'RS' });
  const page = async (number: string, payee: string) => {
    const { url } = await shop.open({ operation: 'credit', parameters: { card: account(number) } });
    return payer().pay(url, { number: payee, expiry: '08/38' });
  };
  return [
    page(payoutCard, payoutCard),
    page(live[0] ?? '', payoutCard),
    page(formats[1]?.(live[1] ?? '') ?? '', live[2] ?? ''),
    shop.session({ operation: 'credit', parameters: { card: account(wrong[0] ?? '') } }),
    ...[payoutCard, ...live].map((number) => cardShop.payout({ card_number: number })),
    ...[payoutCard, ...live, ...wrong].map((number) => cardShop.payout({ parameters: account(number) })),
  ];
}

// Where no card data belongs: parameters of any name, custom data, texts and postal codes, also charged again.
function misplaced({ shop, cardShop, code, live }: Run): Promise<unknown>[] {
  return live.map(async (number) => {
    const track = `;${number}=38011010000012300000?`;
    const named = {
      card_number: number,
      pan: number,
      card_cvv2: code(number),
      note: `cvv: ${code(number)}`,
      track2: track,
    };
    const members = { ...named, deep: { cvv: code(number), text: track } };
    const texts = { description: `cvv ${code(number)} ${track}`, zip: number };
    const first = await cardShop.sell({
      recurring_init: 'Y',
      parameters: members,
      custom_data: members,
      order_description: texts.description,
      payer_zip: texts.zip,
    });
    await cardShop.again(first, { custom_data: members });
    const parameters = { card: members, papara: members };
    await shop.session({ methods: ['card', 'papara'], parameters, custom_data: members, billing_address: texts });
  });
}

function refusals(run: Run): Promise<unknown>[] {
  const { shop, cardShop, code, live, canaries } = run;
  const [number = '', other = ''] = live;
  const card = () => dated(number, code(number));
  const body = (changes = {}) => cardShop.signed(cardShop.chargeBody('SALE', { ...card(), ...changes }));
  const form = (fields: object) => new URLSearchParams(pairsOf(fields as Record<string, unknown>)).toString();
  const typed = (type: string) => ({ 'content-type': type });
  const encoded = typed('application/x-www-form-urlencoded');
  const path = '/s2s/card/post';
  const order = newOrderNumber();
  return [
    cardShop.post({ ...body(), hash: '0'.repeat(32) }),
    cardShop.post({ ...body(), client_key: '7e57ffff-0000-4000-9000-000000000000' }),
    cardShop.post({ ...body(), action: 'NOTHING' }),
    cardShop.post({ ...body(), action: number }),
    cardShop.post(body({ order_amount: 'x', card_cvv2: canaries.words[0] })),
    cardShop.post(body({ card_exp_month: number, payer_ip: other })),
    cardShop.send(`${form(body())}&card_number=${other}`, path, encoded),
    cardShop.send(`card_number[a]=${number}&card_number[a][b]=${other}&card_cvv2=${code(number)}`, path, encoded),
    cardShop.send(`${'x=%ZZ&'}card_number=${number}&card_cvv2=${canaries.words[1]}`, path, encoded),
    cardShop.send(JSON.stringify(body()), path, typed('application/json')),
    cardShop.send(`<card>${number}<cvv>${canaries.words[2]}</cvv></card>`, path, typed('text/xml')),
    cardShop.send(`card_number=${number}&pad=${'x'.repeat(2_000_000)}`, path, encoded),
    cardShop.send('', `${path}?${form({ card_number: number, card_cvv2: code(number) })}`, encoded),
    cardShop.send(form(body()), `/s2s/card/${number}`, encoded),
    cardShop.send(form(body()), path, {
      ...encoded,
      'x-forwarded-for': number,
      'user-agent': other,
      cookie: `c=${number}`,
    }),
    shop.post('/api/v1/session', `{"card_number":"${number}","card_cvv":"${canaries.words[0]}"`),
    shop.post('/api/v1/session', {
      ...shop.signed(shop.sessionBody({ order: { number: order } })),
      card_number: number,
    }),
    shop.post('/api/v1/payment/status', { merchant_key: number, payment_id: other, hash: number }),
    shop.session({ operation: number, methods: [other], order: { currency: 'XXX' } }),
    fetch(`${run.url}/pay/${number}`),
    fetch(`${run.url}/${number}/${canaries.words[1]}?card_number=${other}`),
  ];
}
