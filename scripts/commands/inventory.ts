// florin inventory: the scripts that run where payers type card data, with their purpose and integrity (PCI DSS 6.4.3).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

type Tools = typeof import('../../lib/core/script-inventory.ts');

export const inventory = defineCommand({
  usage: `florin inventory                                prints the inventory of this build
florin inventory --check https://pay.example    fetches the scripts from outside and compares them`,
  options: { check: { type: 'string' } },
  run: async ({ check }) => {
    const tools = await import('../../lib/core/script-inventory.ts');
    const manifest = JSON.parse(readFileSync(join(root, 'public', 'sdk', 'manifest.json'), 'utf8'));
    const approved = tools.inventoryOf(manifest);
    if (check !== undefined) {
      const errors = await faultsAt(new URL(check).origin, tools, approved);
      for (const error of errors) console.error(error);
      console.log(
        errors.length === 0 ? `${approved.scripts.length} scripts are as approved.` : 'ALERT: not as approved.',
      );
      return errors.length === 0 ? 0 : 1;
    }
    console.log(`Approved by: ${approved.approved_by}\nSCRIPTS_APPROVED=${approved.digest}\n`);
    for (const { path, integrity, where, why, reads_card: reads } of approved.scripts) {
      console.log(
        `${path}\n  ${integrity}\n  where  ${where}\n  why    ${why}\n  reads card data: ${reads ? 'yes' : 'no'}\n`,
      );
    }
    return 0;
  },
});

async function faultsAt(origin: string, tools: Tools, approved: ReturnType<Tools['inventoryOf']>): Promise<string[]> {
  const errors: string[] = [];
  for (const { path, integrity } of approved.scripts) {
    const answer = await fetch(origin + path);
    const served = answer.ok ? tools.integrityOf(new Uint8Array(await answer.arrayBuffer())) : `HTTP ${answer.status}`;
    if (served !== integrity) errors.push(`${path}: ${served}`);
  }
  for (const page of ['/pay/self-check', '/fields/card']) {
    const answer = await fetch(origin + page);
    const policy = answer.headers.get('content-security-policy');
    errors.push(...tools.pageMismatches(await answer.text(), policy, approved).map((error) => `${page}: ${error}`));
  }
  return errors;
}
