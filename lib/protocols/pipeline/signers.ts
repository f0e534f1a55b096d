// Verifies the two signatures of a request, the contract's hash and X-Florin-Signature, with the keys that may sign it.
import { throwFieldErrors } from '../../core/errors.ts';
import { checkSignature, signatureHeader, timestampHeader } from '../../core/request-signature.ts';
import { type RecipeName, type SignatureValues, signsRequest } from '../../core/signatures.ts';
import { type HttpRequest, signedBytes } from '../../http/index.ts';
import type { Caller, KnownCaller, Mapping, MerchantKey } from '../../merchants/index.ts';
import { kindOfId } from '../../payments/index.ts';
import { claimSignature } from '../../risk/index.ts';

/** How a request is signed: the accepted recipes and the raw values that they use. */
export type Signature = {
  recipe: RecipeName | readonly RecipeName[];
  values: Omit<SignatureValues, 'password'>;
  hash: string;
};

type Keys = Pick<Caller, 'key' | 'signers'>;

// A request that names its key is signed with that key alone.
const signersOf = ({ key, signers = [key] }: Keys) => signers;

/** The signer whose password made the hash; null for a wrong hash, and for one that the payer knows. */
export async function signerOf(caller: KnownCaller, signature: Signature): Promise<MerchantKey | null> {
  const kindOf = (id: string) => kindOfId(caller.merchant.id, id);
  const { digest } = caller.mapping;
  for (const key of signersOf(caller)) {
    const values = { ...signature.values, password: key.password };
    if (await signsRequest({ ...signature, values }, { digest, kindOf })) return key;
  }
  return null;
}

/** Whether a request carries or needs an X-Florin-Signature, and no key is left that could have made it. */
export function lacksLiveKey(caller: KnownCaller, { headers }: HttpRequest): boolean {
  return signersOf(caller).length === 0 && (caller.mapping.signedRequests || headers.has(signatureHeader));
}

/**
 * Refuses a missing, wrong, expired or used X-Florin-Signature; the field error names the header. False: none is needed or
 * sent, or there is no key to verify it with ({@link lacksLiveKey}).
 */
export async function requireSignature(
  caller: Keys & { mapping: Pick<Mapping, 'signedRequests'> },
  request: HttpRequest,
): Promise<boolean> {
  const { headers } = request;
  const received = { timestamp: headers.get(timestampHeader), signature: headers.get(signatureHeader) };
  const keys = signersOf(caller);
  if (keys.length === 0 || (!caller.mapping.signedRequests && received.signature === null)) return false;
  const { pathname, search } = new URL(request.url);
  const body = request.method === 'GET' ? Buffer.from(search.slice(1)) : signedBytes(request);
  const signed = body && { path: pathname, body };
  const at = new Date();
  const results = keys.map(({ id, password }) => ({ id, ...checkSignature(received, signed, password, at) }));
  const valid = results.find((result) => 'mac' in result);
  if (!valid) return throwFieldErrors(results.slice(0, 1).filter((result) => 'text' in result));
  if (await claimSignature(valid.id, valid.mac, valid.goodUntil)) return true;
  return throwFieldErrors([{ path: signatureHeader, text: 'This value was used before.' }]);
}
