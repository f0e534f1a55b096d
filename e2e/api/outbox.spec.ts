// Links that are sent to payers (ptn-email, ptn-sms): the sandbox's outbox page lists one message for each attempt, in
// the payer's language, with a masked address and a working link.

import { linksOf, textOf } from '../support/html.ts';
import { finish } from '../support/method-flows.ts';
import { startPayer } from '../support/payer.ts';
import { untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const payer = { identifier: 'ana@example.com', payer_email: 'ana@example.com', payer_phone: '+4915112345678' };

type Item = { text: string; link?: string };

/** The messages of the page for this attempt. */
async function itemsOf(florin: string, transId: string): Promise<Item[]> {
  const url = `${florin}/sandbox/outbox`;
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const items = (await response.text()).match(/<li [\s\S]*?<\/li>/g) ?? [];
  const own = items.filter((item) => item.includes(`/sandbox/finish/${transId}`));
  return own.map((item) => ({ text: textOf(item), link: linksOf(item, url)[0]?.href }));
}

/** The one message of an attempt, once the text shows its outcome. */
async function sentItem(florin: string, transId: string, expected: RegExp): Promise<Item> {
  await expect.poll(async () => (await itemsOf(florin, transId)).map(({ text }) => text).join()).toMatch(expected);
  const items = await itemsOf(florin, transId);
  expect(items).toHaveLength(1);
  return items[0] as Item;
}

test('an e-mail is listed with its subject, in the payer’s language, and its link pays', async ({
  apmShop,
  florin,
}) => {
  const sold = await apmShop.sell({ ...payer, brand: 'ptn-email', payer_language: 'de' });
  const { text, link = '' } = await sentItem(florin, sold.transId, /Kept here/);
  expect(text).toMatch(/^E-mail to a•••@example\.com/);
  expect(text).toMatch(/bezahlen: 84,50\s€/);
  expect(text).toContain('öffnen Sie diesen Link:');
  expect(text).toContain('Sie haben diese Nachricht nicht erwartet?');
  expect(text).not.toContain('ana@example.com');
  const screen = await startPayer(florin).visit(link);
  expect(screen.status).toBe(200);
  await finish(apmShop, sold.transId);
  await untilS2sStatus(apmShop, sold, 'SETTLED');
});

test('a text message is listed once with its link, although the payment is polled several times', async ({
  apmShop,
  florin,
}) => {
  const sold = await apmShop.sell({ ...payer, brand: 'ptn-sms' });
  await sentItem(florin, sold.transId, /Kept here/);
  for (let polls = 0; polls < 3; polls += 1) await apmShop.follow('GET_TRANS_STATUS', sold);
  const { text } = await sentItem(florin, sold.transId, /Kept here/);
  expect(text).toMatch(/^SMS to \+491 ••• 78/);
  expect(text).toContain('To pay €84.50 to');
  expect(text).not.toContain('15112345678');
  await finish(apmShop, sold.transId, 'decline');
  await untilS2sStatus(apmShop, sold, 'DECLINED');
});

for (const [brand, missing] of [
  ['ptn-email', 'payer_email'],
  ['ptn-sms', 'payer_phone'],
] as const) {
  test(`${brand} is rejected without ${missing}, where no page could ask for it`, async ({ apmShop }) => {
    const { status, body } = await apmShop.charge('SALE', { ...payer, brand, identifier: 'ana', [missing]: undefined });
    expect(status).toBe(400);
    expect(body.errors.map((error: { error_message: string }) => error.error_message)).toEqual([
      `${missing}: This value should not be blank.`,
    ]);
  });
}

test('the page refuses frames and is not cached', async ({ florin }) => {
  const { headers } = await fetch(`${florin}/sandbox/outbox`);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
