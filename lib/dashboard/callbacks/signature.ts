/**
 * Whether the hash that went out with a callback is right: it is kept with each try and made again here, of the values of
 * the callback and the password of the key that its payment was made with. Pure.
 */

import { type CallbackSignature, type Digest, verify } from '../../core/signatures';
import type { MerchantKey } from '../../merchants';
import type { SentSignature } from '../developers/contract';

type Key = Omit<MerchantKey, 'environment'>;
type EveryKey = { id: string; environment: string; validUntil: Date | null; createdAt: Date };

type SignatureInput = {
  signature: CallbackSignature;
  /** The hash of the last try; null where none was made, `unknown` where it was made before hashes were kept. */
  sent: string | null | 'unknown';
  /** The hash that the next try carries: the one of the last try, where that try's body was kept. */
  next: string;
  /** The payment's own key, by whose password every callback of it is signed. */
  key: Key;
  /** The mapping's digest as it is now. */
  digest: Digest;
  /** Every key of the merchant. */
  keys: readonly EveryKey[];
};

const names: Record<Digest, string> = { md5: 'MD5', sha256: 'SHA-256' };
const digests: readonly Digest[] = ['md5', 'sha256'];

/** What the page of a callback says of its signature at `now`. */
export function sentSignature(given: SignatureInput, now: Date): SentSignature {
  const { signature, sent, next, key, digest } = given;
  const wasSent = sent !== null && sent !== 'unknown';
  const hash = wasSent ? sent : next;
  const values = { ...signature.values, password: key.password };
  const made = digests.find((each) => verify(signature.recipe, values, hash, { digest: each }));
  const keyText = keyTextOf(given, now);
  if (made === undefined) {
    const again =
      wasSent && sent === next
        ? 'A repeat has the same body, so that resending it does not help: ask for the status of the payment.'
        : 'Resend it, and your server gets one that is.';
    const why = `The hash that was sent is not the one of these values under the password of the payment’s key. ${again}`;
    return { valid: false, title: 'Signature does not fit', texts: [`Sent: ${hash}. ${why}`, ...keyText] };
  }
  const texts: string[] = [];
  if (sent === 'unknown') {
    texts.push('The hash of this try was not kept: what was checked is the one that the next try carries.');
  }
  if (wasSent && made !== digest) {
    const again = sent === next ? `a repeat has the same body, in ${names[made]} still` : 'the next try goes by that';
    texts.push(`It went out with ${names[made]}; the mapping says ${names[digest]} by now, and ${again}.`);
  }
  return { valid: true, title: sent === null ? 'Signature ready' : 'Signature valid', texts: [...texts, ...keyText] };
}

/** That another key is in use by now, which the callbacks of earlier payments are not signed with. */
function keyTextOf({ key, keys }: SignatureInput, now: Date): string[] {
  const own = keys.find(({ id }) => id === key.id);
  if (!own) return [];
  const later = keys.filter(({ environment, createdAt }) => {
    return environment === own.environment && createdAt > own.createdAt;
  });
  const ended = own.validUntil !== null && own.validUntil <= now;
  if (!ended && (own.validUntil === null || later.length === 0)) return [];
  const tail = key.key.slice(-4);
  const since = ended ? 'has ended' : 'is being replaced';
  return [
    `The payment’s key (…${tail}) ${since}. Callbacks of its payments stay signed with its password, not with that of a newer key: keep it as long as such payments live.`,
  ];
}
