/**
 * Decides which of a merchant's accounts are eligible for a payment, with the ineligibility reasons of the others.
 * Protocols, payment pages and attempts use it; one request computes it once and passes it on.
 */
import { findConnector } from '../connectors';
import type { Operation } from '../core/payment';
import { acceptsDecryptedCards, type Mid, walletCapability } from '../merchants';
import { type CardSetId, requiredCardSets } from '../methods/card-sets';
import { findMethod } from '../methods/catalog';
import { supportsPayment } from '../methods/payment-support';
import type { LimitCheck } from './turnover-limits';

/** The properties of a payment that an account must support. */
export type MidRequirements = {
  operation: Operation;
  authorizeOnly: boolean;
  /** The initial payment of a recurring chain. */
  recurringInit?: boolean;
  currency: string;
  amountMinor: bigint;
  /** Any method when absent. */
  method?: string;
  /** The wallet of the card. */
  digitalWallet?: string | null;
  /** An encrypted wallet token is passed to the provider. */
  walletToken?: boolean;
  /** Card parameter sets that the request does not satisfy; see card-parameter-sets.ts. */
  missingSets?: readonly CardSetId[];
};

/** The checks of an account. */
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

/** An account with its failed checks; an eligible account has none. */
export type Candidate = { mid: Mid; failed: readonly Ineligibility[] };

/** The eligibility check of a request, passed on to its attempt. */
export type Eligibility = { candidates: readonly Candidate[]; limitCheck: LimitCheck };

/** A failed check, with its text in the routing log. */
export type Ineligibility = { check: Check; reason: string };

type Capabilities = NonNullable<ReturnType<typeof findConnector>>['capabilities'];

/** The text of a failed check; null where it is passed, or not applicable to an account without a connector. */
type Test = (mid: Mid, wanted: MidRequirements, capabilities: Capabilities | undefined) => string | null;

/**
 * The checks in order; the routing log contains the first that fails. DMS and SMS/DMS accounts accept authorizations,
 * SMS and SMS/DMS accounts sales (contract, release 6.7.0); zero amounts need the provider's support. An empty list of
 * an account is no restriction.
 */
const checks: readonly [Check, Test][] = [
  ['enabled', ({ enabled }) => (enabled ? null : 'switched off')],
  ['connector', (_mid, _wanted, capabilities) => (capabilities ? null : 'switched off')],
  [
    'operation',
    ({ operations }, { operation }) => (accepts(operations, operation) ? null : `does not support ${operation}`),
  ],
  [
    'providerOperation',
    (_mid, wanted, capabilities) =>
      !capabilities || supportsOperation(capabilities.operations, wanted)
        ? null
        : `its provider has no ${wanted.operation}`,
  ],
  [
    'currency',
    ({ currencies }, { currency }) => (accepts(currencies, currency) ? null : `does not support ${currency}`),
  ],
  [
    'method',
    ({ methods }, { method }) =>
      method === undefined || methods.includes(method) ? null : `does not support ${method}`,
  ],
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
    ({ capabilities }, { missingSets }) => {
      if (!missingSets?.length) return null;
      const missing = requiredCardSets(capabilities).find((id) => missingSets.includes(id));
      return missing === undefined ? null : `lacks parameters of set ${missing}`;
    },
  ],
];

/** The accounts in their order of priority, each with its failed checks. */
export function candidatesOf(mids: readonly Mid[], wanted: MidRequirements): Candidate[] {
  return mids.map((mid) => ({ mid, failed: [...failedChecks(mid, wanted)] }));
}

/** Properties of a payment that are known only after the request's eligibility check. */
type LaterKnown = Pick<MidRequirements, 'digitalWallet' | 'walletToken' | 'missingSets'>;

const laterChecks: readonly Check[] = ['walletCard', 'walletToken', 'cardSets'];

/** Adds the checks of properties that became known after the candidates were computed. */
export function withLaterKnown(
  candidates: readonly Candidate[],
  wanted: MidRequirements & LaterKnown,
): readonly Candidate[] {
  if (!wanted.digitalWallet && !wanted.walletToken && !wanted.missingSets?.length) return candidates;
  return candidates.map(({ mid, failed }) => {
    const later = [...failedChecks(mid, wanted)].filter(({ check }) => laterChecks.includes(check));
    const all = [...failed.filter(({ check }) => !laterChecks.includes(check)), ...later];
    return { mid, failed: all.sort((one, other) => placeOf(one.check) - placeOf(other.check)) };
  });
}

const placeOf = (check: Check) => checks.findIndex(([name]) => name === check);

/** Whether an account is eligible. */
export function isEligible({ failed }: Candidate): boolean {
  return failed.length === 0;
}

/** The eligible accounts in their order of priority. Stops at the first failed check of each. */
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

const accepts = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);

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
