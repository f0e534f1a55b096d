/**
 * Verifies the hash that was sent with a callback by computing it again from the callback's values and the key. Only the
 * beginning of the sent hash is stored, and is compared.
 */

import { hashStart } from '../../callbacks/index.ts';
import { digestNames } from '../../core/hash-causes/texts.ts';
import { type CallbackSignature, type Digest, sign, type Uppercase } from '../../core/signatures.ts';
import type { MerchantKey, SigningKey } from '../../merchants/index.ts';

type SignatureInput = {
  signature: CallbackSignature;
  /**
   * The beginning of the last attempt's hash, whole in rows of releases before 0.2.0; null without an attempt, `unknown` if
   * it predates the stored hashes.
   */
  sent: string | null | 'unknown';
  /** The whole hash of the next attempt: that of the last one if its body was stored. */
  next: string;
  /** Whether an attempt sent another body than the first one. */
  differs: boolean;
  /** The payment's own key, whose password signs every callback of the payment. */
  key: Omit<MerchantKey, 'environment'>;
  digest: Digest;
  keys: readonly (Pick<SigningKey, 'id' | 'validUntil' | 'createdAt'> & { environment: string })[];
};

const digests: readonly Digest[] = ['md5', 'sha256'];
const readings: readonly Uppercase[] = ['ascii', 'unicode'];

/** What the callback page says about the signature at `now`; `texts` has further remarks. */
export function sentSignature(input: SignatureInput, now: Date) {
  const { sent, digest } = input;
  const wasSent = sent !== null && sent !== 'unknown';
  const next = hashStart(input.next);
  const hash = wasSent ? hashStart(sent) : next;
  const made = digestOf(input, hash);
  const keyText = keyTextOf(input, now);
  if (made === undefined) {
    const again =
      wasSent && hash === next
        ? 'Another attempt sends the same body, so resending does not help. Request the status of the payment instead.'
        : 'Resend it to send a correct one.';
    const why = `The hash that was sent does not match these values and the password of the payment’s key. ${again}`;
    return { valid: false, title: 'Signature invalid', texts: [`Sent: ${hash}…. ${why}`, ...keyText] };
  }
  const texts = input.differs ? [differsText] : [];
  if (sent === 'unknown') {
    texts.push('The hash of this attempt was not stored. The hash of the next attempt was checked instead.');
  }
  if (wasSent && made !== digest) {
    const again =
      hash === next
        ? `another attempt sends the same body, still with ${digestNames[made]}`
        : 'the next attempt uses it';
    texts.push(`It was sent with ${digestNames[made]}. The mapping now uses ${digestNames[digest]}, and ${again}.`);
  }
  return { valid: true, title: sent === null ? 'Signature ready' : 'Signature valid', texts: [...texts, ...keyText] };
}

const differsText =
  'An attempt did not send the body of the first one: data of the payment or the callback were changed in the database.';

/** The digest by which a hash with this beginning signs the values, in either reading of upper case. */
function digestOf({ signature, key }: SignatureInput, start: string): Digest | undefined {
  const values = { ...signature.values, password: key.password };
  return digests.find((digest) =>
    readings.some((uppercase) => hashStart(sign(signature.recipe, values, { digest, uppercase })) === start),
  );
}

/** States that another key is in use now, which does not sign callbacks of earlier payments. */
function keyTextOf({ key, keys }: SignatureInput, now: Date): string[] {
  const own = keys.find(({ id }) => id === key.id);
  if (!own) return [];
  const later = keys.filter(({ environment, createdAt }) => {
    return environment === own.environment && createdAt > own.createdAt;
  });
  const ended = own.validUntil !== null && own.validUntil <= now;
  if (!ended && (own.validUntil === null || later.length === 0)) return [];
  const tail = key.key.slice(-4);
  const since = ended ? 'is revoked' : 'is being rotated';
  return [
    `The payment’s key (…${tail}) ${since}. Callbacks of its payments stay signed with its password, not with that of a newer key: keep the password while such payments are active.`,
  ];
}
