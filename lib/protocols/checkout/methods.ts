// The methods that a session offers and their parameters: which of the request's methods serve the order, and what each
// of them is told. Rows of the catalogue decide; parameters of methods that are not offered are left out unread.
import { type FieldError, fieldErrorTexts, throwFieldErrors } from '../../core/errors';
import type { Money } from '../../core/money';
import type { Operation, PartyDetails } from '../../core/payment';
import { findMethod } from '../../methods/catalog';
import type { Method } from '../../methods/method';
import {
  checkMethodParameters,
  type ParameterScope,
  requestFieldErrors,
  splitSecretParameters,
} from '../../methods/parameters';
import { acceptsAmount, type PaymentTraits, supportsPayment } from '../../methods/payment-support';
import { sealParameters } from '../../vault';
import { storedParameters } from '../shared/card-parameters';
import type { EligibilityQuery } from '../shared/eligibility';
import { namesOf } from '../shared/wire-fields';

/**
 * What the catalogue says about a method and this order, for the admission. A wallet whose tokens are `opened` begins
 * chains as the card in them does.
 */
export function supportsOrder(order: PaymentTraits, opened: readonly string[] = []): EligibilityQuery['supports'] {
  return (method) => supportsPayment(method, opened.includes(method.id) ? { ...order, recurringInit: false } : order);
}

/** The methods within whose limits the amount is; refuses the amount where it is outside of all of them. */
export function withinAmounts(methods: string[], money: Money): string[] {
  const fitting = methods.filter((id) => {
    const method = findMethod(id);
    return method && acceptsAmount(method, money);
  });
  return fitting.length > 0 ? fitting : throwFieldErrors([{ path: 'order.amount', text: fieldErrorTexts.notValid }]);
}

/** The order as far as the rows of its methods have a say in it. */
export type MethodOrder = {
  operation: Operation;
  currency: string;
  description: string;
  payer: PartyDetails;
  payee: PartyDetails;
};

/**
 * The parameters of a session's methods as they are kept: in their usual form, and what must not be read sealed beside
 * them. Refuses with every fault of every method, named `parameters.<method>.<name>`; what the page asks the payer for
 * may be absent.
 */
export async function methodParametersOf(
  methods: readonly string[],
  given: Record<string, unknown>,
  order: MethodOrder,
): Promise<Record<string, unknown>> {
  const { operation, currency, payer } = order;
  const scope = { operation, currency, country: payer.country } as ParameterScope;
  const checked = methods.flatMap((id) => {
    const method = id === 'card' ? undefined : findMethod(id);
    if (!method) return [];
    const options = { ...scope, path: `parameters.${id}`, demandCollected: false };
    const { values, faults } = checkMethodParameters(method, given[id], options);
    return [{ method, values, faults: [...faults, ...orderErrors(method, order)] }];
  });
  const faults = checked.flatMap((each) => each.faults);
  if (faults.length > 0) throwFieldErrors(faults);
  const kept: Record<string, unknown> = methods.includes('card')
    ? await storedParameters(given.card === undefined ? undefined : { card: given.card }, operation)
    : {};
  for (const { method, values } of checked) {
    if (Object.keys(values).length === 0) continue;
    const { open, secret } = splitSecretParameters(method, values);
    Object.assign(kept, { [method.id]: open }, await sealParameters(method.id, secret));
  }
  return kept;
}

/** What a method demands of the request's own fields; those of the payer are asked on the page. */
function orderErrors(method: Method, { description, payee }: MethodOrder): FieldError[] {
  const { first, last } = namesOf(payee);
  const fields = { order_description: description, payee_first_name: first, payee_last_name: last };
  const pathOf = (name: string) => (name === 'order_description' ? 'order.description' : name);
  return requestFieldErrors(method, fields, true, pathOf).filter(({ path }) => !path.startsWith('payer_'));
}
