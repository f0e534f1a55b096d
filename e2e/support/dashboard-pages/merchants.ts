// The pages of merchants, their keys and their accounts (MIDs), as a person at a browser uses them.
import { expect, type Page } from '@playwright/test';
import type { Credentials } from '../merchants';

/** What a new account is made with; what is left out keeps the default of the form. */
export type MidWishes = {
  name: string;
  /** Codes as they are typed: `EUR PLN`. */
  currencies?: string;
  /** Identifiers of methods besides the card. */
  methods?: string[];
  mode?: 'SMS' | 'DMS' | 'SMS/DMS';
};

/** What stands below each mode: the words of one begin another's. */
const modeHelp = { SMS: 'Sale only', DMS: 'Authorise now, capture later', 'SMS/DMS': 'The request decides' } as const;

/** Works on these pages in one browser page. */
export function merchantPages(page: Page) {
  /** A key and its password, where the page shows them. */
  async function shownPair(title: RegExp): Promise<{ key: string; password: string }> {
    const region = page.getByRole('region', { name: title });
    await expect(region).toBeVisible();
    const [key = '', password = ''] = await region.locator('dd code').allTextContents();
    return { key, password };
  }

  return {
    shownPair,

    /** Makes a merchant over its form; gives its id and the credentials of its first key. */
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

    /** From a merchant's page to its keys. */
    async openKeys(): Promise<void> {
      await page.getByRole('link', { name: 'Keys', exact: true }).click();
      await expect(page.getByRole('table', { name: 'Keys' })).toBeVisible();
    },

    /** What can be done with a key. */
    async keyMenu(key: string, item: string): Promise<void> {
      await page.getByRole('button', { name: `Actions of key ${key}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    },

    /** The row of a key in the table. */
    keyRow: (key: string) => page.getByRole('row').filter({ hasText: key }),

    /** Makes an account of a merchant, over the sandbox's own provider; gives its id. */
    async createMid(merchantId: string, { name, currencies, methods = [], mode }: MidWishes): Promise<string> {
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

    /** Looks at the difference, saves it and waits for it; `lines` are parts that have to stand in it. */
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
