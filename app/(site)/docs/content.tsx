// Finds the text of a page of the documentation and fills in this deployment's addresses and the demo merchant's keys.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inserts } from '../../../components/docs/markdown';
import { type DocPage, docPages } from '../../../components/docs/pages';
import { ErrorTable, FieldTextTable, MoveTable, SandboxCardTable, StateTable } from '../../../components/docs/tables';
import { demoMerchant } from '../../../lib/core/demo';
import { demoHash, demoOrder, sessionCurl } from '../../../lib/core/demo-request';
import { sandboxCode } from '../../../lib/core/sandbox-cards';
import { sign } from '../../../lib/core/signatures';
import { env } from '../../../lib/env';
import { checkoutStatus } from '../../../lib/protocols/record';

export const inserts: Inserts = {
  'sandbox-cards': () => <SandboxCardTable />,
  errors: () => <ErrorTable />,
  'field-texts': () => <FieldTextTable />,
  states: () => <StateTable words={checkoutStatus} />,
  moves: () => <MoveTable words={checkoutStatus} />,
};

/** A page and its text; null for an address that has none. */
export async function readDoc(slug: string): Promise<{ page: DocPage; text: string } | null> {
  const page = docPages.find((each) => each.slug === slug);
  if (!page) return null;
  const text = await readFile(join(process.cwd(), 'docs', `${page.slug}.md`), 'utf8');
  const values = docValues();
  return { page, text: text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole) };
}

// Production has no demo merchant: its examples show where the merchant's own values go.
function docValues(): Record<string, string> {
  const checkout = env.checkoutHost ? `${new URL(env.baseUrl).protocol}//${env.checkoutHost}` : env.baseUrl;
  const card = env.s2sCardHost ? `${new URL(env.baseUrl).protocol}//${env.s2sCardHost}` : `${env.baseUrl}/s2s/card`;
  const common = { base: env.baseUrl, checkout, card, bank_code: sandboxCode, ...demoOrder };
  const order_number = `demo-${randomBytes(4).toString('hex')}`;
  const curl = sessionCurl(checkout, order_number, env.baseUrl, 2);
  const hash = demoHash(order_number);
  if (env.appEnv === 'sandbox') {
    const { key: merchant_key, password } = demoMerchant;
    return { ...common, order_number, curl, hash, card_hash: cardHash(password), merchant_key, password };
  }
  const hashes = { hash: 'YOUR-HASH', card_hash: 'YOUR-HASH' };
  const own = { order_number: 'ORDER', merchant_key: 'YOUR-KEY', password: 'YOUR-PASSWORD', ...hashes };
  const ownCurl = curl.replace(demoMerchant.key, own.merchant_key).replace(hash, own.hash);
  return { ...common, ...own, curl: ownCurl.replace(order_number, own.order_number) };
}

// Formula 1 over the card and the e-mail of the example.
function cardHash(password: string): string {
  const values = { payerEmail: 'doe@example.com', fragment: '4111111111', password };
  return sign('card1', values, { digest: 'md5' });
}
