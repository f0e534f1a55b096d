// The part of e2e/audit/seed-many.ts that SQL can't write: the merchants' keys and credentials, sealed by the vault. Provider
// credentials refer to the sandbox provider.

import { env } from '../../lib/config/index.ts';
import { newId } from '../../lib/core/ids.ts';
import { closeDatabase, prisma } from '../../lib/db/index.ts';
import { sandboxProviderSettings } from '../../lib/sandbox/index.ts';
import { seal } from '../../lib/vault/index.ts';

const settings = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey);

const merchantIds = JSON.parse(process.env.SEEDED_MERCHANTS ?? '[]') as string[];
for (const merchantId of merchantIds) {
  const rows = { where: { merchantId }, select: { id: true } };
  for (const { id } of await prisma().mid.findMany(rows)) {
    const account = await seal(JSON.stringify(settings), 'mid-settings', { id, owner: merchantId });
    await prisma().mid.update({ where: { id }, data: { settings: new Uint8Array(account), connector: 'http' } });
  }
  for (const { id } of await prisma().merchantKey.findMany(rows)) {
    const password = await seal(newId(), 'merchant-password', { id, owner: merchantId });
    await prisma().merchantKey.update({ where: { id }, data: { password: new Uint8Array(password) } });
  }
}
await closeDatabase();
