// The documentation: every page opens, is readable on every screen, and leads to the others.
import type { APIRequestContext, Page } from '@playwright/test';
import { catalog } from '../support/catalog.ts';
import { expectAccessible, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

const pages: { [slug: string]: string } = {
  'guide/overview': 'What Florin is',
  'guide/quickstart': 'Quickstart',
  'guide/hosted-checkout': 'Hosted checkout',
  'guide/hosted-fields': 'Hosted fields',
  'guide/card-page': 'A page to copy',
  'guide/client-sdk': 'Client SDK',
  'guide/php-client': 'PHP client',
  'guide/other-languages': 'Java, C# and Go',
  'guide/s2s-card': 'S2S card payments',
  'guide/s2s-apm': 'S2S alternative methods',
  'guide/callbacks': 'Callbacks',
  'guide/refunds': 'Refunds, captures and voids',
  'guide/idempotency': 'Idempotency and retries',
  'guide/3d-secure': '3-D Secure',
  'guide/recurring': 'Saved cards and subscriptions',
  'guide/payouts': 'Payouts and transfers',
  'guide/wallets': 'Apple Pay and Google Pay',
  'guide/testing': 'Test your integration',
  'guide/sandbox': 'Sandbox',
  'guide/troubleshooting': 'Troubleshooting',
  'guide/pci': 'PCI scope',
  'guide/going-live': 'Go live',
  'dashboard/users-and-roles': 'Users and roles',
  'dashboard/merchants-and-keys': 'Merchants and keys',
  'dashboard/mids-mappings-routing': 'MIDs, mappings and routing',
  'dashboard/branding': 'Branding',
  'dashboard/payments': 'Payments, refunds and chargebacks',
  'dashboard/exports': 'Exports',
  'operations/install': 'Install on one server',
  'operations/compose': 'Docker Compose',
  'operations/high-availability': 'High availability',
  'operations/kubernetes': 'Kubernetes',
  'operations/large-deployments': 'Large deployments',
  'operations/configuration': 'Configuration',
  'operations/keys': 'Secrets and key rotation',
  'operations/limits': 'Limits',
  'operations/users': 'Users',
  'operations/backup': 'Backup and restore',
  'operations/upgrade': 'Upgrade and roll back',
  'operations/health-checks': 'Health checks',
  'operations/monitoring': 'Monitoring and alerts',
  'operations/logs-and-traces': 'Logs and traces',
  'operations/security': 'Security',
  'operations/security-events': 'Security events',
  'operations/data-retention': 'Data retention and erasure',
  'operations/archive': 'Archive',
  'operations/ledger-check': 'Ledger check',
  'operations/reconciliation': 'Reconciliation',
  'operations/runbooks': 'Runbooks',
  'security/asvs': 'OWASP ASVS 5.0',
  'security/pci': 'PCI DSS 4.0.1',
  'providers/contract': 'Provider contract',
  'providers/adapter': 'Write an adapter',
  'providers/conformance': 'Conformance test',
  'reference/api': 'API reference',
  'reference/signatures': 'Signatures',
  'reference/errors': 'Errors',
  'reference/decline-reasons': 'Decline reasons',
  'reference/states': 'Payment states',
  'reference/callback-fields': 'Callback fields',
  'reference/methods': 'Payment methods',
  'reference/test-cards': 'Test cards',
  'reference/mapping': 'Protocol mapping',
  'reference/routing': 'Routing rules',
  'reference/languages': 'Languages',
  'reference/environment': 'Environment variables',
  'reference/cli': 'Commands',
  'reference/metrics': 'Metrics',
  'reference/versions': 'Versions and deprecations',
  'reference/unspecified': 'Gaps in the specification',
  'reference/glossary': 'Glossary',
  'reference/changelog': 'Changelog',
  'contributing/chaos-tests': 'Chaos tests',
  'contributing/simulation': 'Simulation',
  'contributing/benchmarks': 'Benchmarks',
};

test('the index links to every page', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  await page.goto('/docs');
  const links = page.getByRole('main').getByRole('listitem').getByRole('link');
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(addresses).toEqual(Object.keys(pages).map((slug) => `/docs/${slug}`));
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

// A test checks several pages in one window, because a new window would load every script again.
const slugs = Object.keys(pages);
for (let first = 0; first < slugs.length; first += 6) {
  const group = slugs.slice(first, first + 6);
  test(`${group.join(', ')}: accessible, and fit a phone`, async ({ page, florin }) => {
    test.slow();
    const { faults } = await watch(page, florin);
    for (const slug of group) await expectReadable(page, slug);
    expect(faults).toEqual([]);
  });
}

async function expectReadable(page: Page, slug: string): Promise<void> {
  await page.goto(`/docs/${slug}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(pages[slug] ?? '');
  await expectAccessible(page);
  // All pages share a style sheet, and these two use all of its colours.
  if (slug === 'guide/quickstart' || slug === 'reference/states') {
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  if (wide) await page.setViewportSize(wide);
}

// These two read every page, which is fetched once.
test.describe('all pages', () => {
  test.describe.configure({ mode: 'default' });

  const texts = new Map<string, Promise<string>>();

  function textOf(request: APIRequestContext, address: string): Promise<string> {
    const known = texts.get(address);
    if (known) return known;
    const fetched = request.get(address).then(async (answer) => {
      expect(answer.status(), address).toBe(200);
      return answer.text();
    });
    texts.set(address, fetched);
    return fetched;
  }

  test('the documentation has no dead link', async ({ request, florin }) => {
    const seen = new Set<string>();
    // All method pages have one template: one with payments and one with payouts are enough.
    const generated = [
      'reference/checkout',
      'reference/s2s-card/sale',
      'reference/s2s-apm/callbacks',
      'methods/card',
      'methods/kora',
    ];
    for (const slug of [...Object.keys(pages), ...generated]) {
      const address = `${florin}/docs/${slug}`;
      const [, main = ''] = /<main([\s\S]*)<\/main>/.exec(await textOf(request, address)) ?? [];
      for (const [, written = ''] of main.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const { href, origin } = new URL(written.replaceAll('&amp;', '&'), address);
        if (origin === florin) seen.add(href);
      }
    }
    expect(seen.size).toBeGreaterThan(10);
    // Six at a time.
    const addresses = [...new Set([...seen].map((href) => href.split('#')[0] ?? ''))];
    const read = new Map<string, string>();
    const fetchNext = async (): Promise<void> => {
      const address = addresses.pop();
      if (address === undefined) return;
      read.set(address, await textOf(request, address));
      return fetchNext();
    };
    await Promise.all(Array.from({ length: 6 }, fetchNext));
    for (const href of seen) {
      const [address = '', anchor] = href.split('#');
      if (anchor) expect(read.get(address), href).toContain(`id="${decodeURIComponent(anchor)}"`);
    }
  });

  test('every page links to the previous and next page and to its Markdown, and has unique ids', async ({
    page,
    request,
    florin,
  }) => {
    const slugs = Object.keys(pages);
    for (const [at, slug] of slugs.entries()) {
      const html = await textOf(request, `${florin}/docs/${slug}`);
      const ids = [...html.matchAll(/<(?:h\d|tr)[^>]* id="([^"]+)"/g)].map(([, id]) => id);
      expect(
        ids.filter((id, position) => ids.indexOf(id) !== position),
        slug,
      ).toEqual([]);
      expect(html, slug).toContain(`href="/docs/${slug}.md"`);
      for (const adjacent of [slugs[at - 1], slugs[at + 1]])
        if (adjacent) expect(html).toContain(`href="/docs/${adjacent}"`);
    }
    const file = await request.get('/llms-full.txt');
    const whole = await file.text();
    // It is made once.
    const etag = file.headers().etag ?? '';
    expect((await request.get('/llms-full.txt', { headers: { 'if-none-match': etag } })).status()).toBe(304);
    for (const title of Object.values(pages)) expect(whole).toContain(`# ${title}\n`);
    await page.goto('/docs/reference/methods.md');
    await expect(page.locator('body')).toContainText('papara');
  });
});

test('the search is focused by a key, finds an error code, and opens the result', async ({ page }) => {
  await page.goto('/docs/guide/overview');
  const box = page.getByRole('combobox', { name: 'Search the documentation' });
  // The key has no effect before the page's script is loaded.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(box).toBeFocused({ timeout: 500 });
  }).toPass();
  await box.fill('208003');
  await expect(page.getByRole('option').first()).toContainText('208003');
  await expectAccessible(page);
  await box.fill('webhook-signature');
  await expect(page.getByRole('option').first()).toContainText('Callbacks');
  await box.press('ArrowDown');
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await box.fill('qwertzuiop');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await expect(page.getByRole('search').getByRole('link', { name: 'Troubleshooting' })).toBeVisible();
  await box.fill('webhok');
  await expect(page.getByRole('option').first()).toContainText('Callbacks');
  await box.fill('CREATE_SCHEDULE');
  await expect(page.getByRole('option').first()).toBeVisible();
  await box.press('Enter');
  await page.waitForURL(/\/docs\/\S+schedule/i);
});

test('llms.txt links to the Markdown of every page, method and reference', async ({ request, florin }) => {
  const index = await (await request.get('/llms.txt')).text();
  const paths = [...index.matchAll(/\((\S+)\/docs\/(\S+)\.md\)/g)].map(([, base, path = '']) => {
    expect(base).toBe(florin);
    return path;
  });
  const generated = ['checkout', 's2s-card', 's2s-apm'].map((name) => `reference/${name}`);
  expect(paths).toEqual(
    expect.arrayContaining([...Object.keys(pages), ...generated, 'reference/checkout/payment-refund']),
  );
  const kinds = await (await request.get('/llms-methods.txt')).text();
  for (const { id } of catalog) expect(kinds).toContain(`/docs/methods/${id}.md)`);
  const left = [...paths, ...catalog.map(({ id }) => `methods/${id}`)];
  const readNext = async (): Promise<void> => {
    const path = left.pop();
    if (path === undefined) return;
    const answer = await request.get(`/docs/${path}.md`);
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()['content-type'], path).toBe('text/markdown; charset=utf-8');
    expect(answer.headers()['x-content-type-options'], path).toBe('nosniff');
    const text = await answer.text();
    expect(text, path).toMatch(/^# .+\n/);
    if (path.startsWith('methods/')) expect(text).toContain(`\`${path.slice('methods/'.length)}\` in \`methods\``);
    return readNext();
  };
  await Promise.all(Array.from({ length: 6 }, readNext));
  for (const path of ['methods/nothing', 'reference/nothing', 'other/checkout', 'nothing']) {
    expect((await request.get(`/docs/${path}.md`)).status(), path).toBe(404);
  }
});

test('the search index is small, fetched on the first search, and cached', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (each) => {
    if (each.url().endsWith('/docs/search.json')) requested.push(each.url());
  });
  await page.goto('/docs/reference/checkout', { waitUntil: 'networkidle' });
  expect(requested).toEqual([]);
  const fetched = page.waitForResponse('**/docs/search.json');
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill('papara');
  const answer = await fetched;
  expect(answer.headers()['cache-control']).toBe('public, max-age=300');
  expect((await answer.request().sizes()).responseBodySize).toBeLessThan(90_000);
  await expect(page.getByRole('option').first()).toContainText('Papara');
  await page.getByRole('combobox', { name: 'Search the documentation' }).press('Enter');
  await page.waitForURL('**/docs/methods/papara');
  const again = await page.request.get('/docs/search.json', {
    headers: { 'if-none-match': answer.headers().etag ?? '' },
  });
  expect([again.status(), (await again.body()).length]).toEqual([304, 0]);
});

test('a page is complete without script', async ({ browser, florin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${florin}/docs/reference/errors`);
  await expect(page.getByRole('cell', { name: '208003' })).toBeVisible();
  await context.close();
});

test('the 404 page links to other pages', async ({ page }) => {
  for (const path of ['nothing', 'guide/nothing', 'reference/checkout/nothing', 'a/b/c/d']) {
    const answer = await page.goto(`/docs/${path}`);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('This page does not exist');
  }
  await expect(page.getByRole('main').getByRole('link', { name: 'Quickstart' })).toBeVisible();
  await expectAccessible(page);
});

test('former paths redirect to the current pages', async ({ request }) => {
  const moved = {
    checkout: 'guide/hosted-checkout',
    errors: 'reference/errors',
    methods: 'reference/methods',
    reference: 'reference/api',
    scaling: 'operations/high-availability',
  };
  for (const [before, after] of Object.entries(moved)) {
    for (const [from, to] of [
      [`/docs/${before}`, `/docs/${after}`],
      [`/docs/${before}.md`, `/docs/${after}.md`],
    ] as const) {
      const answer = await request.get(from, { maxRedirects: 0 });
      expect(answer.status(), from).toBe(308);
      expect(answer.headers().location, from).toMatch(new RegExp(`${to}$`));
      expect((await request.get(from)).status(), from).toBe(200);
    }
  }
});

test('a row of the errors has an anchor, and pages show the version', async ({ page }) => {
  await page.goto('/docs/reference/errors#error-204005');
  await expect(page.locator('[id="error-204005"]')).toBeInViewport();
  await page.getByRole('searchbox', { name: /Find an error/ }).fill('204005');
  await expect(page.getByText(/^1 found$/)).toBeVisible();
  await expect(page.getByText(/^Florin \d+\.\d+\.\d+, interface/)).toBeVisible();
});

test('on a phone code scrolls, the menu and the outline open, and no table is cut off', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/guide/quickstart');
  const code = page.locator('article pre:visible').nth(1);
  expect(await code.evaluate((block) => getComputedStyle(block).whiteSpace)).toBe('pre');
  expect(await code.evaluate((block) => block.scrollWidth > block.clientWidth)).toBe(true);
  await page.locator('summary').filter({ hasText: 'Menu' }).click();
  await expect(
    page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Callbacks' }),
  ).toBeVisible();
  await page.locator('summary').filter({ hasText: 'Menu' }).click();
  await page.locator('summary').filter({ hasText: 'On this page' }).click();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: '2. Pay' }).click();
  await expect(page.getByRole('heading', { name: '2. Pay' })).toBeInViewport();
  for (const slug of ['reference/errors', 'reference/environment', 'reference/metrics']) {
    await page.goto(`/docs/${slug}`);
    const cut = await page
      .locator('article section.scroll')
      .evaluateAll((all) =>
        all
          .filter((section) => section.scrollWidth > section.clientWidth + 1)
          .map((each) => each.getAttribute('aria-label')),
      );
    expect(cut, slug).toEqual([]);
  }
});
