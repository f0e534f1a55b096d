/**
 * The scripts of pages where a payer types card data, each with its justification (PCI DSS 6.4.3), and the check of a
 * page against that list (11.6.1). Payer pages load no other script.
 */
import { createHash } from 'node:crypto';

export type ScriptRow = {
  /** The name in public/sdk/manifest.json, which contains file and integrity. */
  name: string;
  where: string;
  why: string;
  /** Whether it may read the payer's input. */
  readsCard: boolean;
};

/** The approver of changes to this table and to the sources of the scripts. */
export const approvedBy = "The project's maintainers, by review of every change of lib/browser";

/** The inventory. No script loads another one; nothing is loaded from third parties. */
export const scriptRows: readonly ScriptRow[] = [
  {
    name: 'pay.js',
    where: 'Every document of the payment page: form, code, redirect, 3-D Secure, waiting, result, expired',
    why: 'Formats and checks what is typed, sends the form without leaving the page, shows the live state, opens wallets',
    readsCard: true,
  },
  {
    name: 'field.js',
    where: 'The frames of hosted fields',
    why: 'Formats and checks the fields of the card, and submits them together to the service',
    readsCard: true,
  },
  {
    name: 'hosted-fields.js',
    where: "The merchant's page with hosted fields",
    why: 'Adds the frames to the page and passes their events to it; no digit of a card leaves a frame',
    readsCard: false,
  },
  {
    name: 'florin-card.js',
    where: "The merchant's page with the element <florin-card>",
    why: 'The same as hosted-fields.js, with labels, boxes and faults around the frames',
    readsCard: false,
  },
  {
    name: 'hosted-fields-react.js',
    where: "The merchant's own bundle, where it is built with React",
    why: 'The same as a component for React; it loads hosted-fields.js with its integrity',
    readsCard: false,
  },
  {
    name: 'shop-fields.js',
    where: "The sandbox's demo shop",
    why: 'Shows how a shop uses hosted fields; not part of production',
    readsCard: false,
  },
];

/** The entries of public/sdk/manifest.json by script. */
export type ScriptManifest = { [name: string]: { file: string; integrity: string } };

/** The inventory with file and integrity of each built script, as /sdk/inventory.json publishes it. */
export function inventoryOf(manifest: ScriptManifest) {
  const scripts = scriptRows.map(({ name, where, why, readsCard }) => {
    const { file = '', integrity = '' } = manifest[name] ?? {};
    return { name, path: `/sdk/${file}`, integrity, where, why, reads_card: readsCard };
  });
  const text = scripts.map(({ path, integrity }) => `${path} ${integrity}`).join('\n');
  const digest = `sha384-${createHash('sha384').update(text).digest('base64')}`;
  return { approved_by: approvedBy, digest, scripts };
}

export type Inventory = ReturnType<typeof inventoryOf>;

/** The integrity of bytes, in the format of Subresource Integrity. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

const attributeOf = (tag: string, name: string) => new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];

/** The deviations of a payer page's scripts and Content-Security-Policy from the inventory, as sentences. */
export function pageMismatches(html: string, policy: string | null, { scripts }: Inventory): string[] {
  const mismatches: string[] = [];
  for (const [tag] of html.matchAll(/<script\b[^>]*>/gi)) {
    // The browser does not execute a data block.
    if (/^application\/(ld\+)?json$/i.test(attributeOf(tag, 'type') ?? '')) continue;
    const src = attributeOf(tag, 'src');
    const known = scripts.find(({ path }) => path === src);
    if (src === undefined) mismatches.push('an inline script');
    else if (!known) mismatches.push(`${src} is not in the inventory`);
    else if (attributeOf(tag, 'integrity') !== known.integrity) mismatches.push(`${src} without its integrity`);
  }
  const handlers = html.replace(/<!--.*?-->/gs, '').match(/<[a-z][^>]*\son[a-z]+\s*=/gi);
  if (handlers) mismatches.push('an inline event handler');
  const sources = /(?:^|;)\s*script-src ([^;]*)/i.exec(policy ?? '')?.[1];
  if (!sources?.split(/\s+/).every((source) => /^'nonce-[\w+/=-]{16,}'$/.test(source))) {
    mismatches.push(`a policy that allows other scripts: ${sources ?? 'no script-src'}`);
  }
  return mismatches;
}
