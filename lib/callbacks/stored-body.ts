/**
 * The body of a callback between its attempts: stored without its hash, because the hash is the merchant's signature and a
 * reader of the database or a backup could replay a signed body. Each attempt makes the hash again and gets the same bytes.
 */
import { createHash } from 'node:crypto';
import { type Digest, sign, type Uppercase } from '../core/signatures.ts';
import { formLimits, readFormText } from '../http/index.ts';
import type { StoredBody } from './queue.ts';
import { type CallbackSubject, callbackSignature } from './render.ts';

const hashField = /(^|&)hash=[^&]*/;
const digestOf = (body: string) => createHash('sha256').update(body).digest();

/** A signed body as it is stored. */
export function storedBodyOf(body: string): StoredBody {
  return { unsignedBody: body.replace(hashField, '$1hash='), bodyDigest: digestOf(body) };
}

/** A callback has its own fields in addition to those of the request. */
const limits = { ...formLimits, fields: 2 * formLimits.fields };

/** Every way in which a mapping signs. */
const signings = (['md5', 'sha256'] as Digest[]).flatMap((digest) =>
  (['ascii', 'unicode'] as Uppercase[]).map((uppercase) => ({ digest, uppercase })),
);

/**
 * The fields of a body. Names that are no form, such as those of a provider's payment data with brackets of their own, remain
 * flat: a hash over all fields has another order then.
 */
export const fieldsOfBody = (body: string) =>
  readFormText(body, limits) ?? Object.fromEntries(new URLSearchParams(body));

/** A body to send; `differs`: it is not the body of the first attempt. */
export type SignedBody = { body: string; differs: boolean };

/**
 * Adds the hash to a stored body. The mapping may have changed since the first attempt; the digest then finds the settings
 * by which that one was signed. The password changes only by `vault replace-lost-key`. If no settings give the first body,
 * the callback is sent with a hash of the current values, because a merchant must hear of the payment, and `differs` is set.
 */
export function signBody(
  stored: StoredBody,
  { payment, caller }: Pick<CallbackSubject, 'payment' | 'caller'>,
): SignedBody {
  const { unsignedBody, bodyDigest } = stored;
  const { recipe, values } = callbackSignature(fieldsOfBody(unsignedBody), payment);
  const signed = (settings: { digest: Digest; uppercase?: Uppercase }) => {
    const hash = sign(recipe, { ...values, password: caller.key.password }, settings);
    return unsignedBody.replace(hashField, `$1hash=${hash}`);
  };
  const current = signed(caller.mapping);
  if (digestOf(current).equals(bodyDigest)) return { body: current, differs: false };
  const first = signings.map(signed).find((body) => digestOf(body).equals(bodyDigest));
  return { body: first ?? current, differs: first === undefined };
}
