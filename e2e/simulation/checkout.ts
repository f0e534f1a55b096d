// A Checkout customer of a history: the shop opens a session, the payer pays on the page, perhaps in two tabs, and the
// shop refunds, voids or asks for the status.
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

const isCardForm = (controls: { name: string }[]) => controls.some(({ name }) => name === 'card_number');

/** Opens a session, has it paid and does something with the payment. */
export async function checkout(customer: Customer): Promise<void> {
  const { draw, order, post, world, merchant } = customer;
  const { checkout: shop } = merchant;
  const isHold = draw() < 0.3;
  const amount = amountOf(draw);
  const changes = { order: { number: order, amount }, recurring_init: draw() < 0.2, ...(isHold && { auth: true }) };
  const session = shop.signed(shop.sessionBody(changes));
  const opened = await post('/api/v1/session', session, 'session');
  if (!opened?.redirect_url) return;
  const url = String(opened.redirect_url);
  await Promise.all(draw() < 0.2 ? [pay(customer, url), pay(customer, url)] : [pay(customer, url)]);
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
