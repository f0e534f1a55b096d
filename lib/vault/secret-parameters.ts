/**
 * Method parameters that must not be read: what may be a card number, a voucher's code. The provider gets them, at the
 * first attempt and at any later one; the database holds them sealed, beside the others, under a name that no method has.
 */
import type { Payment } from '../core/payment';
import { seal, unseal } from './seal';

const parameterKey = (method: string) => `${method}:sealed`;
const label = 'card-parameters';

/** The member of a payment's parameters that holds a method's; without any it takes an earlier one away. */
export async function sealParameters(
  method: string,
  secret: Record<string, string>,
): Promise<Record<string, string | null>> {
  if (Object.keys(secret).length === 0) return { [parameterKey(method)]: null };
  return { [parameterKey(method)]: (await seal(JSON.stringify(secret), label)).toString('base64') };
}

/** What was sealed with a payment for a method, for its provider's eyes. */
export async function decryptParameters(
  { parameters }: Pick<Payment, 'parameters'>,
  method: string,
): Promise<Record<string, string>> {
  const sealed = parameters[parameterKey(method)];
  return typeof sealed === 'string' ? JSON.parse(await unseal(Buffer.from(sealed, 'base64'), label)) : {};
}

/** Whether something was sealed with a payment for a method. */
export function hasSealedParameters({ parameters }: Pick<Payment, 'parameters'>, method: string): boolean {
  return typeof parameters[parameterKey(method)] === 'string';
}
