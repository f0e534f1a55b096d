// Checks the card parameters of Checkout (`parameters.card`) against the parameter sets of the contract, and prepares
// them for storage: values that can be card numbers are encrypted.
import type { FieldError } from '../../core/errors';
import type { Operation } from '../../core/payment';
import { type CardOperation, checkCardParameters } from '../../methods/card-sets';
import { sealParameters } from '../../vault';

const operations: readonly string[] = ['purchase', 'debit', 'transfer', 'credit'] satisfies CardOperation[];
const isCardOperation = (operation: unknown): operation is CardOperation => operations.includes(operation as string);

const optionsOf = (operation: CardOperation) => ({ operation, protocol: 'checkout', path: 'parameters.card' }) as const;

function cardOf(parameters: unknown): unknown {
  return typeof parameters === 'object' && parameters !== null ? (parameters as { card?: unknown }).card : undefined;
}

/** Returns the field errors of the card parameters that do not depend on an account. */
export function cardParameterErrors(parameters: unknown, operation: unknown): FieldError[] {
  const card = cardOf(parameters);
  if (card === undefined || !isCardOperation(operation)) return [];
  return checkCardParameters(card, optionsOf(operation)).errors;
}

/** Returns the parameters as they are stored: the card's normalised, with secret ones encrypted. */
export async function storedParameters(
  parameters: Record<string, unknown> | undefined,
  operation: Operation,
): Promise<Record<string, unknown>> {
  const card = cardOf(parameters);
  if (!parameters || card === undefined || !isCardOperation(operation)) return parameters ?? {};
  const { values, secret } = checkCardParameters(card, optionsOf(operation));
  return { ...parameters, card: values, ...(await sealParameters('card', secret)) };
}
