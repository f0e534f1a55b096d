// Page objects of routing in the dashboard.
import { expect, type Locator, type Page } from '@playwright/test';

const protocolTitles = { checkout: 'Checkout', s2s_card: 'S2S CARD', s2s_apm: 'S2S APM' } as const;

/** The values in the dialog of a rule. */
export type RuleWritten = {
  name: string;
  /** Currency codes. */
  currencies?: string[];
  amountFrom?: string;
  /** Names of MIDs with their weights. */
  targets: [name: string, weight: string][];
};

/** The routing pages in one browser page. */
export function routingPages(page: Page) {
  const dialog = () => page.getByRole('dialog');
  const rules = () => page.getByRole('list', { name: 'Rules', exact: true });

  async function pick(label: string, values: string[]): Promise<void> {
    await dialog().getByRole('button', { name: label }).click();
    const search = page.getByRole('searchbox', { name: 'Search' });
    for (const value of values) {
      await search.fill(value);
      await page.getByRole('checkbox', { name: new RegExp(`^${value}\\b`) }).check();
    }
    await page.keyboard.press('Escape');
    await expect(search).toHaveCount(0);
  }

  async function writeTargets(targets: RuleWritten['targets']): Promise<void> {
    for (const [at, [name, weight]] of targets.entries()) {
      const select = dialog().getByRole('combobox', { name: `MID ${at + 1}`, exact: true });
      if ((await select.count()) === 0) await dialog().getByRole('button', { name: 'Add MID' }).click();
      await select.selectOption({ label: name });
      await dialog()
        .getByRole('textbox', { name: `Weight of MID ${at + 1}`, exact: true })
        .fill(weight);
    }
  }

  return {
    /** Opens the list, then a merchant's routing. */
    async open(merchantName: string, protocol: keyof typeof protocolTitles): Promise<void> {
      await page.goto(`/dashboard/routing?q=${encodeURIComponent(merchantName)}`);
      await page.getByRole('link', { name: `${merchantName}, ${protocolTitles[protocol]}` }).click();
      await page.waitForURL(/\/[0-9a-f-]{36}$/);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(merchantName);
      await page.waitForLoadState('networkidle');
    },
    rules,
    /** The names of the rules in order. */
    names: () => rules().getByRole('heading', { level: 3 }).allTextContents(),
    handle: (name: string): Locator => page.getByRole('button', { name: `Move ${name}`, exact: true }),
    /** Adds a rule to the draft with the dialog. */
    async add({ name, currencies = [], amountFrom, targets }: RuleWritten): Promise<void> {
      await page.getByRole('button', { name: 'Add rule', exact: true }).click();
      await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      if (currencies.length > 0) await pick('Currency', currencies);
      if (amountFrom !== undefined) await dialog().getByRole('textbox', { name: 'Amount from' }).fill(amountFrom);
      await writeTargets(targets);
      await dialog()
        .getByRole('button', { name: /^Add rule/ })
        .click();
      await expect(dialog()).toHaveCount(0);
      await expect(rules().getByRole('button', { name, exact: true })).toBeVisible();
    },
    /** An item of a rule's menu. */
    async choose(name: string, action: string): Promise<void> {
      await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action }).click();
    },
    async runDry(): Promise<void> {
      await page.getByRole('button', { name: /^(Simulate|Simulate again)$/ }).click();
      await expect(page.getByRole('button', { name: 'Publish draft' })).toBeVisible();
    },
    /** Publishes the simulated draft. */
    async publish(): Promise<void> {
      await page.getByRole('button', { name: 'Publish draft' }).click();
      await dialog()
        .getByRole('button', { name: /^Publish version/ })
        .click();
      await expect(page.getByText(/^Version \d+ is published\.$/)).toBeVisible();
    },
  };
}
