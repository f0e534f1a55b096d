/**
 * Every script that runs where a payer types card data, and why it is there (PCI DSS 6.4.3); and how a page and the files
 * that it loads are held against that list (11.6.1). A script that is not in this table is not let onto a payer's page.
 */
import { createHash } from 'node:crypto';

export type ScriptRow = {
  /** The name in public/sdk/manifest.json, which has file and integrity. */
  name: string;
  /** Where it runs. */
  where: string;
  why: string;
  /** Whether it may read what a payer types. */
  readsCard: boolean;
};

/** Who lets a change of this table, and of the sources that the scripts are built from, into a release. */
export const approvedBy = "The project's maintainers, by review of every change of lib/browser";

/** The inventory. None of them loads another one; nothing is loaded from another party. */
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
    why: 'Formats and checks one field of the card, and submits the fields together to the service',
    readsCard: true,
  },
  {
    name: 'hosted-fields.js',
    where: "The merchant's page with hosted fields",
    why: 'Puts the frames into the page and tells the page what they say; no digit of a card leaves a frame',
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
    why: 'Shows how a shop uses hosted fields; absent from production',
    readsCard: false,
  },
];

/** What public/sdk/manifest.json says of each built file. */
export type ScriptManifest = { [name: string]: { file: string; integrity: string } };

/** The inventory with what the build has made of each script, as /sdk/inventory.json publishes it. */
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

/** The integrity of bytes, in the words of Subresource Integrity. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

const attributeOf = (tag: string, name: string) => new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];

/** What is wrong with the scripts of a payer's page and with the policy that it is sent with; sentences. */
export function pageMismatches(html: string, policy: string | null, { scripts }: Inventory): string[] {
  const faults: string[] = [];
  for (const [tag] of html.matchAll(/<script\b[^>]*>/gi)) {
    // A block of data is not carried out.
    if (/^application\/(ld\+)?json$/i.test(attributeOf(tag, 'type') ?? '')) continue;
    const src = attributeOf(tag, 'src');
    const known = scripts.find(({ path }) => path === src);
    if (src === undefined) faults.push('a script that is written into the page');
    else if (!known) faults.push(`${src} is not in the inventory`);
    else if (attributeOf(tag, 'integrity') !== known.integrity) faults.push(`${src} without its integrity`);
  }
  const handlers = html.replace(/<!--.*?-->/gs, '').match(/<[a-z][^>]*\son[a-z]+\s*=/gi);
  if (handlers) faults.push('an event handler that is written into the page');
  const sources = /(?:^|;)\s*script-src ([^;]*)/i.exec(policy ?? '')?.[1];
  if (!sources?.split(/\s+/).every((source) => /^'nonce-[\w+/=-]{16,}'$/.test(source))) {
    faults.push(`a policy that lets in other scripts: ${sources ?? 'no script-src'}`);
  }
  return faults;
}
