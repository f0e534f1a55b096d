// The card method's parameters of Checkout (`parameters.card`): checked by the sets of the contract's catalogue, and kept
// so that nothing that may be a card number is ever written down in the clear.
import type { FieldFault } from '../core/errors';
import { type CardOperation, checkCardParameters, demandedCardSets } from '../methods/card-sets';
import type { Operation } from '../payments/payment';
import { sealedParameters } from '../payments/secret-parameters';
import { refuseFaults } from './faults';

const operations: readonly string[] = ['purchase', 'debit', 'transfer', 'credit'] satisfies CardOperation[];
const isCardOperation = (operation: unknown): operation is CardOperation => operations.includes(operation as string);

const optionsOf = (operation: CardOperation) => ({ operation, protocol: 'checkout', path: 'parameters.card' }) as const;

function cardOf(parameters: unknown): unknown {
  return typeof parameters === 'object' && parameters !== null ? (parameters as { card?: unknown }).card : undefined;
}

/** What is wrong with the card's parameters, whichever account will carry the payment. */
export function cardParameterFaults(parameters: unknown, operation: unknown): FieldFault[] {
  const card = cardOf(parameters);
  if (card === undefined || !isCardOperation(operation)) return [];
  return checkCardParameters(card, optionsOf(operation)).faults;
}

/** Refuses parameters without what the account's provider cannot do without (`cardSets` of its capabilities). */
export function demandCardSets(capabilities: unknown, parameters: unknown, operation: Operation): void {
  const demanded = demandedCardSets(capabilities);
  if (demanded.length === 0 || !isCardOperation(operation)) return;
  const { faults } = checkCardParameters(cardOf(parameters), { ...optionsOf(operation), demanded });
  if (faults.length > 0) refuseFaults(faults);
}

/** The parameters as they are kept: the card's in their usual form, and what must not be read sealed beside them. */
export async function storedParameters(
  parameters: Record<string, unknown> | undefined,
  operation: Operation,
): Promise<Record<string, unknown>> {
  const card = cardOf(parameters);
  if (!parameters || card === undefined || !isCardOperation(operation)) return parameters ?? {};
  const { values, secret } = checkCardParameters(card, optionsOf(operation));
  return { ...parameters, card: values, ...(await sealedParameters(secret)) };
}
