// The card method's parameters of Checkout (`parameters.card`): checked by the sets of the contract's catalogue, and kept
// so that nothing that may be a card number is ever written down in the clear.
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

/** What is wrong with the card's parameters, whichever account will carry the payment. */
export function cardParameterErrors(parameters: unknown, operation: unknown): FieldError[] {
  const card = cardOf(parameters);
  if (card === undefined || !isCardOperation(operation)) return [];
  return checkCardParameters(card, optionsOf(operation)).errors;
}

/** The parameters as they are kept: the card's in their usual form, and what must not be read sealed beside them. */
export async function storedParameters(
  parameters: Record<string, unknown> | undefined,
  operation: Operation,
): Promise<Record<string, unknown>> {
  const card = cardOf(parameters);
  if (!parameters || card === undefined || !isCardOperation(operation)) return parameters ?? {};
  const { values, secret } = checkCardParameters(card, optionsOf(operation));
  return { ...parameters, card: values, ...(await sealParameters('card', secret)) };
}
