// The client SDK in a browser: a shop of another origin shows the hosted page in a frame and gets the payer's return
// from pages of its own origin and of another; messages of other senders have no effect.
import type { Locator, Page, Route } from '@playwright/test';
import { build } from 'esbuild';
import type { Outcome, SessionRequest } from '../../lib/client-sdk/src/index.ts';
import { createBackend, verifyReturn } from '../../lib/client-sdk/src/server.ts';
import { type Merchant, newOrderNumber } from '../support/merchant.ts';
import { framingOrigin } from '../support/merchants.ts';
import { PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

/** Another origin of the same shop, and one of an attacker. */
const otherOrigin = 'http://done.florin.test';
const attackerOrigin = 'http://evil.florin.test';

/** The variables of the shop's page after its script. */
declare global {
  interface Window {
    shop: typeof import('../../lib/client-sdk/src/index.ts') & { mount: (url: string, back: object) => () => void };
    outcomes: unknown[];
  }
}

const script = `
import * as sdk from './lib/client-sdk/src/index';
import { PaymentView } from './lib/client-sdk/src/react';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
window.outcomes = [];
window.shop = {
  ...sdk,
  mount(redirectUrl, back) {
    const root = createRoot(document.querySelector('#pay'));
    const view = { redirectUrl, ...back, style: { height: '100%' }, onOutcome: (outcome) => window.outcomes.push(outcome) };
    root.render(createElement(StrictMode, null, createElement(PaymentView, view)));
    return () => root.unmount();
  },
};
`;

let bundled: Promise<string> | undefined;

function bundle(): Promise<string> {
  bundled ??= build({
    stdin: { contents: script, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'silent',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  return bundled;
}

/** The shop: a page with a container for the frame, its script, the four paths of its server, and the return pages. */
async function openShop(page: Page, { baseUrl, credentials }: Merchant): Promise<void> {
  page.on('pageerror', (e) => console.log('ERR', e.message));
  const { key, password, digest } = credentials;
  const options = { florinUrl: baseUrl, merchantKey: key, password, digest };
  const backend = createBackend({ ...options, allow: ({ operation, body }) => (operation === 'refund' ? null : body) });
  const code = await bundle();
  const html = (body: string) => ({ contentType: 'text/html', body: `<!doctype html><title>Shop</title>${body}` });
  await page.route(`${framingOrigin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/server/')) return route.fulfill(await answered(route, backend));
    if (pathname === '/shop.js') return route.fulfill({ contentType: 'text/javascript', body: code });
    const container = '<div id="pay" style="width:520px;height:900px"></div><script src="/shop.js"></script>';
    return route.fulfill(html(pathname === '/checkout' ? container : '<h1>Thank you</h1>'));
  });
  await page.route(`${otherOrigin}/**`, (route) => {
    const to = JSON.stringify(new URL(route.request().url()).searchParams.get('tell'));
    // Playwright does not intercept the resources of a frame of a third origin, so the script is inlined.
    return route.fulfill(html(`<script>${code}</script><script>shop.reportOutcome({ to: ${to} })</script>`));
  });
  await page.goto(`${framingOrigin}/checkout`);
}

async function answered(route: Route, backend: (request: Request) => Promise<Response>) {
  const request = route.request();
  const answer = await backend(
    new Request(request.url(), { method: request.method(), headers: request.headers(), body: request.postData() }),
  );
  return { status: answer.status, contentType: 'application/json', body: await answer.text() };
}

type Back = { successUrl: string; cancelUrl: string };

const ownPages: Back = { successUrl: `${framingOrigin}/thanks?basket=7`, cancelUrl: `${framingOrigin}/basket` };

function requestOf({ shopServer }: Merchant, { successUrl, cancelUrl }: Back): SessionRequest {
  const order = { number: newOrderNumber(), amount: '84.50', currency: 'EUR', description: 'Two cups' };
  return {
    operation: 'purchase',
    methods: ['card'],
    order,
    success_url: successUrl,
    cancel_url: cancelUrl,
    notification_url: shopServer.addressFor(order.number),
  };
}

/** Makes the shop's page open a session and show it; the settled promises are in `outcomes`. */
async function show(page: Page, request: SessionRequest, back: Back): Promise<void> {
  await page.evaluate(
    async ([request, back]) => {
      const client = window.shop.initialize({ backendUrl: `${location.origin}/server` });
      const { redirectUrl } = await client.fetchPaymentUrl(request);
      const element = document.querySelector('#pay') as Element;
      window.shop.openPayment(element, redirectUrl, { ...back, title: 'Card payment' }).then(
        (outcome) => window.outcomes.push(outcome),
        (error) => window.outcomes.push(error.code),
      );
    },
    [request, back] as const,
  );
}

const outcomesOf = (page: Page) => page.evaluate(() => window.outcomes as Outcome[]);

async function outcomeOf(page: Page): Promise<Outcome> {
  await expect.poll(async () => (await outcomesOf(page)).length).toBe(1);
  return (await outcomesOf(page))[0] as Outcome;
}

const frameOf = (page: Page) => page.frameLocator('#pay iframe');

/** Presses a button that removes its own frame. A browser may never confirm such a press, so nothing waits for it. */
function pressAndLeave(control: Locator): void {
  control.click().catch(() => undefined);
}

test("a payment in the shop's frame resolves with its outcome", async ({ page, as, florin }) => {
  const { faults } = await watch(page, florin, [framingOrigin]);
  const shop = as('framed');
  const request = requestOf(shop, ownPages);
  await openShop(page, shop);
  await show(page, request, ownPages);
  await expect(page.locator('#pay iframe')).toHaveAttribute('title', 'Card payment');
  await new PayPage(page, frameOf(page)).payWith(cards.settled);
  await expect(frameOf(page).getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(await outcomesOf(page)).toEqual([]);
  pressAndLeave(frameOf(page).getByRole('link', { name: /^Return to/ }));

  const outcome = await outcomeOf(page);
  expect(outcome).toMatchObject({ result: 'success', orderId: request.order.number, query: { basket: '7' } });
  expect(verifyReturn(outcome, request.order, shop.credentials)).toBe(true);
  expect((await statusOf(shop, outcome.paymentId)).status).toBe('settled');
  await expect(page.locator('iframe')).toHaveCount(0);
  expect(page.url()).toBe(`${framingOrigin}/checkout`);
  expect(faults).toEqual([]);
});

test('a challenge by the bank, and a receipt that leads back without a press', async ({ page, as }) => {
  const shop = as('framed');
  await openShop(page, shop);
  await show(page, requestOf(shop, ownPages), ownPages);
  const pay = new PayPage(page, frameOf(page));
  await pay.payWith(cards.challenge);
  pressAndLeave(pay.bank.getByRole('button', { name: 'Confirm' }));
  expect(await outcomeOf(page)).toMatchObject({ result: 'success' });
});

test('a payer who cancels is distinguished', async ({ page, as }) => {
  const shop = as('framed');
  const request = requestOf(shop, ownPages);
  await openShop(page, shop);
  await show(page, request, ownPages);
  pressAndLeave(
    frameOf(page)
      .getByRole('button', { name: /^Back to/ })
      .first(),
  );
  const outcome = await outcomeOf(page);
  expect(outcome).toMatchObject({ result: 'cancel', orderId: request.order.number });
  expect(outcome).not.toHaveProperty('transId');
  expect(verifyReturn(outcome, request.order, shop.credentials)).toBe(true);
});

test('a success page of another origin reports to the exact origin of the shop', async ({ page, as }) => {
  const shop = as('framed');
  for (const [target, reports] of [
    [framingOrigin, 1],
    [attackerOrigin, 0],
  ] as const) {
    const back = { ...ownPages, successUrl: `${otherOrigin}/thanks?tell=${encodeURIComponent(target)}` };
    const request = requestOf(shop, back);
    await openShop(page, shop);
    await show(page, request, back);
    await new PayPage(page, frameOf(page)).payWith(cards.settled);
    const loaded = page.waitForResponse((response) => response.url().startsWith(otherOrigin));
    pressAndLeave(frameOf(page).getByRole('link', { name: /^Return to/ }));
    await loaded;
    if (reports) expect(verifyReturn(await outcomeOf(page), request.order, shop.credentials)).toBe(true);
    else await expect(page.locator('#pay iframe')).toBeVisible();
    expect(await outcomesOf(page)).toHaveLength(reports);
  }
});

test('messages of other senders have no effect', async ({ page, as }) => {
  const shop = as('framed');
  const request = requestOf(shop, ownPages);
  await openShop(page, shop);
  const forged = `${ownPages.successUrl}&payment_id=p&order_id=${request.order.number}&hash=h`;
  // The frame contains a page of an attacker, which claims to be the shop's, and to be itself.
  await page.route(`${attackerOrigin}/**`, (route) => {
    const addresses = JSON.stringify([forged, `${attackerOrigin}/thanks?basket=7&payment_id=p&order_id=o&hash=h`]);
    const body = `<!doctype html><title>Evil</title><h1>Evil</h1><script>
      for (const address of ${addresses}) {
        for (const data of [{ kind: 'florin.outcome', address }, address, { kind: 'florin.outcome', address: [address] }, null])
          parent.postMessage(data, '*');
      }</script>`;
    return route.fulfill({ contentType: 'text/html', body });
  });
  await show(page, request, ownPages);
  await expect(frameOf(page).locator('input[name=card_number]')).toBeVisible();
  await page.evaluate(
    async ([address, attacker]) => {
      // The shop's own window and a second frame are not the frame with the payment.
      window.postMessage({ kind: 'florin.outcome', address }, '*');
      const frame = document.createElement('iframe');
      frame.name = 'evil';
      frame.src = `${attacker}/`;
      document.body.append(frame);
      await new Promise((loaded) => frame.addEventListener('load', loaded));
      const own = document.createElement('iframe');
      own.src = address;
      document.body.append(own);
      await new Promise((loaded) => own.addEventListener('load', loaded));
    },
    [forged, attackerOrigin] as const,
  );
  await page.evaluate(
    async ([redirectUrl, back]) => {
      const element = document.querySelector('#pay') as Element;
      window.shop.openPayment(element, redirectUrl, back).then((outcome) => window.outcomes.push(outcome));
      const frame = element.lastElementChild as Element;
      await new Promise((loaded) => frame.addEventListener('load', loaded));
    },
    [`${attackerOrigin}/pay`, ownPages] as const,
  );
  await page.waitForTimeout(300);
  expect(await outcomesOf(page)).toEqual([]);
  await expect(page.locator('#pay iframe')).toHaveCount(2);
});

test('wrong addresses are rejected, and a signal removes the frame', async ({ page, as }) => {
  await openShop(page, as('framed'));
  const codes = await page.evaluate(async (back) => {
    const element = document.querySelector('#pay') as Element;
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error) => error.code,
      );
    const stop = new AbortController();
    const { signal } = stop;
    const open = (url: string, options: object) =>
      codeOf(window.shop.openPayment(element, url, { ...back, ...options }));
    const first = [
      await open('javascript:alert(1)', {}),
      await open('/relative', {}),
      await open('http://pay.florin.test/', { cancelUrl: back.successUrl }),
    ];
    const opened = open(`${location.origin}/nothing`, { signal });
    const during = document.querySelectorAll('iframe').length;
    stop.abort();
    return [...first, await opened, await open(`${location.origin}/nothing`, { signal }), during];
  }, ownPages);
  expect(codes).toEqual(['argument', 'argument', 'argument', 'aborted', 'aborted', 1]);
  await expect(page.locator('iframe')).toHaveCount(0);
  const reported = await page.evaluate(() =>
    ['*', 'https://shop.example/path', 'null', location.origin].map((to) => {
      try {
        return window.shop.reportOutcome({ to });
      } catch (error) {
        return (error as { code: string }).code;
      }
    }),
  );
  expect(reported).toEqual(['argument', 'argument', 'argument', false]);
});

test('the React component does the same, and cleans up when it is unmounted', async ({ page, as }) => {
  const shop = as('framed');
  const request = requestOf(shop, ownPages);
  const { url } = await shop.open(request);
  await openShop(page, shop);
  await page.evaluate(([url, back]) => void window.shop.mount(url, back), [url, ownPages] as const);
  await expect(page.locator('#pay iframe')).toHaveCount(1);
  await new PayPage(page, frameOf(page)).payWith(cards.settled);
  pressAndLeave(frameOf(page).getByRole('link', { name: /^Return to/ }));
  expect(await outcomeOf(page)).toMatchObject({ result: 'success', orderId: request.order.number });
  await expect(page.locator('iframe')).toHaveCount(0);

  await openShop(page, shop);
  const frameCount = await page.evaluate(
    async ([url, back]) => {
      const unmount = window.shop.mount(url, back);
      const frames = () => document.querySelectorAll('iframe').length;
      while (frames() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      unmount();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return [frames(), window.outcomes.length];
    },
    [url, ownPages] as const,
  );
  expect(frameCount).toEqual([0, 0]);
});
