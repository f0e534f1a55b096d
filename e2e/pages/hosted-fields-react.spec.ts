// The React component on a merchant's page of another origin, in StrictMode, which mounts everything twice, and
// rendered by a server, which has no window.
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { build, type Plugin } from 'esbuild';
import { pageOrigin, withoutRandomParts } from '../support/hosted-fields-page.ts';
import { createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { cards } from '../support/payer.ts';
import { expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const page = `
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { HostedFieldsForm } from 'hosted-fields-react';

const threeFields = { card: { label: 'Card number' }, expiry: { label: 'Expiry date' }, cvv: { label: 'Security code' } };

function Checkout({ florin, token, fields = threeFields }) {
  const [outcome, setOutcome] = useState('');
  const [isOpen, setOpen] = useState(true);
  const [renders, setRenders] = useState(0);
  return (
    <main>
      {isOpen ? (
        <HostedFieldsForm script={florin + '/sdk/hosted-fields.js'} sessionToken={token} fields={fields} language="en"
          onReady={() => setOutcome('ready')} onError={({ type }) => window.faults.push(type)}
          onResult={({ result }) => setOutcome(result)}>
          <button>Pay</button>
        </HostedFieldsForm>
      ) : null}
      <button onClick={() => setOpen(!isOpen)}>Toggle</button>
      <button onClick={() => setRenders(renders + 1)}>Render {renders}</button>
      <output>{outcome}</output>
    </main>
  );
}

window.faults = [];
createRoot(document.querySelector('#root')).render(<StrictMode><Checkout {...window.given} /></StrictMode>);
`;

const serverSide = `
import { renderToString } from 'react-dom/server';
import { HostedFieldsForm } from 'hosted-fields-react';
const html = renderToString(
  <HostedFieldsForm script="https://pay.example/sdk/hosted-fields.js" sessionToken={null} onResult={() => {}}
    fields={{ card: { label: 'Card number' } }} />,
);
console.log(html);
`;

/** Bundles a source with React and the served component. */
async function bundled(florin: string, source: string, platform: 'browser' | 'node'): Promise<string> {
  const served = await fetch(`${florin}/sdk/hosted-fields-react.js`);
  expect(served.headers.get('content-type')).toContain('text/javascript');
  const contents = await served.text();
  const component: Plugin = {
    name: 'component',
    setup(on) {
      on.onResolve({ filter: /^hosted-fields-react$/ }, ({ path }) => ({ path, namespace: 'served' }));
      on.onLoad({ filter: /.*/, namespace: 'served' }, () => ({ contents, resolveDir: process.cwd() }));
    },
  };
  const result = await build({
    stdin: { contents: source, loader: 'jsx', resolveDir: process.cwd() },
    bundle: true,
    write: false,
    jsx: 'automatic',
    platform,
    plugins: [component],
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  });
  return result.outputFiles[0]?.text ?? '';
}

/** Opens the page of another origin with the component. */
async function openPage(tab: Page, florin: string, props: object): Promise<void> {
  const script = await bundled(florin, page, 'browser');
  const body = `<!doctype html><html lang="en"><title>Shop</title>
<style>.hosted-field-box { height: 48px }</style><div id="root"></div>
<script>window.given = ${JSON.stringify({ florin, ...props })};</script><script src="/page.js"></script>`;
  await tab.route(`${pageOrigin}/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script })
      : route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
  );
  await tab.goto(`${pageOrigin}/react`);
}

test('pays in StrictMode, survives renders, and cleans up when it is unmounted', async ({
  page: tab,
  florin,
  shop,
}) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  await openPage(tab, florin, { token });
  const outcome = tab.locator('output');
  await expect(outcome).toHaveText('ready');
  await expect(tab.locator('iframe')).toHaveCount(3);
  await expect(tab.locator('script[src$="/sdk/hosted-fields.js"]')).toHaveCount(1);

  const field = (label: string) =>
    tab.locator('.hosted-field', { hasText: label }).frameLocator('iframe').getByRole('textbox', { name: label });
  await tab.getByText('Card number', { exact: true }).click();
  await expect(field('Card number')).toBeFocused();
  await field('Card number').pressSequentially('4111 1111 1111 1112');
  await field('Card number').blur();
  await expect(tab.locator('.hosted-field-error')).toHaveText(/card number/i);
  await field('Card number').fill(cards.settled.number);
  await expect(tab.locator('.hosted-field-error')).toHaveCount(0);

  // Renders with equal options keep the frames and the typed values.
  await tab.getByRole('button', { name: 'Render 0' }).click();
  await expect(tab.getByRole('button', { name: 'Render 1' })).toBeVisible();
  await expect(field('Card number')).toHaveValue('4111 1111 1111 1111');

  // After an unmount and a mount the fields are new and empty.
  await tab.getByRole('button', { name: 'Toggle' }).click();
  await expect(tab.locator('iframe')).toHaveCount(0);
  await tab.getByRole('button', { name: 'Toggle' }).click();
  await expect(field('Card number')).toHaveValue('');
  await expect(tab.locator('iframe')).toHaveCount(3);

  await field('Card number').pressSequentially(cards.settled.number);
  await field('Expiry date').pressSequentially('0138');
  await field('Security code').pressSequentially('123');
  await field('Security code').press('Enter');
  await expect(outcome).toHaveText('success');
  expect(await tab.evaluate(() => (globalThis as unknown as { faults: string[] }).faults)).toEqual(['validation']);
  expect((await processCard(shop, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
  expect(withoutRandomParts(await tab.content(), florin, token)).not.toContain('4111');
});

test('one line is a field with the state of all three', async ({ page: tab, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  await openPage(tab, florin, { token, fields: { line: { label: 'Card' } } });
  await expect(tab.locator('output')).toHaveText('ready');
  await expect(tab.locator('iframe')).toHaveCount(1);
  const box = tab.locator('.hosted-field-box');
  const line = tab.frameLocator('iframe');
  await tab.getByText('Card', { exact: true }).click();
  await expect(line.locator('#card')).toBeFocused();
  await tab.keyboard.type('41111111111111110120', { delay: 5 });
  await line.locator('#expiry').blur();
  await expect(tab.locator('.hosted-field-error')).toHaveText(/expired/);
  await expect(box).toHaveAttribute('data-invalid', 'true');
  await line.locator('#expiry').fill('01 / 38');
  await line.locator('#cvv').pressSequentially('123');
  await expect(tab.locator('.hosted-field-error')).toHaveCount(0);
  await expect(box).toHaveAttribute('data-focused', 'true');
  await expect(box).toHaveAttribute('data-valid', 'true');
  await line.locator('#cvv').press('Enter');
  await expect(tab.locator('output')).toHaveText('success');
  expect((await processCard(shop, token)).body.result).toBe('success');
});

test('renders on a server without accessing a window', async ({ florin }) => {
  const script = await bundled(florin, serverSide, 'node');
  const html = execFileSync(process.execPath, ['-'], { input: script, encoding: 'utf8' });
  expect(html).toContain('<label class="hosted-field-label"');
  expect(html).not.toContain('iframe');
});

test('its types and those of the class are served with it', async ({ florin }) => {
  for (const name of ['hosted-fields.d.ts', 'hosted-fields-react.d.ts', 'florin-card.d.ts']) {
    expect(await (await fetch(`${florin}/sdk/${name}`)).text()).toContain('export');
  }
});
