// The part of e2e/audit/seed-many.ts that SQL can't write: the merchants' keys and credentials, sealed by the vault. Provider
// credentials refer to the sandbox provider.

import { env } from '../../lib/config/index.ts';
import { newId } from '../../lib/core/ids.ts';
import { closeDatabase, prisma } from '../../lib/db/index.ts';
import { sandboxProviderSettings } from '../../lib/sandbox/index.ts';
import { seal } from '../../lib/vault/index.ts';

const settings = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey);

const sealed = async (text: string, use: 'merchant-password' | 'mid-settings') => new Uint8Array(await seal(text, use));

const merchantIds = JSON.parse(process.env.SEEDED_MERCHANTS ?? '[]') as string[];
for (const merchantId of merchantIds) {
  const account = await sealed(JSON.stringify(settings), 'mid-settings');
  await prisma().mid.updateMany({ where: { merchantId }, data: { settings: account, connector: 'http' } });
  const password = await sealed(newId(), 'merchant-password');
  await prisma().merchantKey.updateMany({ where: { merchantId }, data: { password } });
}
await closeDatabase();
