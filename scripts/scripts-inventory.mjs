// The scripts that run where payers type card data, with their purpose and integrity (PCI DSS 6.4.3).
//   npm run scripts:inventory                                   prints the inventory of this build
//   npm run scripts:inventory -- --check https://pay.example    fetches them from outside and compares
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from './bundle.mjs';
import { root } from './project.mjs';

const { integrityOf, inventoryOf, pageMismatches } = await importTypeScript('lib/core/script-inventory.ts');
const inventory = inventoryOf(JSON.parse(readFileSync(join(root, 'public', 'sdk', 'manifest.json'), 'utf8')));
const [flag, address] = process.argv.slice(2);

if (flag === '--check' && address) {
  const errors = await faultsAt(new URL(address).origin);
  for (const error of errors) console.error(error);
  console.log(errors.length === 0 ? `${inventory.scripts.length} scripts are as approved.` : 'ALERT: not as approved.');
  process.exitCode = errors.length === 0 ? 0 : 1;
} else {
  console.log(`Approved by: ${inventory.approved_by}\nSCRIPTS_APPROVED=${inventory.digest}\n`);
  for (const { path, integrity, where, why, reads_card: reads } of inventory.scripts) {
    console.log(
      `${path}\n  ${integrity}\n  where  ${where}\n  why    ${why}\n  reads card data: ${reads ? 'yes' : 'no'}\n`,
    );
  }
}

async function faultsAt(origin) {
  const errors = [];
  for (const { path, integrity } of inventory.scripts) {
    const answer = await fetch(origin + path);
    const served = answer.ok ? integrityOf(new Uint8Array(await answer.arrayBuffer())) : `HTTP ${answer.status}`;
    if (served !== integrity) errors.push(`${path}: ${served}`);
  }
  for (const page of ['/pay/self-check', '/fields/card']) {
    const answer = await fetch(origin + page);
    const policy = answer.headers.get('content-security-policy');
    errors.push(...pageMismatches(await answer.text(), policy, inventory).map((error) => `${page}: ${error}`));
  }
  return errors;
}
