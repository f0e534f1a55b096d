// Apple Pay and Google Pay on the hosted page: the simulated sheets of a device, and the data that the provider and the
// shop get. The tests encrypt tokens as the wallets do.
import type { Page } from '@playwright/test';
import { allRows } from '../support/database-rows.ts';
import { openFields, pageOrigin, typeCard } from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import type { Changes, Merchant } from '../support/merchant.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { callbacksOf, expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { appleAddress, giveDevice, sheetsOf, startApple } from '../support/wallet-device.ts';
import { appleButton, googleButton, methods, openPage, paid, walletScript } from '../support/wallet-page.ts';
import { appleToken, googleToken } from '../support/wallets.ts';

// One stub of Apple at the one port that the server knows; the workers use it in turn.
test.describe.configure({ mode: 'default' });

let apple: Awaited<ReturnType<typeof startApple>>;

test.beforeAll(async () => {
  apple = await startApple();
});

test.afterAll(async () => {
  await apple.close();
});

/** The fields that the form of the first wallet sends in addition to the token. */
function fieldsOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('form[data-wallet]');
    return Object.fromEntries(new FormData(form ?? undefined) as unknown as Iterable<[string, string]>);
  });
}

test('Apple Pay pays with the card of its token', async ({ page, as, florin, shopServer, provider }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  await giveDevice(page, { apple: [appleToken()] });
  const { order } = await openPage(page, as('walletButtons'));
  await appleButton(page).click();
  await expect(paid(page)).toBeVisible();
  await expect(page.getByText('Apple Pay')).toBeVisible();
  const [sheet] = await sheetsOf(page);
  expect(sheet).toMatchObject({
    request: {
      version: 3,
      countryCode: 'NL',
      currencyCode: 'EUR',
      merchantCapabilities: ['supports3DS'],
      supportedNetworks: ['visa', 'masterCard', 'amex'],
      total: { label: 'Test shop', type: 'final', amount: '84.50' },
    },
    session: { merchantSessionIdentifier: 'SSH', domainName: 'localhost' },
    told: 0,
  });
  expect(apple.asked.at(-1)).toEqual({
    path: '/paymentservices/startSession',
    merchantIdentifier: 'merchant.test.florin',
    displayName: 'Test shop',
    initiative: 'web',
    initiativeContext: 'localhost',
  });
  const journal = await provider.journal(order.number);
  expect(journal).toMatchObject([{ operation: 'sale', status: 'approved', amount: '84.50', calls: 1 }]);
  expect(journal[0]?.card).toContain('1111');
  expect(faults).toEqual([]);
});

test('Google Pay pays with the card of its token', async ({ page, as, florin, shopServer, provider }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  await giveDevice(page, { google: [googleToken('CRYPTOGRAM_3DS')] });
  const { order } = await openPage(page, as('walletButtons'));
  await googleButton(page).click();
  await expect(paid(page)).toBeVisible();
  await expect(page.getByText('Google Pay')).toBeVisible();
  const [sheet] = await sheetsOf(page);
  expect(sheet?.told).toBe('success');
  expect(sheet?.request).toEqual([
    {
      supportedMethods: 'https://google.com/pay',
      data: {
        environment: 'TEST',
        apiVersion: 2,
        apiVersionMinor: 0,
        merchantInfo: { merchantName: 'Test Wallet buttons', merchantId: '12345678901234567890' },
        allowedPaymentMethods: [
          {
            type: 'CARD',
            parameters: {
              allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
              allowedCardNetworks: ['VISA', 'MASTERCARD'],
            },
            tokenizationSpecification: {
              type: 'PAYMENT_GATEWAY',
              parameters: { gateway: 'florin', gatewayMerchantId: 'test-wallets' },
            },
          },
        ],
        transactionInfo: { currencyCode: 'EUR', totalPriceStatus: 'FINAL', totalPrice: '84.50' },
      },
    },
    { total: { label: 'Test Wallet buttons', amount: { currency: 'EUR', value: '84.50' } } },
  ]);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  expect(faults).toEqual([]);
});

test('a PAN_ONLY card is challenged by its bank, on the page', async ({ page, as, provider }) => {
  await giveDevice(page, { google: [googleToken('PAN_ONLY', { expiry: '05/2038' })] });
  const { order } = await openPage(page, as('walletButtons'));
  await googleButton(page).click();
  await new PayPage(page).bank.getByRole('button', { name: 'Confirm' }).click();
  await expect(paid(page)).toBeVisible();
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('without keys the token goes to the provider unchanged, and is not stored', async ({ page, as, provider }) => {
  const tokens = { apple: appleToken(), google: googleToken('CRYPTOGRAM_3DS') };
  await giveDevice(page, { apple: [tokens.apple], google: [tokens.google] });
  const shop = as('walletTokensPassedOn');
  for (const [button, name] of [
    [appleButton, 'Apple Pay'],
    [googleButton, 'Google Pay'],
  ] as const) {
    const { order } = await openPage(page, shop);
    await button(page).click();
    await expect(paid(page)).toBeVisible();
    await expect(page.getByText(name)).toBeVisible();
    expect(await provider.journal(order.number)).toMatchObject([{ operation: 'sale', status: 'approved', card: null }]);
  }
  const rows = await allRows();
  for (const token of Object.values(tokens)) {
    const [signature = 'none'] = /"signature":"[^"]{60}/.exec(token) ?? [];
    expect(signature).not.toBe('none');
    expect(rows).not.toContain(signature.slice(-60));
  }
});

test('a token that is passed through goes to one account only', async ({ page, as, provider }) => {
  await giveDevice(page, { apple: [appleToken()] });
  const parameters = { applepay: { sandbox: 'decline' } };
  const { order } = await openPage(page, as('walletTokensPassedOn'), { parameters });
  await appleButton(page).click();
  await expect(page.getByRole('heading', { name: 'Apple Pay declined this payment' })).toBeVisible();
  expect(await provider.journal(order.number)).toHaveLength(1);
});

const limits: [string, Changes][] = [
  ['only authorises', { auth: true }],
  ['begins a recurring series', { recurring_init: true }],
  ['asks for a card token', { req_token: true }],
];

for (const [what, changes] of limits) {
  test(`a session that ${what} accepts tokens only with keys`, async ({ page, as }) => {
    await giveDevice(page, {});
    await openPage(page, as('walletTokensPassedOn'), changes);
    await expect(page.locator('html.scripted')).toBeAttached();
    await expect(page.locator('[data-wallet]')).toHaveCount(0);
    await openPage(page, as('walletButtons'), changes);
    await expect(appleButton(page)).toBeVisible();
    await expect(googleButton(page)).toBeVisible();
  });
}

test('a recurring series that began with a wallet continues', async ({ page, as, provider }) => {
  await giveDevice(page, { apple: [appleToken()] });
  const shop = as('walletButtons');
  const { order } = await openPage(page, shop, { methods: ['applepay'], recurring_init: true });
  await appleButton(page).click();
  await expect(paid(page)).toBeVisible();
  const [callback] = await callbacksOf(shop, order, 1);
  expect(callback?.fields).toMatchObject({ digital_wallet: 'applepay', pan_type: 'dpan' });
  const { recurring_init_trans_id: firstTransId = '', recurring_token: token = '' } = callback?.fields ?? {};
  const next = await shop.recurring({ firstTransId, token });
  expect(next.body).toMatchObject({ status: 'settled' });
  expect(await provider.moved(next.body.order.number)).toEqual(['sale 12.00']);
});

test('after a decline the card pays', async ({ page, as, provider }) => {
  await giveDevice(page, { apple: [appleToken({ expiry: '02/2038' })] });
  const { order } = await openPage(page, as('walletButtons'));
  await appleButton(page).click();
  await expect(page.getByRole('heading', { name: 'Apple Pay declined this payment' })).toBeFocused();
  expect((await sheetsOf(page))[0]?.told).toBe(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Apple Pay declined this payment' })).toBeVisible();
  await new PayPage(page).payWith(cards.settled);
  await expect(paid(page)).toBeVisible();
  await expect(page.getByText('•••• 1111')).toBeVisible();
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('a sheet that is closed leaves the page unchanged', async ({ page, as, provider }) => {
  await giveDevice(page, { apple: [null, appleToken()], google: [null] });
  const { order } = await openPage(page, as('walletButtons'));
  await googleButton(page).click();
  await expect.poll(async () => (await sheetsOf(page)).length).toBe(1);
  await appleButton(page).click();
  await expect.poll(async () => (await sheetsOf(page)).length).toBe(2);
  await page.waitForTimeout(200);
  await expect(page.locator('#alert')).toBeHidden();
  expect(await provider.journal(order.number)).toEqual([]);
  await appleButton(page).click();
  await expect(paid(page)).toBeVisible();
});

test('every invalid token is reported in the same words', async ({ page, as, provider }) => {
  const used = appleToken();
  const usedGoogle = googleToken('CRYPTOGRAM_3DS');
  const tokens = { apple: [used, used, appleToken({ amount: 8451 }), '{}'], google: [usedGoogle, usedGoogle, 'token'] };
  await giveDevice(page, tokens);
  const shop = as('walletButtons');
  for (const button of [appleButton, googleButton]) {
    await openPage(page, shop);
    await button(page).click();
    await expect(paid(page)).toBeVisible();
  }
  const { order } = await openPage(page, shop);
  const expected = [
    ...Array(3).fill('Apple Pay couldn’t be reached'),
    ...Array(2).fill('Google Pay couldn’t be reached'),
  ];
  for (const [place, heading] of expected.entries()) {
    await (place < 3 ? appleButton : googleButton)(page).click();
    await expect.poll(async () => (await sheetsOf(page)).length).toBe(place + 3);
    await expect(page.getByRole('heading', { name: heading })).toBeFocused();
    await expect(page.locator('#alert p')).toHaveText(
      'You have not been charged. Wait a minute and try again, or pay another way.',
    );
  }
  expect(await provider.journal(order.number)).toEqual([]);
});

test('a token that is sent twice at once pays once', async ({ page, as, provider, florin }) => {
  await giveDevice(page, {});
  const { order, url } = await openPage(page, as('walletButtons'));
  const fields = await fieldsOf(page);
  const body = new URLSearchParams({ ...fields, payment_token: appleToken() }).toString();
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', origin: florin };
  const answers = await Promise.all([1, 2, 3].map(() => fetch(url, { method: 'POST', headers, body })));
  for (const answer of answers) expect(['go', 'stay']).toContain((await answer.json()).next);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  expect(await provider.journal(order.number)).toHaveLength(1);
});

test('a token of an account without keys pays once, too', async ({ page, as }) => {
  const token = googleToken('CRYPTOGRAM_3DS');
  await giveDevice(page, { google: [token, token] });
  const shop = as('walletTokensPassedOn');
  await openPage(page, shop);
  await googleButton(page).click();
  await expect(paid(page)).toBeVisible();
  await openPage(page, shop);
  await googleButton(page).click();
  await expect(page.getByRole('heading', { name: 'Google Pay couldn’t be reached' })).toBeFocused();
});

test('a page whose Apple Pay is not validated reports it', async ({ page, as, provider }) => {
  await giveDevice(page, { apple: [appleToken()] });
  const { order } = await openPage(page, as('walletButtons'));
  apple.answerWith(500);
  await appleButton(page).click();
  await expect(page.getByRole('heading', { name: 'Apple Pay couldn’t be reached' })).toBeFocused();
  apple.answerWith(200);
  expect((await sheetsOf(page))[0]?.told).toBe('aborted');
  expect(await provider.journal(order.number)).toEqual([]);
});

test('only Apple gets session requests, and only from the page itself', async ({ page, as, florin }) => {
  const { token } = await openPage(page, as('walletButtons'));
  const fields = await fieldsOf(page);
  const before = apple.asked.length;
  const validate = async (changes: Record<string, string>, headers: Record<string, string> = {}, of = token) => {
    const body = new URLSearchParams({ ...fields, validation_url: appleAddress, ...changes });
    const url = `${florin}/pay/${of}/wallet/applepay/validate`;
    return (await fetch(url, { method: 'POST', body, headers: { origin: florin, ...headers } })).status;
  };
  const foreign = [
    '',
    'no address',
    'http://127.0.0.1:21873/paymentservices/startSession',
    'http://127.0.0.1:28417/other',
    'http://user@127.0.0.1:28417/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession',
    'https://evil.example/paymentservices/startSession',
    'http://169.254.169.254/paymentservices/startSession',
    'file:///paymentservices/startSession',
  ];
  for (const address of foreign) expect([address, await validate({ validation_url: address })]).toEqual([address, 400]);
  expect(await validate({ guard: 'AAAAAAAAAAAAAAAAAAAAAA' })).toBe(403);
  expect(await validate({}, { origin: 'https://evil.example' })).toBe(403);
  expect(await validate({}, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await validate({}, {}, 'no-such-token')).toBe(404);
  expect(await validate({}, { 'content-type': 'text/plain' })).toBe(415);
  expect(apple.asked.length).toBe(before);
  expect(await validate({})).toBe(200);
  expect(apple.asked.length).toBe(before + 1);
});

test('a session without Apple Pay gets none', async ({ page, as, florin }) => {
  const { token } = await openPage(page, as('walletButtons'), { methods: ['card', 'googlepay'] });
  const fields = await fieldsOf(page);
  const body = new URLSearchParams({ ...fields, validation_url: appleAddress });
  const answer = await fetch(`${florin}/pay/${token}/wallet/applepay/validate`, { method: 'POST', body });
  expect(answer.status).toBe(409);
});

test.describe('together with hosted fields, in a page of another origin', () => {
  const germanApple = (page: Page) => page.getByRole('button', { name: 'Mit Apple Pay bezahlen' });
  const germanGoogle = (page: Page) => page.getByRole('button', { name: 'Mit Google Pay bezahlen' });

  async function openShop(page: Page, shop: Merchant, florin: string, changes: Changes = {}) {
    const opened = await createSessionToken(shop, { methods, return_url: `${pageOrigin}/back`, ...changes });
    const fields = await openFields(page, florin, opened.token, { extra: walletScript(florin, opened.token) });
    return { ...opened, fields };
  }

  test('both wallets pay, and the page gets no digit of a card', async ({ page, as, florin, provider }) => {
    await giveDevice(page, { apple: [appleToken()], google: [googleToken('CRYPTOGRAM_3DS')] });
    const shop = as('walletButtons');
    for (const [button, name, result] of [
      [germanApple, 'applepay', 0],
      [germanGoogle, 'googlepay', 'success'],
    ] as const) {
      const { order, fields } = await openShop(page, shop, florin);
      await button(page).click();
      await expect(page.locator('#outcome')).toHaveText(`${name}: success`);
      expect((await sheetsOf(page)).at(-1)).toMatchObject({ wallet: name, told: result });
      await expectCallbacks(shop, order, ['success sale settled']);
      expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
      expect(await fields.heard()).not.toContain('4111');
    }
    expect(apple.asked.at(-1)).toMatchObject({ initiativeContext: 'merchant.florin.test', initiative: 'web' });
  });

  test('after a closed sheet, an Apple timeout and a decline the fields still pay', async ({ page, as, florin }) => {
    await giveDevice(page, { google: [null], apple: [appleToken(), appleToken({ expiry: '02/2038' })] });
    const { fields } = await openShop(page, as('walletButtons'), florin);
    const outcome = page.locator('#outcome');
    await germanGoogle(page).click();
    await expect.poll(async () => (await sheetsOf(page)).length).toBe(1);
    await expect(outcome).toHaveText('');
    apple.answerWith(500);
    await germanApple(page).click();
    await expect(outcome).toHaveText('network: Mit Apple Pay bezahlen: no response');
    apple.answerWith(200);
    await germanApple(page).click();
    await expect(outcome).toHaveText('applepay: decline');
    expect((await sheetsOf(page)).at(-1)?.told).toBe(1);
    await typeCard(fields, cards.settled);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(outcome).toContainText('success:');
  });

  test('no button if the device or the session has no wallet', async ({ page, as, florin }) => {
    await giveDevice(page, { able: false });
    await openShop(page, as('walletButtons'), florin);
    await expect(page.locator('#wallets')).toHaveAttribute('data-names', '');
    await giveDevice(page, { able: true });
    await openShop(page, as('walletButtons'), florin, { methods: ['card', 'googlepay'] });
    await expect(page.locator('#wallets')).toHaveAttribute('data-names', 'googlepay');
    await expect(page.locator('#wallets button')).toHaveCount(1);
    await expectAccessible(page);
  });
});
