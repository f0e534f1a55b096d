// The payment data of a page as a message to the payer: once, to the payment's own address, else to a typed one.
import { textOf } from '../support/html.ts';
import type { Changes, Opened } from '../support/merchant.ts';
import { messagesOf } from '../support/messages.ts';
import { methodFormOf } from '../support/method-flows.ts';
import { formTo, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

const mia = { name: 'Mia Lindqvist', email: 'mia@example.com' };

type Shop = { open: (changes: Changes) => Promise<Opened>; baseUrl: string };

/** The page with the payment data of a method. */
async function start(shop: Shop, id: string, changes: Changes = {}) {
  const opened = await shop.open({ methods: [id], customer: mia, ...changes });
  const payer = startPayer(shop.baseUrl);
  return { opened, payer, screen: await payer.submit(methodFormOf(await payer.visit(opened.url), id)) };
}

test('is sent to the payer once, and to no other address', async ({ as }) => {
  const { screen, payer, opened } = await start(as('methods'), 'winnerpay');
  const sent = await payer.submit(formTo(screen, '/remind'), { email: 'other@example.com' });
  expect(textOf(sent.html)).toContain('We sent these details to');
  await payer.submit(formTo(screen, '/remind'));
  expect(await messagesOf(opened.order.number)).toMatchObject([{ recipient: mia.email, url: opened.url }]);
});

test('of a payment without an address is sent once, to the e-mail address that the payer types', async ({ as }) => {
  for (const id of ['winnerpay', 'pr-cash', 'crypto-btg']) {
    const { screen, payer, opened } = await start(as('methods'), id, { customer: undefined });
    const sentTo = async () => (await messagesOf(opened.order.number)).map(({ recipient }) => recipient);
    for (const email of ['', 'mia@mail', `${'a'.repeat(250)}@example.com`]) {
      const refused = await payer.submit(formTo(screen, '/remind'), { email });
      expect(refused.status, email).toBe(422);
      expect(refused.html).toContain('aria-invalid="true"');
      expect(await sentTo()).toEqual([]);
    }
    const sent = await payer.submit(formTo(screen, '/remind'), { email: ' ana@example.com ' });
    expect(textOf(sent.html)).toContain('We sent these details to \u2066a•••@example.com');
    // A second address gets nothing: the data of an attempt is sent once.
    const again = await payer.submit(formTo(screen, '/remind'), { email: 'eve@example.com' });
    expect(textOf(again.html)).toContain('a•••@example.com');
    expect(await sentTo()).toEqual(['ana@example.com']);
  }
  // A step without data to pay with has nothing to send.
  const qr = await start(as('methods'), 'ips', { customer: undefined, order: { currency: 'RSD', amount: '1200.00' } });
  expect(qr.screen.forms.some(({ action }) => action.endsWith('/remind'))).toBe(false);
});

test('is sent by e-mail, and by text message to a payer with a phone only', async ({ as }) => {
  const textTo = async (id: string, changes: Changes) => {
    const { screen, payer, opened } = await start(as('methods'), id, changes);
    await payer.submit(formTo(screen, '/remind'));
    const [message] = await messagesOf(opened.order.number);
    return { text: '', ...message, html: textOf(screen.html), url: opened.url };
  };
  const mail = await textTo('winnerpay', {});
  const reference = /Reference ([A-Z0-9 -]+?) Copy/.exec(mail.html)?.[1] ?? 'none';
  expect(mail).toMatchObject({ channel: 'email', recipient: mia.email });
  expect(mail.text.replaceAll(' ', '')).toContain(`Reference:${reference.replaceAll(' ', '')}\n`);
  expect(mail.text).toMatch(/^Amount: €84\.50$/m);
  const phone = { customer: undefined, billing_address: { phone: '+381641234827' } };
  for (const id of ['winnerpay', 'pr-cash', 'crypto-btg']) {
    const { channel, recipient, text, url } = await textTo(id, phone);
    expect({ channel, recipient }).toEqual({ channel: 'sms', recipient: '+381641234827' });
    expect(text.length).toBeLessThan(320);
    expect(text).toMatch(/^Pay Test Methods: €84\.50\n\w.+: .+\n/);
    expect(text.endsWith(`\n${url}`)).toBe(true);
  }
});
