// Page objects of merchants, their keys and their MIDs in the dashboard.
import { expect, type Page } from '@playwright/test';
import type { Credentials } from '../merchants.ts';

/** The fields of a new MID; omitted ones keep the form's default. */
export type MidFields = {
  name: string;
  /** Codes as typed: `EUR PLN`. */
  currencies?: string;
  /** Identifiers of methods other than cards. */
  methods?: string[];
  mode?: 'SMS' | 'DMS' | 'SMS/DMS';
};

/** The text below each mode, because the name of one mode begins with another. */
const modeHelp = { SMS: 'Sale only', DMS: 'Authorise now, capture later', 'SMS/DMS': 'The request decides' } as const;

/** These pages in one browser page. */
export function merchantPages(page: Page) {
  /** A key and its password while the page shows them. */
  async function shownPair(title: RegExp): Promise<{ key: string; password: string }> {
    const region = page.getByRole('region', { name: title });
    await expect(region).toBeVisible();
    const [key = '', password = ''] = await region.locator('dd code').allTextContents();
    return { key, password };
  }

  return {
    shownPair,

    /** Creates a merchant with the form; returns its id and the credentials of its first key. */
    async create(name: string, site = ''): Promise<{ id: string; credentials: Credentials }> {
      await page.goto('/dashboard/merchants');
      await page.getByRole('link', { name: 'New merchant' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('New merchant');
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('textbox', { name: 'Website' }).fill(site);
      await page.getByText('Shop plugin', { exact: true }).click();
      await page.getByRole('button', { name: 'Create merchant' }).click();
      await expect(page.getByRole('heading', { name: `${name} is created` })).toBeVisible();
      const pair = await shownPair(/First (sandbox|live) key/);
      const href = await page.getByRole('link', { name: 'Settings', exact: true }).getAttribute('href');
      return { id: href?.split('/').at(-1) ?? '', credentials: { ...pair, digest: 'md5' } };
    },

    /** Opens a merchant from the list. */
    async open(name: string): Promise<void> {
      await page.goto(`/dashboard/merchants?q=${encodeURIComponent(name)}`);
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      await page.waitForLoadState('networkidle');
    },

    /** Opens the keys from a merchant's page. */
    async openKeys(): Promise<void> {
      await page.getByRole('link', { name: 'Keys', exact: true }).click();
      await expect(page.getByRole('table', { name: 'Keys' })).toBeVisible();
    },

    /** The actions of a key. */
    async keyMenu(key: string, item: string): Promise<void> {
      await page.getByRole('button', { name: `Actions of key ${key}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    },

    /** The row of a key in the table. */
    keyRow: (key: string) => page.getByRole('row').filter({ hasText: key }),

    /** Creates a MID of a merchant at the sandbox provider; returns its id. */
    async createMid(merchantId: string, { name, currencies, methods = [], mode }: MidFields): Promise<string> {
      await page.goto(`/dashboard/mids/new?merchant=${merchantId}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('New MID');
      await page.waitForLoadState('networkidle');
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      if (mode) await page.getByText(modeHelp[mode], { exact: true }).click();
      if (currencies) {
        const field = page.getByRole('textbox', { name: 'Currencies' });
        await field.fill(currencies);
        await field.press('Enter');
      }
      for (const method of methods) await pickMethod(method);
      await page.getByRole('button', { name: 'Create MID' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      return page.url().split('/').at(-1) ?? '';
    },

    pickMethod,

    /** Opens the difference, saves it and waits until it is saved; `lines` are expected parts. */
    async save(lines: string[] = []): Promise<void> {
      await page.keyboard.press('Control+s');
      const dialog = page.getByRole('dialog');
      for (const line of lines) await expect(dialog).toContainText(line);
      await dialog.getByRole('button', { name: /^Save \d+ change/ }).click();
      await expect(page.getByText(/^(MID|Merchant) saved\.$/)).toBeVisible();
      await expect(page.getByRole('button', { name: /^Review and save/ })).toHaveCount(0);
    },
  };

  async function pickMethod(method: string): Promise<void> {
    await page.getByRole('button', { name: 'Methods', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(method);
    await page
      .getByRole('checkbox', { name: new RegExp(`^${method}\\b`) })
      .first()
      .check({ force: true });
    await page.keyboard.press('Escape');
  }
}
