// Page objects of protocol mappings in the dashboard.
import { expect, type Page } from '@playwright/test';

const protocolTitles = { checkout: 'Checkout', s2s_card: 'S2S CARD', s2s_apm: 'S2S APM' } as const;

/** The columns of the matrix. */
type Place = 'Required' | 'In callbacks' | 'In status';

/** The mapping pages in one browser page. */
export function mappingPages(page: Page) {
  const box = (field: string, place: Place) => page.getByRole('checkbox', { name: `${field}, ${place}`, exact: true });

  /** Reviews the changes and saves them; `lines` are expected parts of the difference. */
  async function save(lines: string[] = []): Promise<void> {
    await page.getByRole('button', { name: /^Review and save/ }).click();
    const dialog = page.getByRole('dialog');
    for (const line of lines) await expect(dialog).toContainText(line);
    await dialog.getByRole('button', { name: /^Save \d+ change/ }).click();
    await expect(page.getByText('Mapping saved.', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Review and save/ })).toHaveCount(0);
  }

  return {
    /** Opens the list, then a merchant's mapping. */
    async open(merchantName: string, protocol: keyof typeof protocolTitles): Promise<void> {
      await page.goto(`/dashboard/mappings?q=${encodeURIComponent(merchantName)}`);
      await page.getByRole('link', { name: `${merchantName}, ${protocolTitles[protocol]}` }).click();
      await page.waitForURL(/\/[0-9a-f-]{36}$/);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(merchantName);
      await page.waitForLoadState('networkidle');
    },
    box,
    save,
    /** Selects SHA-256 as the signature of requests and callbacks, and saves. */
    async useSha256(): Promise<void> {
      await page.getByText('SHA-256', { exact: true }).click();
      await save(['MD5', 'SHA-256']);
    },
    allowlist: () => page.getByRole('textbox', { name: 'Addresses' }),
    defaultAddress: () => page.getByRole('textbox', { name: 'Default callback URL' }),
  };
}
