// A Checkout customer of a history: the shop opens a session, the payer pays on the page, perhaps in two tabs, or by the
// hosted fields of the shop's page, and the shop refunds, voids or asks for the status.
import { newCard } from '../chaos/checkout-clients.ts';
import { oneOf } from '../chaos/seeded-random.ts';
import { formsOf } from '../support/html.ts';
import { signCheckout } from '../support/signatures.ts';
import { amountOf, type Customer, part } from './customer.ts';
import type { Merchant } from './merchants.ts';
import { cvv, serviceOrigin } from './settings.ts';

const browser = {
  accept: 'text/html',
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) SimulatedPayer/1.0',
};

/** The payer opens the page and presses the button, at times twice. */
async function pay({ world, draw }: Customer, url: string): Promise<void> {
  for (let tries = 0; tries < 4; tries += 1) {
    const page = await world.send('payer', { method: 'GET', url, headers: browser, body: '' });
    const form =
      page?.status === 200 ? formsOf(page.body, url).find(({ controls }) => isCardForm(controls)) : undefined;
    if (!form) return;
    const values = { card_number: newCard(draw), card_expiry: '01/38', card_cvv: cvv, card_holder: 'Ana Petrovic' };
    const hidden = form.controls.filter(({ name }) => !(name in values)).map(({ name, value }) => [name, value]);
    const body = new URLSearchParams([...hidden, ...Object.entries(values)] as [string, string][]).toString();
    const headers = { ...browser, 'content-type': 'application/x-www-form-urlencoded', origin: serviceOrigin };
    const press = () => world.send('payer', { method: 'POST', url: form.action, headers, body });
    const [answer] = await Promise.all(draw() < 0.3 ? [press(), press()] : [press()]);
    world.note('payer', `has pressed the button: ${answer?.status ?? 'no answer'}`);
    if (answer && answer.status < 400) return;
    await world.sleep(1_000 + draw() * 20_000);
  }
}

/** The fields submit the card, and the shop's page pays with it, at times twice, until there is a result. */
async function payByFields({ world, draw }: Customer, token: string): Promise<void> {
  const card = { card_number: newCard(draw), card_expiry: '01 / 38', card_cvv: cvv };
  const send = (path: string, body: object) => {
    const headers = { ...browser, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', token };
    return world.send('payer', { method: 'POST', url: serviceOrigin + path, headers, body: JSON.stringify(body) });
  };
  for (let tries = 0; tries < 30; tries += 1) {
    const collected = await send('/fields/collect', card);
    const pay = () => send('/api/v1/processing/purchase/card', { name: 'Ana Petrovic', with_hosted_fields: true });
    const [answer] = collected?.status === 200 ? await Promise.all(draw() < 0.3 ? [pay(), pay()] : [pay()]) : [];
    world.note('payer', `has paid by the fields: ${answer?.body ?? 'no answer'}`);
    // Another process may have the card: the fields submit it again.
    if (answer && answer.status < 400) return;
    await world.sleep(200 + draw() * (answer ? 1_000 : 20_000));
  }
}

const isCardForm = (controls: { name: string }[]) => controls.some(({ name }) => name === 'card_number');

/** Opens a session, has it paid and does something with the payment. */
export async function checkout(customer: Customer): Promise<void> {
  const { draw, order, post, world, merchant } = customer;
  const { checkout: shop } = merchant;
  const isHold = draw() < 0.3;
  const amount = amountOf(draw);
  const changes = { order: { number: order, amount }, recurring_init: draw() < 0.2, ...(isHold && { auth: true }) };
  const hasFields = world.chance.joins('fields');
  const session = shop.signed(
    shop.sessionBody({ ...changes, ...(hasFields && { return_url: `${merchant.shopOrigin}/back` }) }),
  );
  const opened = await post(hasFields ? '/api/v1/session/token' : '/api/v1/session', session, 'session');
  const place = hasFields ? opened?.token : opened?.redirect_url;
  if (!place) return;
  const payIt = () => (hasFields ? payByFields(customer, String(place)) : pay(customer, String(place)));
  await Promise.all(draw() < 0.2 ? [payIt(), payIt()] : [payIt()]);
  await world.sleep(draw() * 60_000);
  const question = () => signedBody(customer.merchant, { order_id: order }, ['order_id']);
  const about = { order: merchant.orderOf(order) };
  world.questions.push({ ...about, ask: async () => (await world.query(merchant, 'checkout', question()))?.status });
  const found = await ask('status', { order_id: order }, ['order_id']);
  const paymentId = found?.payment_id;
  if (!paymentId) return;
  world.belongings.push({
    owner: merchant,
    requests: (as) => [['checkout', signedBody(as, { payment_id: paymentId }, ['payment_id'])]],
  });
  const action = oneOf(draw, ['refund', 'refund', 'capture', 'void', 'status']);
  const fields = { payment_id: paymentId, ...(action === 'refund' && draw() < 0.7 && { amount: part(draw) }) };
  const names = action === 'refund' || action === 'capture' ? ['payment_id', 'amount'] : ['payment_id'];
  await ask(action, fields, names);
  if (action === 'refund' && draw() < 0.5) await ask(action, fields, names);

  function ask(path: string, fields: Record<string, string | undefined>, signed: string[]) {
    return post(`/api/v1/payment/${path}`, signedBody(customer.merchant, fields, signed), path);
  }
}

function signedBody({ credentials }: Merchant, fields: Record<string, string | undefined>, signed: string[]) {
  const values = signed.map((name) => fields[name]);
  return { merchant_key: credentials.key, ...fields, hash: signCheckout(values, credentials) };
}
