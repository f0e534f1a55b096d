// The evidence of a payment as a PDF file from its page in the dashboard: what it says, who can download it, and for
// which payments.
import { randomUUID } from 'node:crypto';
import { type people, type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { cards, formTo, startPayer } from '../support/payer.ts';
import { authorise, idOf, pay, untilStatus } from '../support/payment-flows.ts';
import { readPdf } from '../support/pdf.ts';
import { expect, test } from '../support/test.ts';

async function download(florin: string, { cookie }: Visitor, id: string) {
  const url = `${florin}/dashboard/api/payments/${id}/evidence`;
  const response = await fetch(url, { headers: { ...(cookie && { cookie }) }, redirect: 'manual' });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPdf = response.headers.get('content-type') === 'application/pdf';
  const pages = isPdf ? readPdf(bytes).map(({ text }) => text) : [];
  return { status: response.status, headers: response.headers, text: pages.join('\n') };
}

test('the words that the payer agreed to, with their time, the receipt and no full card number', async ({
  shop,
  florin,
}) => {
  const email = `${randomUUID()}@example.com`;
  const { url, order } = await shop.open({
    recurring_init: true,
    recurring_consent_required: true,
    customer: { name: 'Ana Petrović', email },
    order: { description: 'Bowls, card 4000 0000 0000 1000' },
  });
  const payer = startPayer(florin);
  const receipt = await payer.pay(url, cards.settled, 'confirm', { consent: '1' });
  await payer.submit(formTo(receipt, '/remind'));
  const id = await idOf(shop, order.number);
  const viewer = await visitorAs(florin, 'viewer');
  type Event = { title: string; detail: string; at: string };
  const eventOf = async (title: RegExp): Promise<Event | undefined> => {
    const { body } = await viewer.get(`/payments/${id}`);
    return body.events.find((event: Event) => title.test(event.title));
  };
  await expect.poll(() => eventOf(/^Email with the receipt sent$/)).toBeDefined();
  const agreed = await eventOf(/agreed by a ticked box/);
  const { status, headers, text } = await download(florin, viewer, id);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="evidence-${order.number.replace(/[^A-Za-z0-9_-]+/g, '-')}.pdf"`,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  // A long text continues on the next line of the page.
  const flat = text.replace(/\s+/g, ' ');
  expect(agreed?.detail).toMatch(/you allow .*; I agree that/);
  expect(flat).toContain((agreed?.detail ?? '').replace(/\s+/g, ' '));
  expect(text).toContain(`${agreed?.at.slice(0, 19).replace('T', ' ')} UTC, Payer agreed by a ticked box, Language en`);
  for (const line of [order.number, '84.50 EUR', 'Ana Petrović', email, '411111 •••• 1111', id]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/Receipt by email\n[\d :-]+ UTC, Florin\nEmail with the receipt sent/);
  const digits = text.replace(/[^\d\n]/g, '');
  for (const number of ['4111111111111111', '4000000000001000']) expect(digits).not.toContain(number);
  expect(text).not.toMatch(/cvv|cvc|cavv/i);
});

test('the result of 3-D Secure', async ({ shop, florin }) => {
  const paid = await pay(shop, cards.challenge);
  await untilStatus(shop, paid.id, 'settled');
  const { text } = await download(florin, await visitorAs(florin, 'viewer'), paid.id);
  expect(text).toMatch(/3-D Secure\nResult \(transStatus\)\nY\n/);
  expect(text).toMatch(/\nECI\n0\d\n/);
  expect(text).toContain('3DS challenge required');
});

test('every role of the merchant and the managers download it, and no one of another merchant', async ({
  shop,
  florin,
}) => {
  const { id, order } = await pay(shop);
  const statuses = async (name: keyof typeof people) =>
    (await download(florin, await visitorAs(florin, name), id)).status;
  for (const name of ['viewer', 'operator', 'manager', 'administrator'] as const) {
    expect([name, await statuses(name)]).toEqual([name, 200]);
  }
  expect(await statuses('merchant')).toBe(404);
  expect((await download(florin, visitor(florin), id)).status).toBe(401);
  const viewer = await visitorAs(florin, 'viewer');
  for (const other of [randomUUID(), 'x']) expect((await download(florin, viewer, other)).status).toBe(404);
  const { body } = await (await visitorAs(florin, 'administrator')).get('/audit-log?what=payment.evidence');
  const logged = body.rows.filter(({ subject }: { subject: string }) => subject === `payment:${id}`);
  expect(logged).toHaveLength(4);
  expect(logged[0].what).toMatch(/^Downloaded the evidence of payment /);
  const page = (await viewer.get(`/payments/${id}`)).body;
  expect([page.hasEvidence, page.orderNumber]).toEqual([true, order.number]);
  expect(page.events.filter(({ title }: { title: string }) => title === 'Evidence downloaded')).toHaveLength(4);
});

test('a disputed payment has it, a declined one, an authorised one and a payout do not', async ({
  shop,
  cardShop,
  florin,
  provider,
}) => {
  const viewer = await visitorAs(florin, 'viewer');
  const paid = await pay(shop);
  await provider.chargeback(paid.order.number, '30.00');
  await untilStatus(shop, paid.id, 'chargeback');
  const { text } = await download(florin, viewer, paid.id);
  expect(text).toContain('Disputed\n30.00 EUR');
  expect(text).toContain('Chargeback of 30.00 EUR');
  const payout = await cardShop.payout();
  expect(payout.body.result).toBe('SUCCESS');
  const [{ id }] = await sql('select payment_id as id from transactions where id = $1', [payout.body.trans_id]);
  for (const other of [await pay(shop, cards.declined), await authorise(shop), { id }]) {
    expect((await download(florin, viewer, other.id)).status).toBe(404);
    expect((await viewer.get(`/payments/${other.id}`)).body.hasEvidence).toBe(false);
  }
});
