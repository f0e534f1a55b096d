// Page objects of wallets in the dashboard.
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { answerRequest, identityFor } from '../certificates.ts';

const names = { applepay: 'Apple Pay', googlepay: 'Google Pay' } as const;
type Kind = keyof typeof names;

const certificates = { processing: 'processing certificate', identity: 'identity certificate' } as const;
type Slot = keyof typeof certificates;

/** The wallet pages in one browser page. */
export function walletPages(page: Page) {
  const dialog = page.getByRole('dialog');
  const steps = (slot: Slot) => page.getByRole('list', { name: `Steps of the ${certificates[slot]}` });

  /** The region of one certificate, with its steps and buttons. */
  const region = (slot: Slot) =>
    page.getByRole('region', { name: slot === 'processing' ? 'Processing certificate' : 'Merchant identity' });

  async function confirm(verb: string): Promise<void> {
    await dialog.getByRole('button', { name: verb }).click();
    await expect(dialog).toHaveCount(0);
  }

  /** Generates a key pair and returns the downloaded request. */
  async function request(slot: Slot): Promise<string> {
    await region(slot)
      .getByRole('button', { name: /generate (a |another )?CSR/i })
      .click();
    await confirm('Generate CSR');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      steps(slot).getByRole('link', { name: 'Download CSR' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${slot}.certSigningRequest`);
    return readFileSync(await download.path(), 'utf8');
  }

  async function upload(slot: Slot, name: string, file: Buffer): Promise<void> {
    await region(slot).getByRole('button', { name: 'Upload certificate' }).click();
    await dialog
      .getByLabel('Certificate', { exact: true })
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: file });
    await dialog.getByRole('button', { name: 'Upload certificate' }).click();
  }

  return {
    dialog,
    steps,
    region,
    upload,
    request,
    /** Opens the wallets of a merchant. */
    async open(merchantId: string): Promise<void> {
      await page.goto(`/dashboard/wallets?merchant=${merchantId}`);
      await page.waitForLoadState('networkidle');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wallets');
    },
    /** Starts a wallet on a merchant's wallets page; `fields` are by label. */
    async create(kind: Kind, fields: Record<string, string>): Promise<void> {
      const verb = `Set up ${names[kind]}`;
      await page.getByRole('button', { name: verb }).click();
      for (const [label, value] of Object.entries(fields))
        await dialog.getByRole('textbox', { name: label, exact: true }).fill(value);
      await dialog.getByRole('button', { name: verb }).click();
      await page.waitForURL(/\/wallets\/[0-9a-f-]{36}$/);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(names[kind]);
      await page.waitForLoadState('networkidle');
    },
    /** Generates the certificate request, lets the test Apple account issue the certificate, and uploads it. */
    async certify(slot: Slot, merchantIdentifier: string): Promise<void> {
      const certificateRequest = await request(slot);
      const issued =
        slot === 'processing'
          ? answerRequest(certificateRequest, merchantIdentifier)
          : Buffer.from(identityFor(certificateRequest, merchantIdentifier));
      await upload(slot, `${slot}.cer`, issued);
      await expect(dialog).toHaveCount(0);
      await expect(steps(slot)).toContainText('Its private key is stored here, encrypted.');
    },
    /** Generates a Google Pay key and returns its public key in Base64. */
    async makeKey(): Promise<string> {
      await page.getByRole('button', { name: 'Generate key' }).click();
      await confirm('Generate key');
      const shown = page.getByRole('list', { name: 'Keys' }).getByText(/^[A-Za-z0-9+/]{86,}={0,2}$/);
      return (await shown.last().textContent()) ?? '';
    },
    /** Enables the wallet for payments. */
    async switchOn(kind: Kind): Promise<void> {
      await page.getByRole('button', { name: `Enable ${names[kind]}` }).click();
      await confirm('Enable');
      await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible();
    },
  };
}
