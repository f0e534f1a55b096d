// A merchant's page of another origin that contains hosted fields, and the data that the page can observe.
import { expect, type FrameLocator, type Page } from '@playwright/test';
import type { Card } from './payer.ts';

/** The origin of the page, which the test serves. */
export const pageOrigin = 'http://merchant.florin.test';

export type FieldsPage = {
  frames: { [name in 'card' | 'expiry' | 'cvv']: FrameLocator };
  heard: () => Promise<string>;
};

const frameOf = (page: Page, name: string) => page.frameLocator(`#${name} iframe`);

/**
 * Opens the page with the session's token. Records every message to its windows, every argument of its handlers and the
 * contents of its document, so that a test can search them for digits.
 */
export async function openFields(
  page: Page,
  florin: string,
  token: string,
  options: { fields?: string[]; extra?: string; language?: string } = {},
): Promise<FieldsPage> {
  const names = options.fields ?? ['card', 'expiry', 'cvv'];
  const fields = Object.fromEntries(names.map((name) => [name, { id: name, placeholder: `your ${name}` }]));
  const init = {
    sessionToken: token,
    fields,
    style: { input: { fontSize: '18px', color: '#123456' } },
    language: options.language,
  };
  const body = `<!doctype html><html lang="en"><title>Merchant</title><main>
<h1>Checkout</h1>
${names.map((name) => `<label for="${name}">${name}</label><div id="${name}" style="height:48px"></div>`).join('\n')}
<button id="pay">Pay</button><output id="outcome"></output></main>
<img name="currentScript" src="http://elsewhere.test/x" alt="" hidden>
<script>
  window.heard = [];
  addEventListener('message', (event) => heard.push(['window', event.origin, event.data]));
  const post = MessagePort.prototype.postMessage;
  const set = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage').set;
  Object.defineProperty(MessagePort.prototype, 'onmessage', { set(handler) {
    set.call(this, (event) => { heard.push(['port', event.data]); handler(event); });
  } });
  MessagePort.prototype.postMessage = function (...given) { heard.push(['sent', given[0]]); return post.apply(this, given); };
</script>
<script src="${florin}/sdk/hosted-fields.js"></script>
<script>
  const hf = new HostedFields();
  for (const name of ['cardOn', 'expiryOn', 'cvvOn'])
    for (const event of ['input', 'focus', 'blur']) hf[name][event] = (detail) => heard.push([name, event, detail]);
  for (const event of ['ready', 'change', 'focus', 'blur', 'submit', 'error'])
    hf.on(event, (detail) => heard.push(['on', event, detail]));
  hf.onSubmitResult = (data) => { outcome.textContent = data.result + ': ' + data.message; };
  pay.onclick = () => hf.collectIframesData();
  hf.init(${JSON.stringify(init)});
  ${options.extra ?? ''}
</script>`;
  await page.route(`${pageOrigin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${pageOrigin}/checkout`);
  await page.waitForFunction(() =>
    (globalThis as unknown as { heard: unknown[][] }).heard.some(([kind, event]) => kind === 'on' && event === 'ready'),
  );
  const heard = async () => {
    const text = await page.evaluate(() => JSON.stringify((globalThis as unknown as { heard: unknown[] }).heard));
    return withoutRandomParts(text + (await page.content()), florin, token);
  };
  return { frames: { card: frameOf(page, 'card'), expiry: frameOf(page, 'expiry'), cvv: frameOf(page, 'cvv') }, heard };
}

/**
 * Removes random values, the server's port and the session's token, from a text, so that a search for card digits finds
 * typed digits only.
 */
export function withoutRandomParts(text: string, florin: string, token?: string): string {
  const withoutHost = text.replaceAll(new URL(florin).host, 'florin');
  return token ? withoutHost.replaceAll(token, 'token') : withoutHost;
}

/** Types a card, key by key. */
export async function typeCard(
  { frames }: FieldsPage,
  card: Pick<Card, 'number' | 'expiry'>,
  cvv = '123',
): Promise<void> {
  await frames.card.locator('#field').pressSequentially(card.number);
  await frames.expiry.locator('#field').pressSequentially(card.expiry.replace(/\D/g, '').replace(/^(\d\d)20/, '$1'));
  await frames.cvv.locator('#field').pressSequentially(cvv);
}

/** Presses Pay and waits for the page's result. */
export async function submitFields(page: Page, wanted: 'success' | 'error'): Promise<string> {
  const outcome = page.locator('#outcome');
  await outcome.evaluate((element) => {
    element.textContent = '';
  });
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(outcome).toContainText(`${wanted}:`);
  return (await outcome.textContent()) ?? '';
}

/** The body of the payment request that the page makes. */
export const pageBody = {
  name: 'Ana Petrović',
  with_hosted_fields: true,
  browser_info: { accept_headers: 'text/html;q=0.9' },
};

/** Makes the merchant page's payment request after the fields are submitted, from the page with its origin. */
export function payFromPage(
  page: Page,
  florin: string,
  token: string,
  body: object = pageBody,
  operation = 'purchase',
) {
  return page.evaluate(
    async ([url, header, text]) => {
      const answer = await fetch(url as string, {
        method: 'POST',
        headers: { 'content-type': 'application/json', token: header as string },
        body: text as string,
      });
      return { status: answer.status, body: await answer.json() };
    },
    [`${florin}/api/v1/processing/${operation}/card`, token, JSON.stringify(body)],
  );
}
