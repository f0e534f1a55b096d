// How a payment or payout of any method except cards starts at the sandbox provider: by the method's catalogue row, or
// as forced by the parameter `sandbox`.
import { experienceOf } from '../../methods/catalog.ts';
import type { Method } from '../../methods/method.ts';
import { isAddress, networkOf } from './cryptocurrencies.ts';
import type { Scenario } from './operation.ts';
import { declinedByProcessing, declineOf, type ForcedOutcome, forcedOf } from './operation.ts';
import { askedNetwork, coinOf, type Shows, showFor, shownOf } from './present.ts';
import { finished, type Start } from './scenario.ts';
import type { PaymentRequest, PayoutRequest } from './wire.ts';

/** A delay long enough to be seen and short enough for tests, and one longer than a payer waits. */
const pendingSeconds = 3;
const lateSeconds = 40;

/** The input for starting a payment by a method. */
export type Place = { id: string; at: Date; baseUrl: string };

/** Starts a payment by a method other than a card. */
export function startMethod(order: PaymentRequest, method: Method, place: Place): Start {
  const { description } = order.order;
  const scenario: Scenario = { outcome: 'settled', hold: order.operation === 'authorize', description };
  const forced = forcedOf(order.parameters) ?? identityOutcome(method, order);
  const country = order.payer?.country;
  const experience = experienceOf(method, typeof country === 'string' ? country : undefined);
  // A subsequent recurring payment has no payer present, and a wallet token needs none.
  const isAlone = order.recurring === 'next' || experience === 'none' || order.parameters?.payment_token !== undefined;
  const shows = isAlone ? null : showFor(method, experience, shownOf(order, place.id, place.baseUrl));
  if (forced) return startForced(forced, scenario, shows, isAlone, place.at);
  if (isAlone) return ended(scenario);
  return withFacts(method, begun(scenario, shows, place.at));
}

/** Starts a payout by a method: immediate, unless the parameters force another outcome or the address is invalid. */
export function startMethodPayout(order: PayoutRequest, method: Method, at: Date): Start {
  const scenario: Scenario = { outcome: 'settled', hold: false };
  const { parameters = {} } = order;
  const forced = forcedOf(parameters);
  if (forced) return startForced(forced, scenario, null, true, at);
  const address = parameters.address ?? parameters.crypto_address;
  if (typeof address === 'string' && method.kind === 'coin') {
    const network = networkOf(coinOf(method, parameters, order.currency), askedNetwork(parameters));
    if (!isAddress(network, address.trim())) return ended({ ...scenario, outcome: 'declined', decline: wrongAddress });
    return { ...ended(scenario), facts: { extended: { crypto_network: network.name } } };
  }
  return ended(scenario);
}

const wrongAddress = declineOf('wrong_address', 'The address is not one of this network', 'data');

/** The test wallet has two accounts. */
function identityOutcome({ id }: Method, { payer }: PaymentRequest): ForcedOutcome | undefined {
  if (id !== 'vcard') return undefined;
  const identifiers = [payer?.identifier, payer?.email].map((each) =>
    typeof each === 'string' ? each.toLowerCase() : '',
  );
  if (identifiers.includes('fail@gmail.com')) return 'decline';
  return identifiers.includes('success@gmail.com') ? 'approve' : undefined;
}

const expiry = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000).toISOString();

/** A payment that waits for its payer, and expires where it presents something. */
function begun(scenario: Scenario, shows: Shows | null, at: Date): Start {
  if (!shows) return { status: 'redirect', scenario, decline: null, facts: {} };
  const present = { ...shows.present, expires_at: expiry(at, shows.expiresSeconds) };
  const waiting = { status: 'processing', decline: null, facts: { present }, dueSeconds: shows.lapsesSeconds } as const;
  return { ...waiting, scenario: { ...scenario, expires: true } };
}

function ended(scenario: Scenario): Start {
  return { ...finished(scenario), scenario, facts: {} };
}

function startForced(forced: ForcedOutcome, plain: Scenario, shows: Shows | null, isAlone: boolean, at: Date): Start {
  const scenario = { ...plain, forced };
  const declined = { ...scenario, outcome: 'declined', decline: declinedByProcessing } as const;
  // The provider completes it by itself: the payer sees the presentation and is not redirected.
  const processing = { ...begun(scenario, shows, at), status: 'processing', scenario } as const;
  const waiting = isAlone ? processing : { ...begun(scenario, shows, at), scenario };
  switch (forced) {
    case 'approve':
      return ended(scenario);
    case 'decline':
      return ended(declined);
    case 'rejected':
      return { ...processing, scenario: declined, dueSeconds: pendingSeconds };
    case 'never':
      return { ...waiting, dueSeconds: undefined };
    case 'late':
      return { ...waiting, dueSeconds: lateSeconds };
    case 'expired': {
      const soon = shows && { ...shows, expiresSeconds: pendingSeconds, lapsesSeconds: pendingSeconds };
      const start = begun(scenario, soon, at);
      const status = isAlone ? 'processing' : start.status;
      return { ...start, status, scenario: { ...scenario, expires: true }, dueSeconds: pendingSeconds + 1 };
    }
    default:
      return { ...processing, dueSeconds: pendingSeconds };
  }
}

function withFacts({ id }: Method, start: Start): Start {
  if (id !== 'kora') return start;
  const extended = { auth_method: 'STK_PROMPT', message: 'Please confirm the payment on your phone' };
  return { ...start, facts: { ...start.facts, extended } };
}
