// Selects the methods of a session that support the order, and validates their parameters by the rows of the catalogue.
// Parameters of methods that are not offered are ignored.

import { type FieldError, fieldErrorTexts, throwFieldErrors } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import type { Operation, PartyDetails, Payment } from '../../core/payment.ts';
import { type CardOperation, checkCardParameters } from '../../methods/card-sets.ts';
import { findMethod } from '../../methods/catalog.ts';
import type { Method } from '../../methods/method.ts';
import {
  checkMethodParameters,
  type ParameterScope,
  requestFieldErrors,
  splitSecretParameters,
} from '../../methods/parameters.ts';
import { acceptsAmount, type PaymentTraits, supportsPayment } from '../../methods/payment-support.ts';
import { sealParameters } from '../../vault/index.ts';
import type { EligibilityQuery } from '../shared/request-checks.ts';
import { namesOf } from '../shared/wire-fields.ts';

/** The catalogue's test of a method. A `decrypted` wallet supports initial payments of an order as its card does. */
export function supportsOrder(order: PaymentTraits, decrypted: readonly string[] = []): EligibilityQuery['supports'] {
  return (method) =>
    supportsPayment(method, decrypted.includes(method.id) ? { ...order, recurringInit: false } : order);
}

/** Returns the methods whose limits allow the amount; a field error if there are none. */
export function withinAmounts(methods: string[], money: Money): string[] {
  const allowed = methods.filter((id) => {
    const method = findMethod(id);
    return method && acceptsAmount(method, money);
  });
  return allowed.length > 0 ? allowed : throwFieldErrors([{ path: 'order.amount', text: fieldErrorTexts.notValid }]);
}

/** The parts of an order that method rules depend on. */
export type MethodOrder = Pick<Payment, 'id' | 'merchantId'> & {
  operation: Operation;
  currency: string;
  description: string;
  payer: PartyDetails;
  payee: PartyDetails;
};

/**
 * Returns the parameters of a session's methods as they are stored: normalised, with secret ones encrypted. Throws the
 * field errors of all methods together, with paths `parameters.<method>.<name>`. Parameters that the payment page
 * collects from the payer may be absent.
 */
export async function methodParametersOf(
  methods: readonly string[],
  parameters: Record<string, unknown>,
  order: MethodOrder,
): Promise<Record<string, unknown>> {
  const { operation, currency, payer } = order;
  const scope = { operation, currency, country: payer.country } as ParameterScope;
  const checked = methods.flatMap((id) => {
    const method = id === 'card' ? undefined : findMethod(id);
    if (!method) return [];
    const options = { ...scope, path: `parameters.${id}`, demandCollected: false };
    const { values, faults } = checkMethodParameters(method, parameters[id], options);
    return [{ method, values, faults: [...faults, ...orderErrors(method, order)] }];
  });
  const fieldErrors = checked.flatMap((each) => each.faults);
  if (fieldErrors.length > 0) throwFieldErrors(fieldErrors);
  const stored: Record<string, unknown> = methods.includes('card')
    ? await storedParameters(parameters.card === undefined ? undefined : { card: parameters.card }, order)
    : {};
  for (const { method, values } of checked) {
    if (Object.keys(values).length === 0) continue;
    const { open, secret } = splitSecretParameters(method, values);
    Object.assign(stored, { [method.id]: open }, await sealParameters(order, method.id, secret));
  }
  return stored;
}

/** Errors of the request fields that a method requires. The page collects those of the payer. */
function orderErrors(method: Method, { description, payee }: MethodOrder): FieldError[] {
  const { first, last } = namesOf(payee);
  const fields = { order_description: description, payee_first_name: first, payee_last_name: last };
  const pathOf = (name: string) => (name === 'order_description' ? 'order.description' : name);
  return requestFieldErrors(method, fields, true, pathOf).filter(({ path }) => !path.startsWith('payer_'));
}

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
  payment: Pick<Payment, 'id' | 'merchantId' | 'operation'>,
): Promise<Record<string, unknown>> {
  // The service stores encrypted values under names with a colon.
  const open = Object.fromEntries(Object.entries(parameters ?? {}).filter(([name]) => !name.includes(':')));
  const card = cardOf(open);
  if (card === undefined || !isCardOperation(payment.operation)) return open;
  const { values, secret } = checkCardParameters(card, optionsOf(payment.operation));
  return { ...open, card: values, ...(await sealParameters(payment, 'card', secret)) };
}
