// The payer's redirect to the bank and back for a payment of S2S CARD: the answer contains the redirect, the shop's
// server sends the payer there, and `term_url_3ds` is the final page (interface.md, S2S CARD fields).
import { cardFields } from '../support/card-merchant.ts';
import { linksOf, textOf } from '../support/html.ts';
import { type ChallengeAnswer, type Payer, type Screen, startPayer } from '../support/payer.ts';
import { expectS2sCallbacks, s2sStatusOf } from '../support/s2s-flows.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { expect, test } from '../support/test.ts';

/** The shop's page for the answer of a sale: a link, or a form that is sent at once. */
async function sendToBank(payer: Payer, { answer }: Sold, act: ChallengeAnswer = 'confirm'): Promise<Screen> {
  const { redirect_url: url, redirect_method: method, redirect_params: params } = answer.body;
  const body = method === 'POST' ? new URLSearchParams(params).toString() : undefined;
  const screen = await payer.visit(url, { method, body });
  return payer.goOn(url, screen, act);
}

const outcomes = [
  ['challenge', '3DS', 'POST', 'confirm', 'SUCCESS SETTLED'],
  ['challenge', '3DS', 'POST', 'refuse', 'DECLINED DECLINED'],
  ['challengeDeclined', '3DS', 'POST', 'confirm', 'DECLINED DECLINED'],
  ['redirect', 'REDIRECT', 'GET', 'confirm', 'SUCCESS SETTLED'],
  ['redirectDeclined', 'REDIRECT', 'GET', 'confirm', 'DECLINED DECLINED'],
] as const;

for (const [card, status, method, act, end] of outcomes) {
  test(`${card}, the payer does ${act}: ${end}`, async ({ cardShop, shopServer }) => {
    const termUrl = `${shopServer.url}/back?order=7`;
    const sold = await cardShop.sell({ ...cardFields[card], term_url_3ds: termUrl });
    expect(sold.answer.body).toMatchObject({
      action: 'SALE',
      result: 'REDIRECT',
      status,
      redirect_url: expect.stringMatching(/^http/),
      redirect_method: method,
    });
    expect(await s2sStatusOf(cardShop, sold)).toMatchObject({ status });
    const screen = await sendToBank(startPayer(cardShop.baseUrl), sold, act);
    expect([screen.outside, screen.url]).toEqual([true, termUrl]);
    expect((await s2sStatusOf(cardShop, sold)).status).toBe(end.split(' ')[1]);
    const [first] = await expectS2sCallbacks(cardShop, sold, [`SALE REDIRECT ${status}`, `SALE ${end}`]);
    expect(first?.fields.redirect_url).toBe(sold.answer.body.redirect_url);
  });
}

test('a challenged authorisation succeeds, a challenged debit settles', async ({ cardShop, shopServer }) => {
  const term = { ...cardFields.challenge, term_url_3ds: `${shopServer.url}/back` };
  const authorised = await cardShop.sell({ ...term, auth: 'Y' });
  await sendToBank(startPayer(cardShop.baseUrl), authorised);
  expect((await s2sStatusOf(cardShop, authorised)).status).toBe('PENDING');
  const debit = await cardShop.sell(term, 'DEBIT');
  await sendToBank(startPayer(cardShop.baseUrl), debit);
  expect((await s2sStatusOf(cardShop, debit)).status).toBe('SETTLED');
});

test('without term_url_3ds the payer reads, in their language, that the shop has the result', async ({ cardShop }) => {
  const sold = await cardShop.sell({ ...cardFields.challenge, payer_language: 'DE' });
  const screen = await sendToBank(startPayer(cardShop.baseUrl), sold);
  expect(screen.status).toBe(200);
  expect(screen.html).toContain('<html lang="de"');
  expect(textOf(screen.html)).toContain(sold.orderId);
  expect(linksOf(screen.html, screen.url).filter((link) => link.target !== null)).toEqual([]);
  expect((await s2sStatusOf(cardShop, sold)).status).toBe('SETTLED');
});

test('an unknown payer_language falls back to English', async ({ cardShop }) => {
  const sold = await cardShop.sell({ ...cardFields.challenge, payer_language: 'xx' });
  expect((await sendToBank(startPayer(cardShop.baseUrl), sold)).html).toContain('<html lang="en"');
});

test('two returns lead to the same address and send one callback', async ({ cardShop, shopServer }) => {
  const term = `${shopServer.url}/back`;
  const sold = await cardShop.sell({ ...cardFields.challenge, term_url_3ds: term });
  const payer = startPayer(cardShop.baseUrl);
  await sendToBank(payer, sold);
  expect((await payer.visit(`${cardShop.baseUrl}/return/${sold.transId}`)).url).toBe(term);
  await expectS2sCallbacks(cardShop, sold, ['SALE REDIRECT 3DS', 'SALE SUCCESS SETTLED']);
});

/** Returns from the bank inside of a frame, or in the window itself. */
async function comeBack(payer: Payer, { transId }: Sold, baseUrl: string, framed: boolean): Promise<Screen> {
  return payer.visit(`${baseUrl}/return/${transId}`, { framed });
}

test('the payer leaves a frame by pressing Continue, and only if term_url_target requires it', async ({
  cardShop,
  shopServer,
}) => {
  const term_url_3ds = `${shopServer.url}/back`;
  const { baseUrl } = cardShop;
  const payer = startPayer(baseUrl);
  const sell = (term_url_target?: string) => cardShop.sell({ ...cardFields.challenge, term_url_3ds, term_url_target });
  for (const target of ['_top', '_parent', '_blank']) {
    const sold = await sell(target);
    const framed = await comeBack(payer, sold, baseUrl, true);
    expect(linksOf(framed.html, framed.url)).toContainEqual({ href: term_url_3ds, text: 'Continue', target });
    expect((await comeBack(payer, sold, baseUrl, false)).outside, target).toBe(target !== '_blank');
  }
  for (const target of ['_self', undefined]) {
    expect((await comeBack(payer, await sell(target), baseUrl, true)).url).toBe(term_url_3ds);
  }
});

test("the MID's target takes precedence over the request's", async ({ cardAs, shopServer }) => {
  const shop = cardAs('topTarget');
  const term_url_3ds = `${shopServer.url}/back`;
  const sold = await shop.sell({ ...cardFields.challenge, term_url_3ds, term_url_target: '_self' });
  const framed = await comeBack(startPayer(shop.baseUrl), sold, shop.baseUrl, true);
  expect(linksOf(framed.html, framed.url)).toContainEqual({ href: term_url_3ds, text: 'Continue', target: '_top' });
});

test('an unknown return address leads nowhere', async ({ cardShop }) => {
  const payer = startPayer(cardShop.baseUrl);
  const screen = await payer.visit(`${cardShop.baseUrl}/return/0199a000-0000-7000-8000-000000000001`);
  expect(screen.status).toBe(404);
});

test('on /v2/post the parameters of a redirect are a list', async ({ cardShop }) => {
  const body = cardShop.signed(cardShop.chargeBody('SALE', cardFields.challenge));
  const { body: answer } = await cardShop.post(body, '/s2s/card/v2/post');
  expect(answer.redirect_params).toEqual([{ name: 'creq', value: expect.any(String) }]);
  expect((await cardShop.post(body)).body.redirect_params).toEqual({ creq: answer.redirect_params[0].value });
});
