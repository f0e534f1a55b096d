// Reads a page of the documentation and fills its template with the deployment's URLs, the reader's key, and generated
// examples and tables.
import { checkoutBaseUrl, env, protocolBaseUrl } from '../config/index.ts';
import { demoMerchant } from '../core/demo-merchant.ts';
import { demoHash, demoOrder, fieldsShopUrl, sessionCurl } from '../core/demo-request.ts';
import { sandboxCode } from '../core/sandbox-cards.ts';
import { sign } from '../core/signatures.ts';
import { methods } from '../methods/catalog.ts';
import { type DocPage, docPages, sourceOf } from './pages.ts';
import { orderNumberFor, publicReader, type Reader } from './reader-credentials.ts';
import { exampleBlocks, receiverBlocks } from './request-samples.ts';
import { tables } from './tables.ts';

/** Returns a page with its text; null for an unknown slug. */
export function readPage(slug: string, reader: Reader = publicReader()): { page: DocPage; text: string } | null {
  const page = docPages.find((each) => each.slug === slug);
  if (!page) return null;
  const source = sourceOf(page.slug);
  if (!source) throw new Error(`docs/${page.slug}.md is missing.`);
  return { page, text: source.isTemplate ? fill(source.text, reader) : source.text };
}

const directive = /^<!-- (insert|example|receiver): ([\w-]+) -->$/gm;

/** Replaces the directives of a template with tables, examples and receivers, and its placeholders with values. */
export function fill(text: string, reader: Reader): string {
  const values = valuesFor(reader);
  const whole = text.replace(directive, (_, kind: string, name: string) => partOf(kind, name, reader));
  return whole.replace(/\{\{(\w+)\}\}/g, (match, name: string) => values[name] ?? match);
}

function partOf(kind: string, name: string, reader: Reader): string {
  if (kind === 'example') return exampleBlocks(name, reader);
  if (kind === 'receiver') return receiverBlocks(name);
  const table = tables[name];
  if (!table) throw new Error(`There is no table ${name}.`);
  return table();
}

function valuesFor(reader: Reader): Record<string, string> {
  const checkout = checkoutBaseUrl();
  const coins = methods.filter(({ kind, actions }) => kind === 'coin' && actions.includes('SALE'));
  const order_number = orderNumberFor(reader, 'demo');
  return {
    base: env.baseUrl,
    checkout,
    fields_shop: fieldsShopUrl(env.baseUrl),
    card: protocolBaseUrl('s2s_card'),
    apm: protocolBaseUrl('s2s_apm'),
    coin_methods: coins.map(({ id }) => `\`${id}\``).join(', '),
    bank_code: sandboxCode,
    ...demoOrder,
    order_number,
    merchant_key: reader.key,
    password: reader.shownPassword ?? reader.password,
    digest: reader.digest,
    ...signedValues(order_number, checkout, reader),
  };
}

// A reader who may sign gets valid hashes, made with the password of the demo merchant or with the reader's own.
function signedValues(orderId: string, checkout: string, { key, password, digest, maySign = true }: Reader) {
  const curl = sessionCurl(checkout, orderId, env.baseUrl, 2).replace(demoMerchant.key, key);
  if (!maySign) {
    const own = curl.replace(demoHash(orderId), 'YOUR-HASH');
    return { curl: own, hash: 'YOUR-HASH', card_hash: 'YOUR-HASH', apm_hash: 'YOUR-HASH' };
  }
  const options = { digest };
  const { amount, currency } = demoOrder;
  const hash = sign('session', { orderId, ...demoOrder, password }, options);
  return {
    curl: curl.replace(demoHash(orderId), hash),
    hash,
    card_hash: sign('card1', { payerEmail: 'doe@example.com', fragment: '4111111111', password }, options),
    apm_hash: sign('apmSale', { identifier: 'success@gmail.com', orderId, amount, currency, password }, options),
  };
}
