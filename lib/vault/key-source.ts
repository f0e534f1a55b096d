/**
 * Where the key is that encrypts the data keys: in the settings of this process (VAULT_KEY, VAULT_KEY_FILE), or in a key
 * management service (VAULT_KMS), which this process asks once for each data key.
 */
import { hkdfSync } from 'node:crypto';
import { type Env, env, readKmsAddress } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { metrics } from '../telemetry/index.ts';
import { awsKms } from './aws-kms.ts';
import { type KeyEncryption, localKey } from './key-encryption.ts';
import { transit } from './transit.ts';

/** The source of the key, with its setting for messages. */
export type KeySource = KeyEncryption & {
  setting: 'VAULT_KEY' | 'VAULT_KEY_FILE' | 'VAULT_KMS';
  /** The secret of sessions that earlier releases derived from VAULT_KEY; null with a service. */
  earlierSessionSecret: Buffer | null;
};

/** The source that settings name. A service has precedence: a sandbox has VAULT_KEY beside it. */
export function keySourceOf(settings: Env): KeySource {
  const { vaultKey, vaultKms } = settings;
  const address = vaultKms === null ? undefined : readKmsAddress(vaultKms);
  if (address) {
    const service = address.kind === 'transit' ? transit(address, settings) : awsKms(address, settings);
    return { ...counted(service), setting: 'VAULT_KMS', earlierSessionSecret: null };
  }
  return {
    ...counted(localKey(Buffer.from(vaultKey))),
    setting: settings.vaultKeyFile === null ? 'VAULT_KEY' : 'VAULT_KEY_FILE',
    earlierSessionSecret: Buffer.from(hkdfSync('sha256', vaultKey, 'florin', 'dashboard sessions', 32)),
  };
}

const current = processWide('key-source', () => ({ source: undefined as KeySource | undefined }));

/** The source of this process's settings. */
export function keySource(): KeySource {
  current.source ??= keySourceOf(env);
  return current.source;
}

function counted({ wrap, unwrap }: KeyEncryption): KeyEncryption {
  const count = async <T>(call: 'wrap' | 'unwrap', work: Promise<T>): Promise<T> => {
    const result = await work.catch((err) => {
      metrics.dataKeys.inc({ call, result: 'failed' });
      throw err;
    });
    metrics.dataKeys.inc({ call, result: result === null ? 'refused' : 'done' });
    return result;
  };
  return {
    wrap: (key, context) => count('wrap', wrap(key, context)),
    unwrap: (wrapped, context) => count('unwrap', unwrap(wrapped, context)),
  };
}
