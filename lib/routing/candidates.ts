/**
 * Which of a merchant's accounts may carry a payment, and what keeps each of the others from it. Admission, the payer's page
 * and the attempt take the answer from here; within one request it is found once and handed on.
 */
import { findConnector } from '../connectors';
import type { Operation } from '../core/payment';
import { acceptsDecryptedCards, type Mid, walletCapability } from '../merchants';
import { type CardSetId, requiredCardSets } from '../methods/card-sets';
import { findMethod } from '../methods/catalog';
import { supportsPayment } from '../methods/payment-support';
import type { LimitCheck } from './turnover-limits';

/** What a merchant account has to be able to do. */
export type MidRequirements = {
  operation: Operation;
  authorizeOnly: boolean;
  /** The first payment of a chain. */
  recurringInit?: boolean;
  currency: string;
  amountMinor: bigint;
  /** Any method when absent. */
  method?: string;
  /** The wallet that the card came out of. */
  digitalWallet?: string | null;
  /** A wallet's token goes along unopened. */
  walletToken?: boolean;
  /** Card parameter sets that the request leaves something required out of; see card-parameter-sets.ts. */
  lackingSets?: readonly CardSetId[];
};

/** What an account is checked for. */
export type Check =
  | 'enabled'
  | 'connector'
  | 'operation'
  | 'providerOperation'
  | 'currency'
  | 'method'
  | 'methodOperation'
  | 'walletCard'
  | 'walletToken'
  | 'zeroAmount'
  | 'paymentMode'
  | 'cardSets';

/** An account, and the checks that it fails with the routing log's words for each; none of an eligible account. */
export type Candidate = { mid: Mid; failed: readonly Ineligibility[] };

/** What admission has found out, for the attempt of the same request. */
export type Eligibility = { candidates: readonly Candidate[]; room: LimitCheck };

/** A check that an account fails, and the routing log's words for it. */
export type Ineligibility = { check: Check; reason: string };

type Capabilities = NonNullable<ReturnType<typeof findConnector>>['capabilities'];

/** The words for a failed check; null where it is passed, or where an account without a connector cannot be asked. */
type Test = (mid: Mid, wanted: MidRequirements, capabilities: Capabilities | undefined) => string | null;

/**
 * The checks in the order in which the routing log names the first that fails. An authorization goes to DMS and SMS/DMS
 * accounts, an immediate sale to SMS and SMS/DMS ones (contract, release 6.7.0); a zero amount only where the provider
 * supports it. An account without a list of its own is not limited in that respect.
 */
const checks: readonly [Check, Test][] = [
  ['enabled', ({ enabled }) => (enabled ? null : 'switched off')],
  ['connector', (_mid, _wanted, capabilities) => (capabilities ? null : 'switched off')],
  ['operation', ({ operations }, { operation }) => (takes(operations, operation) ? null : `no ${operation}`)],
  [
    'providerOperation',
    (_mid, wanted, capabilities) =>
      !capabilities || supportsOperation(capabilities.operations, wanted)
        ? null
        : `its provider has no ${wanted.operation}`,
  ],
  ['currency', ({ currencies }, { currency }) => (takes(currencies, currency) ? null : `no ${currency}`)],
  ['method', ({ methods }, { method }) => (method === undefined || methods.includes(method) ? null : `no ${method}`)],
  [
    'methodOperation',
    (_mid, wanted) => {
      const method = findMethod(wanted.method ?? '');
      return !method || supportsPayment(method, wanted)
        ? null
        : `${method.id} has no ${wanted.operation} in ${wanted.currency}`;
    },
  ],
  [
    'walletCard',
    (mid, { digitalWallet }) => (digitalWallet && !acceptsDecryptedCards(mid) ? `no decrypted ${digitalWallet}` : null),
  ],
  [
    'walletToken',
    (mid, { walletToken }) => (walletToken && walletCapability(mid) === 'none' ? 'no tokens of wallets' : null),
  ],
  [
    'zeroAmount',
    ({ zeroAmounts }, { amountMinor }, capabilities) =>
      amountMinor === 0n && !(zeroAmounts && capabilities?.zeroAmount) ? 'no zero amounts' : null,
  ],
  [
    'paymentMode',
    ({ paymentMode }, wanted) => (matchesPaymentMode(paymentMode, wanted) ? null : `Payment Mode ${paymentMode}`),
  ],
  [
    'cardSets',
    ({ capabilities }, { lackingSets }) => {
      if (!lackingSets?.length) return null;
      const lacking = requiredCardSets(capabilities).find((id) => lackingSets.includes(id));
      return lacking === undefined ? null : `lacks parameters of set ${lacking}`;
    },
  ],
];

/** The accounts in their order of priority, each with the checks that it fails. */
export function candidatesOf(mids: readonly Mid[], wanted: MidRequirements): Candidate[] {
  return mids.map((mid) => ({ mid, failed: [...failedChecks(mid, wanted)] }));
}

/** Only what is known of a payment after its admission. */
type LaterKnown = Pick<MidRequirements, 'digitalWallet' | 'walletToken' | 'lackingSets'>;

const laterChecks: readonly Check[] = ['walletCard', 'walletToken', 'cardSets'];

/** Candidates with what became known of the payment after they were found: its wallet, and card parameters it lacks. */
export function withLaterKnown(
  candidates: readonly Candidate[],
  wanted: MidRequirements & LaterKnown,
): readonly Candidate[] {
  if (!wanted.digitalWallet && !wanted.walletToken && !wanted.lackingSets?.length) return candidates;
  return candidates.map(({ mid, failed }) => {
    const later = [...failedChecks(mid, wanted)].filter(({ check }) => laterChecks.includes(check));
    const all = [...failed.filter(({ check }) => !laterChecks.includes(check)), ...later];
    return { mid, failed: all.sort((one, other) => placeOf(one.check) - placeOf(other.check)) };
  });
}

const placeOf = (check: Check) => checks.findIndex(([name]) => name === check);

/** Whether an account may carry the payment. */
export function isEligible({ failed }: Candidate): boolean {
  return failed.length === 0;
}

/** The accounts that may carry a payment, in their order of priority. Each is asked until its first failed check. */
export function eligibleMids(mids: readonly Mid[], wanted: MidRequirements): Mid[] {
  return mids.filter((mid) => failedChecks(mid, wanted).next().done);
}

function* failedChecks(mid: Mid, wanted: MidRequirements): Generator<Ineligibility, void> {
  const capabilities = findConnector(mid.connector)?.capabilities;
  for (const [check, test] of checks) {
    const reason = test(mid, wanted, capabilities);
    if (reason !== null) yield { check, reason };
  }
}

const takes = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);

const connectorOperations = {
  purchase: 'sale',
  recurring: 'sale',
  debit: 'debit',
  credit: 'payout',
  transfer: 'transfer',
};

function supportsOperation(operations: readonly string[], { operation, authorizeOnly }: MidRequirements): boolean {
  return operations.includes(authorizeOnly ? 'authorize' : connectorOperations[operation]);
}

function matchesPaymentMode(mode: Mid['paymentMode'], wanted: MidRequirements): boolean {
  if (wanted.operation !== 'purchase') return true;
  return wanted.authorizeOnly ? mode !== 'sms' : mode !== 'dms';
}
