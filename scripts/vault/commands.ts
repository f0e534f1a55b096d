// The work of the vault's commands, on the process's settings.
import { audit, exchangeAuditKey } from '../../lib/auth/index.ts';
import { env, readEnv } from '../../lib/config/index.ts';
import { digitsOf, numberError } from '../../lib/core/cards.ts';
import { now } from '../../lib/db/clock.ts';
import { closeDatabase } from '../../lib/db/index.ts';
import {
  exchangeVaultKey,
  findCards,
  forgetOldKey,
  RotationError,
  rotateFingerprintKey,
  rotateSealKey,
} from '../../lib/vault/index.ts';

export { closeDatabase, RotationError };

const say = (line: string) => console.log(line);

/** The options of `npm run florin -- vault rotate`. */
export type Options = { what: 'seal' | 'fingerprint' | 'new-key' | 'forget-old-key'; lead: number; settle: number };

const rotated: Record<Options['what'], string> = {
  seal: 'data key',
  fingerprint: 'fingerprint key',
  'new-key': 'VAULT_KEY',
  'forget-old-key': 'old VAULT_KEY',
};

const auditRotation = (what: Options['what']) =>
  audit({ actor: 'command', action: 'vault.rotate', subject: 'vault', after: { what: rotated[what] } }, now());

/** Performs a rotation and prints its progress; a {@link RotationError} carries a message for the operator. */
export async function rotate({ what, lead, settle }: Options): Promise<void> {
  // A process lists the versions every 2 s; between sealing and storing are the pool's 5 s and a statement's 10 s.
  const [leadLeast, settleLeast] = env.appEnv === 'production' ? [5, 30] : [3, 3];
  if (!(lead >= leadLeast)) throw new RotationError(`--lead should be at least ${leadLeast} seconds.`);
  if (!(settle >= settleLeast)) throw new RotationError(`--settle should be at least ${settleLeast} seconds.`);
  const options = { leadSeconds: lead, settleSeconds: settle, report: say };
  if (what === 'new-key') return exchangeKeys();
  await auditRotation(what);
  if (what === 'seal') return rotateSealKey(options);
  return what === 'fingerprint' ? rotateFingerprintKey(options) : forgetOldKey(say);
}

// The entry is under the new key: no process could verify it before the exchange.
async function exchangeKeys(): Promise<void> {
  const old = oldVaultKey();
  await exchangeVaultKey(old, say);
  await exchangeAuditKey(old);
  await auditRotation('new-key');
}

function oldVaultKey(): Uint8Array {
  const old = process.env.VAULT_KEY_OLD?.trim();
  if (!old)
    throw new RotationError('VAULT_KEY_OLD is missing: the key that the processes run with; VAULT_KEY is the new one.');
  const key = readEnv({ ...process.env, VAULT_KEY: old }).vaultKey;
  if (Buffer.from(key).equals(Buffer.from(env.vaultKey))) throw new RotationError('VAULT_KEY is the old key.');
  return key;
}

/** Prints every vault row of the card, masked. Returns their number. */
export async function find(typed: string): Promise<number> {
  const number = digitsOf(typed);
  if (numberError(number) !== null) throw new RotationError('That is no card number.');
  const found = await findCards(number);
  await audit({ actor: 'command', action: 'vault.find', subject: 'vault', after: { found: found.length } }, now());
  for (const card of found) {
    const expiry = card.expMonth === 0 ? 'no date' : `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
    console.log(`${card.first6}******${card.last4}  ${expiry}  card ${card.id}`);
    console.log(`  merchant ${card.merchantId} (${card.merchant}), ${card.payments} payments, ${card.tokens} tokens`);
  }
  console.log(found.length === 0 ? 'No row of the vault holds this card.' : `${found.length} rows hold this card.`);
  return found.length;
}
