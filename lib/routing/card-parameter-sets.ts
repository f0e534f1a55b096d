/**
 * Required card parameters: the card parameter sets of accounts (`cardSets` of their capabilities). Routing and
 * failover skip an account whose set a payment does not satisfy; the request is rejected only where no account is left.
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

/** The parameter sets that a card payment does not satisfy; none where no account requires one. */
export async function missingParameterSets(
  { mids, mapping }: RoutingContext,
  payment: CardRequest,
  method = 'card',
): Promise<CardSetId[]> {
  const isRequired = mids.some((mid) => requiredCardSets(mid.capabilities).length > 0);
  if (!isRequired || method !== 'card') return [];
  return missingCardSets(await valuesOf(payment), operationOf(payment), protocolFamily(mapping));
}

/**
 * Returns the parameter sets that a request does not satisfy. Where that leaves no eligible account, throws the field
 * errors of the best account instead. Without a card, as at the creation of a session, routing rules on cards do not
 * match.
 */
export async function requireCardParameters(
  caller: Caller & { mapping: Mapping },
  payment: CardRequest & Omit<MidRequirements, 'method' | 'missingSets'>,
  instrument?: { number: string } | { storedCard: { cardId: string } } | { method: string },
  digitalWallet: MidRequirements['digitalWallet'] = payment.digitalWallet,
): Promise<CardSetId[]> {
  if (instrument && 'method' in instrument) return [];
  const missing = await missingParameterSets(caller, payment);
  if (missing.length === 0) return missing;
  const cardNumber =
    instrument &&
    ('storedCard' in instrument ? (await decryptCard(instrument.storedCard.cardId))?.number : instrument.number);
  const wanted = { ...payment, digitalWallet, method: 'card', cardNumber, binCountries: env.binCountries };
  // A fixed draw, so that a repeated request gets the same errors.
  const choose = (missingSets: CardSetId[]) => chooseMids(caller, { ...wanted, missingSets }, undefined, () => 0).mids;
  const [best] = choose([]);
  if (!best || choose(missing).length > 0) return missing;
  const requiredSets = requiredCardSets(best.capabilities);
  const protocol = protocolFamily(caller.mapping);
  const path = protocol === 's2s' ? 'parameters' : 'parameters.card';
  const options = { operation: operationOf(payment), protocol, path, demanded: requiredSets } as const;
  return throwFieldErrors(checkCardParameters(await valuesOf(payment), options).errors);
}

const protocolFamily = ({ protocol }: Pick<Mapping, 'protocol'>) => (protocol === 'checkout' ? 'checkout' : 's2s');

// A subsequent payment has the parameters of its initial payment and is checked like a sale.
const operationOf = ({ operation }: CardRequest): CardOperation => (operation === 'recurring' ? 'purchase' : operation);

async function valuesOf({ parameters }: CardRequest): Promise<object> {
  return { ...(parameters.card as object | undefined), ...(await decryptParameters({ parameters }, 'card')) };
}
