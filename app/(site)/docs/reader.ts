// Who reads the documentation: somebody who has signed in to a merchant's sandbox, or anybody.
import { headers } from 'next/headers';
import { type OwnKey, ownKeyOf } from '../../../lib/dashboard/developers/own-key';
import { anybody, type Reader } from '../../../lib/docs/reader';

export async function currentReader(): Promise<{ reader: Reader; own: OwnKey | null }> {
  const own = await ownKeyOf(await headers(), new Date());
  return { reader: own ?? anybody(), own };
}
