/**
 * Method parameters that may be card numbers. The provider gets them, at the first attempt and at any later one; the
 * database holds them sealed, beside the others, under a name that no method has.
 */
import type { Payment } from './payment';
import { seal, unseal } from './vault';

const place = 'card:sealed';
const label = 'card-parameters';

/** The member of a payment's parameters that holds these; without any it takes an earlier one away. */
export async function sealedParameters(secret: Record<string, string>): Promise<Record<string, string | null>> {
  if (Object.keys(secret).length === 0) return { [place]: null };
  return { [place]: (await seal(JSON.stringify(secret), label)).toString('base64') };
}

/** What was sealed with a payment, for its provider's eyes. */
export async function openParameters({ parameters }: Pick<Payment, 'parameters'>): Promise<Record<string, string>> {
  const sealed = parameters[place];
  return typeof sealed === 'string' ? JSON.parse(await unseal(Buffer.from(sealed, 'base64'), label)) : {};
}
