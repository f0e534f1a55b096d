/**
 * Secret method parameters: possible card numbers, voucher codes. The provider receives them with every attempt; the
 * database stores them sealed, next to the other parameters, under a name that no method has.
 */
import type { Payment } from '../core/payment.ts';
import { seal, unseal } from './seal.ts';

const parameterKey = (method: string) => `${method}:sealed`;
const label = 'card-parameters';

/** The member of a payment's parameters for a method's secrets; without any it removes the earlier ones. */
export async function sealParameters(
  method: string,
  secret: Record<string, string>,
): Promise<Record<string, string | null>> {
  if (Object.keys(secret).length === 0) return { [parameterKey(method)]: null };
  return { [parameterKey(method)]: (await seal(JSON.stringify(secret), label)).toString('base64') };
}

/** The decrypted secret parameters of a payment for a method. */
export async function decryptParameters(
  { parameters }: Pick<Payment, 'parameters'>,
  method: string,
): Promise<Record<string, string>> {
  const sealed = parameters[parameterKey(method)];
  return typeof sealed === 'string' ? JSON.parse(await unseal(Buffer.from(sealed, 'base64'), label)) : {};
}

/** Whether a payment has sealed parameters for a method. */
export function hasSealedParameters({ parameters }: Pick<Payment, 'parameters'>, method: string): boolean {
  return typeof parameters[parameterKey(method)] === 'string';
}
