// The dashboard on a host of its own, in a browser: its pages load everything from there.
import { signInBrowser } from '../support/dashboard.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

test('sign-in, the overview and the preview of branding work on the host of the dashboard', async ({ page }) => {
  test.slow();
  const server = await startKillableServer({ DASHBOARD_HOST: 'localhost:{port}', BASE_URL: 'http://127.0.0.1:{port}' });
  try {
    const { faults } = await watch(page, server.url);
    await page.goto(server.url);
    await expect(page).toHaveURL(/\/dashboard\/sign-in/);
    await signInBrowser(page.context(), server.url, 'manager');
    await page.goto(server.url);
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(`${server.url}/dashboard/payment-page`);
    await expect(page.frameLocator('iframe').first().locator('form').first()).toBeAttached();
    expect(faults).toEqual([]);
  } finally {
    await server.kill();
  }
});
