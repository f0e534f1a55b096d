// The pages of protocol mappings, as a person at a browser uses them.
import { expect, type Page } from '@playwright/test';

const protocolTitles = { checkout: 'Checkout', s2s_card: 'S2S CARD', s2s_apm: 'S2S APM' } as const;

/** The columns of the matrix. */
type Place = 'Required' | 'In callbacks' | 'In status';

/** Works on the mapping pages of one browser page. */
export function mappingPages(page: Page) {
  const box = (field: string, place: Place) => page.getByRole('checkbox', { name: `${field}, ${place}`, exact: true });

  /** Reviews the changes and saves them; `lines` are parts of the difference that has to be shown. */
  async function save(lines: string[] = []): Promise<void> {
    await page.getByRole('button', { name: /^Review and save/ }).click();
    const dialog = page.getByRole('dialog');
    for (const line of lines) await expect(dialog).toContainText(line);
    await dialog.getByRole('button', { name: /^Save \d+ change/ }).click();
    await expect(page.getByText('Mapping saved.', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Review and save/ })).toHaveCount(0);
  }

  return {
    /** Opens the list and from there a merchant's mapping. */
    async open(merchantName: string, protocol: keyof typeof protocolTitles): Promise<void> {
      await page.goto(`/dashboard/mappings?q=${encodeURIComponent(merchantName)}`);
      await page.getByRole('link', { name: `${merchantName}, ${protocolTitles[protocol]}` }).click();
      await page.waitForURL(/\/[0-9a-f-]{36}$/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(merchantName);
      await page.waitForLoadState('networkidle');
    },
    box,
    save,
    /** Lets requests and callbacks be signed by SHA-256, and saves. */
    async useSha256(): Promise<void> {
      await page.getByText('SHA-256', { exact: true }).click();
      await save(['MD5', 'SHA-256']);
    },
    allowlist: () => page.getByRole('textbox', { name: 'Addresses' }),
    defaultAddress: () => page.getByRole('textbox', { name: 'Default callback URL' }),
  };
}
