// Page objects of the payment page in a browser. The base class records what no page may do (violate its policy, throw
// in its script, load from another origin) and can check the whole page with axe.
import { expect, type FrameLocator, type Locator, type Page, type Request, type Response } from '@playwright/test';
import { violationsOf } from './accessible.ts';
import type { Card } from './payer.ts';

/** Opens a page and waits until its script has run and has the answers to its first requests. */
export async function open(page: Page, address: string): Promise<Response | null> {
  const busy = new Set<Request>();
  const begin = (request: Request) => {
    if (request.resourceType() !== 'eventsource') busy.add(request);
  };
  const end = (request: Request) => busy.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  const answer = await page.goto(address);
  await page.waitForLoadState('networkidle');
  // On a busy machine the script runs only after a pause in which nothing is loaded.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  await expect.poll(() => busy.size).toBe(0);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  return answer;
}

/** Expects that the page has no horizontal scroll bar. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

/** Waits for a payer's page in this state, such as `form`, `present` or `receipt`. */
export async function expectState(page: Page, state: string): Promise<void> {
  const current = async () => JSON.parse((await page.locator('#page-data').textContent()) ?? '{}').state;
  await expect.poll(() => current().catch(() => 'none')).toBe(state);
}

/** The errors of a browser page so far. */
export type Watch = { faults: string[] };

/** Starts to watch a page. Call it before the first navigation. */
export async function watch(page: Page, florin: string, allowed: string[] = []): Promise<Watch> {
  const errors: string[] = [];
  const origins = new Set([new URL(florin).origin, ...allowed]);
  page.on('pageerror', (error) => errors.push(`script: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (/content security policy|trusted type|refused to/i.test(text)) errors.push(`policy: ${text}`);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.has(origin)) errors.push(`loaded: ${request.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  return { faults: errors };
}

/** Checks every axe rule on the visible page, frames included. */
export async function expectAccessible(page: Page): Promise<void> {
  // After a change without a reload the title follows a moment after the contents.
  await expect(page).toHaveTitle(/\S/);
  // A dialog that is still appearing has less contrast.
  await expect
    .poll(() =>
      page.evaluate(() =>
        document
          .getAnimations()
          .some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity),
      ),
    )
    .toBe(false);
  // The bank's document has landmarks of its own.
  const hasBank = (await page.locator('iframe[name=challenge]').count()) > 0;
  // The links of the dashboard's rows have names without the text of their cell. The rule is not experimental since
  // axe 4.14.
  const isDashboard = new URL(page.url()).pathname.startsWith('/dashboard');
  const violations = await violationsOf(page, {
    disabled: [
      ...(hasBank ? ['landmark-unique', 'landmark-no-duplicate-main'] : []),
      ...(isDashboard ? ['label-content-name-mismatch'] : []),
    ],
  });
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary}`).join('; ')}`,
  );
  expect(findings).toEqual([]);
}

/** Opens the dashboard's command menu and types once it takes keys; Enter chooses the first option that has the name. */
export async function chooseCommand(page: Page, text: string, option: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Commands' })).toBeFocused();
  await page.keyboard.type(text);
  await expect(page.getByRole('option', { name: option, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
}

/** The payment page. Names are those of the English page. */
export class PayPage {
  readonly page: Page;
  readonly number: Locator;
  readonly expiry: Locator;
  readonly code: Locator;
  readonly holder: Locator;
  readonly payButton: Locator;
  readonly alert: Locator;
  readonly bank: FrameLocator;
  readonly receipt: Locator;

  constructor(page: Page, root: Page | FrameLocator = page) {
    this.page = page;
    this.number = root.locator('input[name=card_number]');
    this.expiry = root.locator('input[name=card_expiry]');
    this.code = root.locator('form:has(input[name=card_number]) input[name=card_cvv]');
    this.holder = root.locator('input[name=card_holder]');
    this.payButton = root.locator('form[data-pay]:has(input[name=card_number]) button[type=submit]');
    this.alert = root.locator('#alert');
    this.bank = root.frameLocator('iframe[name=challenge]');
    this.receipt = root.locator('a[data-return]');
  }

  /** Types a card key by key. */
  async type(card: Card): Promise<void> {
    await this.number.pressSequentially(card.number.replaceAll(' ', ''));
    await this.expiry.pressSequentially(card.expiry.replace('/', ''));
    await this.code.pressSequentially(card.cvv ?? '123');
    await this.holder.fill(card.holder ?? 'Ana Petrovic');
  }

  /** Types a card and presses the button. */
  async payWith(card: Card): Promise<void> {
    await this.type(card);
    await this.payButton.click();
  }

  /** The message below a field. */
  messageOf(name: string): Locator {
    return this.page.locator(`[data-field=${name}] .below`).first();
  }
}
