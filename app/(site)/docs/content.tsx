// Finds the text of a page of the documentation and fills in this deployment's addresses and the demo merchant's keys.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inserts } from '../../../components/docs/markdown';
import {
  CredentialTable,
  MethodCount,
  MethodTable,
  OwnFieldTable,
  ParameterTable,
} from '../../../components/docs/method-tables';
import { type DocPage, docPages } from '../../../components/docs/pages';
import { ErrorTable, FieldTextTable, MoveTable, SandboxCardTable, StateTable } from '../../../components/docs/tables';
import { demoMerchant } from '../../../lib/core/demo';
import { demoHash, demoOrder, fieldsShopUrl, sessionCurl } from '../../../lib/core/demo-request';
import { sandboxCode } from '../../../lib/core/sandbox-cards';
import { sign } from '../../../lib/core/signatures';
import { env } from '../../../lib/env';
import { methods } from '../../../lib/methods/catalog';
import { checkoutStatus } from '../../../lib/protocols/record';

export const inserts: Inserts = {
  'sandbox-cards': () => <SandboxCardTable />,
  'method-count': () => <MethodCount />,
  methods: () => <MethodTable />,
  'method-parameters': () => <ParameterTable />,
  'method-fields': () => <OwnFieldTable />,
  'method-credentials': () => <CredentialTable />,
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
  const apm = env.s2sApmHost ? `${new URL(env.baseUrl).protocol}//${env.s2sApmHost}` : `${env.baseUrl}/s2s/apm`;
  const coins = methods.filter(({ kind, actions }) => kind === 'coin' && actions.includes('SALE'));
  const coin_methods = coins.map(({ id }) => `\`${id}\``).join(', ');
  const fields_shop = fieldsShopUrl(env.baseUrl);
  const addresses = { base: env.baseUrl, checkout, card, apm, fields_shop };
  const common = { ...addresses, coin_methods, bank_code: sandboxCode, ...demoOrder };
  const order_number = `demo-${randomBytes(4).toString('hex')}`;
  const curl = sessionCurl(checkout, order_number, env.baseUrl, 2);
  const hash = demoHash(order_number);
  if (env.appEnv === 'sandbox') {
    const { key: merchant_key, password } = demoMerchant;
    const hashes = { hash, card_hash: cardHash(password), apm_hash: apmHash(order_number, password) };
    return { ...common, order_number, curl, ...hashes, merchant_key, password };
  }
  const hashes = { hash: 'YOUR-HASH', card_hash: 'YOUR-HASH', apm_hash: 'YOUR-HASH' };
  const own = { order_number: 'ORDER', merchant_key: 'YOUR-KEY', password: 'YOUR-PASSWORD', ...hashes };
  const ownCurl = curl.replace(demoMerchant.key, own.merchant_key).replace(hash, own.hash);
  return { ...common, ...own, curl: ownCurl.replace(order_number, own.order_number) };
}

// The sale of the test wallet, with the amount and currency of every example.
function apmHash(orderId: string, password: string): string {
  const { amount, currency } = demoOrder;
  return sign('apmSale', { identifier: 'success@gmail.com', orderId, amount, currency, password }, { digest: 'md5' });
}

// Formula 1 over the card and the e-mail of the example.
function cardHash(password: string): string {
  const values = { payerEmail: 'doe@example.com', fragment: '4111111111', password };
  return sign('card1', values, { digest: 'md5' });
}
