/**
 * Card parameter sets that merchant accounts demand (`cardSets` of their capabilities). An account whose set a payment
 * does not satisfy is passed over by routing, at the first choice and in a cascade; the request is refused only when
 * that leaves nobody to carry it.
 */

import { env } from '../config';
import { throwFieldErrors } from '../core/errors';
import type { Payment } from '../core/payment';
import type { Caller, Mapping, Mid } from '../merchants';
import {
  type CardOperation,
  type CardSetId,
  checkCardParameters,
  missingCardSets,
  requiredCardSets,
} from '../methods/card-sets';
import { decryptCard, decryptParameters } from '../vault';
import type { MidRequirements } from './candidates';
import { chooseMids } from './rules';

type RoutingContext = { mids: Mid[]; mapping: Pick<Mapping, 'protocol' | 'rules'> };
type CardRequest = Pick<Payment, 'operation' | 'parameters'>;

/** The sets that a payment by card leaves something out of; none where no account demands one. */
export async function missingParameterSets(
  { mids, mapping }: RoutingContext,
  payment: CardRequest,
  method = 'card',
): Promise<CardSetId[]> {
  const demanding = mids.some((mid) => requiredCardSets(mid.capabilities).length > 0);
  if (!demanding || method !== 'card') return [];
  return missingCardSets(await valuesOf(payment), operationOf(payment), protocolFamily(mapping));
}

/**
 * Refuses a request that no account can carry only for want of parameters, with the faults that the best of those
 * accounts finds; gives the sets that it lacks otherwise. Without a card, as at the opening of a session, rules that look at
 * cards do not count.
 */
export async function requireCardParameters(
  caller: Caller & { mapping: Mapping },
  payment: CardRequest & Omit<MidRequirements, 'method' | 'lackingSets'>,
  means?: { number: string } | { kept: { cardId: string } } | { method: string },
  digitalWallet: MidRequirements['digitalWallet'] = payment.digitalWallet,
): Promise<CardSetId[]> {
  if (means && 'method' in means) return [];
  const lacking = await missingParameterSets(caller, payment);
  if (lacking.length === 0) return lacking;
  const cardNumber = means && ('kept' in means ? (await decryptCard(means.kept.cardId))?.number : means.number);
  const wanted = { ...payment, digitalWallet, method: 'card', cardNumber, binCountries: env.binCountries };
  // Drawn the same way every time: a request that is repeated is told the same.
  const choose = (lackingSets: CardSetId[]) => chooseMids(caller, { ...wanted, lackingSets }, undefined, () => 0).mids;
  const [best] = choose([]);
  if (!best || choose(lacking).length > 0) return lacking;
  const demanded = requiredCardSets(best.capabilities);
  const protocol = protocolFamily(caller.mapping);
  const path = protocol === 's2s' ? 'parameters' : 'parameters.card';
  const options = { operation: operationOf(payment), protocol, path, demanded } as const;
  return throwFieldErrors(checkCardParameters(await valuesOf(payment), options).errors);
}

const protocolFamily = ({ protocol }: Pick<Mapping, 'protocol'>) => (protocol === 'checkout' ? 'checkout' : 's2s');

// A later charge of a chain brings the parameters of its first payment along, and is a sale like that.
const operationOf = ({ operation }: CardRequest): CardOperation => (operation === 'recurring' ? 'purchase' : operation);

async function valuesOf({ parameters }: CardRequest): Promise<object> {
  return { ...(parameters.card as object | undefined), ...(await decryptParameters({ parameters }, 'card')) };
}
