// The work of the vault's commands, on the process's settings.
import { isDeepStrictEqual } from 'node:util';
import { audit, auditKeyUnder, restartAuditLog } from '../../lib/auth/index.ts';
import { env, readEnv } from '../../lib/config/index.ts';
import { digitsOf, numberError } from '../../lib/core/cards.ts';
import { now } from '../../lib/db/clock.ts';
import { closeDatabase } from '../../lib/db/index.ts';
import {
  areDataKeysLost,
  countOtherConnections,
  discardSealed,
  exchangeVaultKey,
  findCards,
  findPresentations,
  forgetOldKey,
  type KeySource,
  KmsError,
  keySourceOf,
  RotationError,
  replaceLinkKey,
  replaceSessionsKey,
  rotateFingerprintKey,
  rotateSealKey,
} from '../../lib/vault/index.ts';

export { closeDatabase, KmsError, RotationError };

const say = (line: string) => console.log(line);

/** The options of `npm run florin -- vault rotate`. */
export type Options = {
  what: 'seal' | 'fingerprint' | 'links' | 'sessions' | 'new-key' | 'forget-old-key';
  lead: number;
  settle: number;
};

const rotated: Record<Options['what'], string> = {
  seal: 'data key',
  fingerprint: 'fingerprint key',
  links: 'key of links',
  sessions: 'secret of sessions',
  'new-key': 'key of the vault',
  'forget-old-key': 'old key of the vault',
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
  if (what === 'fingerprint') return rotateFingerprintKey(options);
  if (what === 'links') return replaceLinkKey(options);
  if (what === 'sessions') return replaceSessionsKey(say);
  return forgetOldKey(say);
}

// The entry is written after the exchange: before it no process with the new key could decrypt the key of the log.
async function exchangeKeys(): Promise<void> {
  await exchangeVaultKey(oldSource(), say);
  await auditRotation('new-key');
}

/**
 * Replaces the data keys whose key was lost, with everything that only they decrypt, and continues the audit log in the
 * same transaction. A killed run is repeated.
 */
export async function replaceLostKey(): Promise<void> {
  if ((await countOtherConnections()) > 0)
    throw new RotationError('Other processes of Florin use this database: stop them. They may have the key.');
  if (!(await areDataKeysLost()))
    throw new RotationError('The key of the settings decrypts the data keys: nothing was changed.');
  const counts = await discardSealed((discarded, linkKey, run) =>
    restartAuditLog(discarded, auditKeyUnder(linkKey), now(), run),
  );
  say('The data keys are new, and the audit log continues under them. Removed or replaced:');
  say(`  ${counts.passwords} passwords of merchants, replaced`);
  say(`  ${counts.mids} MIDs, disabled and without address and credentials`);
  say(`  ${counts.cards} card numbers and the tokens of all cards, ${counts.wallets} wallets, removed`);
  say(`  ${counts.messages} texts of messages and the parameters of ${counts.parameters} payments, removed`);
  say(`  ${counts.presentations} card numbers that payers are shown, removed until the provider is asked again`);
}

/** The settings of the key; those of the running processes have the ending _OLD. */
const keySettings = ['VAULT_KEY', 'VAULT_KEY_FILE', 'VAULT_KMS'];

function oldSource(): KeySource {
  const old = Object.fromEntries(keySettings.map((name) => [name, process.env[`${name}_OLD`]]));
  if (keySettings.every((name) => !old[name]?.trim())) {
    throw new RotationError(
      'VAULT_KEY_OLD is missing (or VAULT_KEY_FILE_OLD, VAULT_KMS_OLD): the key that the processes run with; ' +
        'VAULT_KEY, VAULT_KEY_FILE or VAULT_KMS is the new one.',
    );
  }
  // A sandbox needs a key of its own also beside a service.
  if (old.VAULT_KMS?.trim() && env.appEnv === 'sandbox') old.VAULT_KEY ??= Buffer.from(env.vaultKey).toString('base64');
  const settings = readEnv({ ...process.env, ...old });
  const keyOf = ({ vaultKey, vaultKms }: typeof settings) => vaultKms ?? vaultKey;
  if (isDeepStrictEqual(keyOf(settings), keyOf(env))) throw new RotationError('The new key is the old one.');
  return keySourceOf(settings);
}

/** Prints every vault row of the card, masked. Returns their number. */
export async function find(typed: string): Promise<number> {
  const number = digitsOf(typed);
  if (numberError(number) !== null) throw new RotationError('That is no card number.');
  const found = await findCards(number);
  const presented = await findPresentations(number);
  const count = found.length + presented.length;
  await audit({ actor: 'command', action: 'vault.find', subject: 'vault', after: { found: count } }, now());
  for (const card of found) {
    const expiry = card.expMonth === 0 ? 'no date' : `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
    console.log(`${card.first6}******${card.last4}  ${expiry}  card ${card.id}`);
    console.log(`  merchant ${card.merchantId} (${card.merchant}), ${card.payments} payments, ${card.tokens} tokens`);
  }
  for (const { id, merchantId, merchant, masked } of presented) {
    console.log(`${masked}  presented to the payer of transaction ${id}`);
    console.log(`  merchant ${merchantId} (${merchant}), until the transaction is final`);
  }
  console.log(count === 0 ? 'No row of the vault holds this card.' : `${count} rows hold this card.`);
  return count;
}
