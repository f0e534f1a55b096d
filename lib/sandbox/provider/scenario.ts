// The outcomes of the sandbox provider: pure decisions from the table of sandbox cards and the operations, so that no
// outcome rule is in SQL or a page.
import { randomInt, randomUUID } from 'node:crypto';
import { brandOf } from '../../core/cards.ts';
import {
  expiryDecline,
  findSandboxCard,
  isSandboxCard,
  liveCardDecline,
  type SandboxCard,
  type SandboxDecline,
  sandboxCards,
} from '../../core/sandbox-cards.ts';
import type { Change, Operation, ProviderFacts, Scenario, Status } from './operation.ts';
import { declineOf } from './operation.ts';
import type { OrderRequest, PaymentRequest, PayoutRequest } from './wire.ts';

/** How a new operation starts. `transport`: what happens to the response; `dueSeconds`: it completes by itself. */
export type Start = {
  status: Status;
  scenario: Scenario;
  decline: SandboxDecline | null;
  facts: ProviderFacts;
  transport?: 'hang' | 'drop' | 'slow';
  dueSeconds?: number;
};

const withoutCryptogram = declineOf('cryptogram_missing', "A device's number needs its cryptogram");
const payoutOnly = declineOf('payouts_only', 'This sandbox card takes payouts only', 'bank');

/** A delay long enough to be seen and short enough for tests. */
const waitingSeconds = 3;

/** Starts a payment. `attempts` counts the order's earlier ones; `waitSeconds` is the caller's timeout. */
export function startPayment(order: PaymentRequest, attempts: number, waitSeconds: number): Start {
  const hold = order.operation === 'authorize';
  if (!order.card) return begin('redirect', { outcome: 'settled', hold });
  if (lacksCryptogram(order)) return end(order, { outcome: 'declined', hold, decline: withoutCryptogram });
  const row = findSandboxCard(order.card.number, Number(order.card.exp_month), Number(order.card.exp_year));
  const scenario = cardScenario(order, row, hold);
  switch (row && viaOf(order, row)) {
    case 'confirm':
      return begin('challenge', scenario);
    case 'code':
      return begin('challenge', { ...scenario, code: true });
    case 'redirect':
      return begin('redirect', scenario);
    case 'frictionless':
      return end(order, scenario, threeDS('Y', 'frictionless'));
    case 'refused3ds':
      return end(order, scenario, threeDS('N', 'frictionless'));
    case 'wait':
      return { ...begin('processing', scenario), dueSeconds: waitingSeconds };
    case 'hang':
      // Completes some time after the caller has given up, so that a poll in between sees it processing.
      return { ...begin('processing', scenario), transport: 'hang', dueSeconds: waitSeconds + 4 };
    case 'drop':
      return { ...end(order, scenario), transport: 'drop' };
    case 'slow':
      return { ...end(order, scenario), transport: 'slow' };
    case 'firstFails':
      return end(order, failing(scenario, attempts));
    case 'confirmFirstFails':
      return begin('challenge', failing(scenario, attempts));
    default:
      return end(order, scenario);
  }
}

const failing = (scenario: Scenario, attempts: number): Scenario =>
  attempts === 0 ? { ...scenario, outcome: 'declined' } : scenario;

/** Starts a payout: to a payout card, or by a method without one. */
export function startPayout(order: PayoutRequest): Start {
  const payee = order.payee_card?.number;
  const taken = payee === undefined || sandboxCards.some((row) => row.number === payee && row.outcome === 'payout');
  return end(order, { outcome: taken ? 'settled' : 'declined', hold: false, decline: liveCardDecline });
}

/** Whether a start depends on the order's earlier attempts, which are read only then. */
export function countsAttempts(order: PaymentRequest): boolean {
  const { card } = order;
  const row = card && findSandboxCard(card.number, Number(card.exp_month), Number(card.exp_year));
  return row?.via === 'firstFails' || row?.via === 'confirmFirstFails';
}

/** The outcome of a scenario after the payer's part or when due. */
export function finished(scenario: Scenario): { status: Status; decline: SandboxDecline | null } {
  if (scenario.outcome === 'declined') return { status: 'declined', decline: scenario.decline ?? liveCardDecline };
  return { status: scenario.hold ? 'authorized' : 'approved', decline: null };
}

/** The result of a 3-D Secure authentication: Y authenticated, N not, U cancelled or out of attempts. */
export function threeDS(transStatus: 'Y' | 'N' | 'U', authenticationFlow: 'frictionless' | 'challenge'): ProviderFacts {
  return {
    three_ds: {
      threeDSServerTransID: randomUUID(),
      dsTransID: randomUUID(),
      acsTransID: randomUUID(),
      transStatus,
      eci: transStatus === 'Y' ? '05' : '07',
      protocolVersion: '2.2.0',
      authenticationFlow,
    },
  };
}

/** The card network's fields of a successful operation. */
export function network(brand: string | undefined, descriptor: string): ProviderFacts {
  return {
    network: {
      rrn: digits(12),
      arn: digits(23),
      approval_code: digits(6),
      descriptor: descriptor || 'SANDBOX',
      ...(brand && { brand }),
    },
    extended: { issuer_country: 'NL', issuer_bank: 'Example Bank' },
  };
}

export type ModificationKind = 'capture' | 'refund' | 'void';

/** The decision on a modification: a decline, or the change of the payment and the amount moved. */
export type Verdict = { decline: SandboxDecline } | { amountMinor: bigint; change: Change };

/** Decides a capture, refund or void of a payment; `requestedMinor` is null for the full amount. */
export function decideModification(
  payment: Operation,
  kind: ModificationKind,
  requestedMinor: bigint | null,
  now: Date,
): Verdict {
  const scripted = payment.scenario.follow?.[kind];
  if (payment.voidedAt) return cannot('voided', 'The payment is voided');
  if (kind === 'void') return decideVoid(payment, scripted, now);
  if (kind === 'capture') {
    const amount = requestedMinor ?? payment.amountMinor;
    if (payment.status !== 'authorized' || payment.capturedAt) return cannot('not_held', 'Nothing is held');
    if (amount > payment.amountMinor) return cannot('amount_too_high', 'The amount is above what is held');
    if (scripted) return { decline: scripted };
    return { amountMinor: amount, change: { capturedMinor: amount, capturedAt: now } };
  }
  const left = payment.capturedMinor - payment.refundedMinor;
  const amount = requestedMinor ?? left;
  if (!payment.capturedAt) return cannot('not_settled', 'Nothing was taken');
  if (amount <= 0n || amount > left) return cannot('amount_too_high', 'The amount is above what is left');
  if (scripted) return { decline: scripted };
  return { amountMinor: amount, change: { refundedMinor: payment.refundedMinor + amount } };
}

export const cancelled = declineOf('cancelled', 'The payment was cancelled', 'technical', true);

// The promise of `approved`: this payment takes no money from now on, whatever the payer does.
function decideVoid(payment: Operation, scripted: SandboxDecline | undefined, now: Date): Verdict {
  if (payment.status === 'declined') return { amountMinor: 0n, change: {} };
  if (payment.status !== 'approved' && payment.status !== 'authorized') {
    return { amountMinor: 0n, change: { status: 'declined', decline: cancelled, dueAt: null } };
  }
  if (payment.refundedMinor > 0n) return cannot('already_refunded', 'Some of it was refunded');
  if (scripted) return { decline: scripted };
  return { amountMinor: payment.capturedAt ? payment.capturedMinor : payment.amountMinor, change: { voidedAt: now } };
}

const cannot = (code: string, reason: string): Verdict => ({ decline: declineOf(code, reason) });

function cardScenario(order: PaymentRequest, row: SandboxCard | null, hold: boolean): Scenario {
  if (!row) {
    const known = isSandboxCard(order.card?.number ?? '');
    return { outcome: 'declined', hold, decline: known ? expiryDecline : liveCardDecline };
  }
  if (row.outcome === 'payout') return { outcome: 'declined', hold, decline: payoutOnly };
  const payee = order.operation === 'transfer' && order.payee_card;
  if (payee && !isSandboxCard(payee.number)) return { outcome: 'declined', hold, decline: liveCardDecline };
  if (row.next && order.recurring === 'next') return { outcome: 'declined', hold, decline: row.next };
  return { outcome: row.outcome, hold, decline: row.decline, follow: row.follow };
}

// A subsequent recurring payment has no payer device.
function lacksCryptogram({ wallet, recurring }: PaymentRequest): boolean {
  return wallet?.pan_type === 'dpan' && wallet.cryptogram === undefined && recurring !== 'next';
}

// A subsequent recurring payment has no payer for a challenge, and an external authentication is not repeated.
function viaOf({ recurring, three_ds, mpi, wallet }: PaymentRequest, { via }: SandboxCard): SandboxCard['via'] {
  const absent = recurring === 'next';
  const checked = absent || three_ds === 'none' || mpi !== undefined || wallet?.cryptogram !== undefined;
  if (via === 'confirmFirstFails') return checked ? 'firstFails' : via;
  const isAuthentication = via === 'confirm' || via === 'code' || via === 'frictionless' || via === 'refused3ds';
  const isSkipped = isAuthentication ? checked : via === 'redirect' && absent;
  return isSkipped ? undefined : via;
}

const begin = (status: Status, scenario: Scenario): Start => ({ status, scenario, decline: null, facts: {} });

function end(order: OrderRequest, scenario: Scenario, facts: ProviderFacts = {}): Start {
  const { status, decline } = finished(scenario);
  const number = 'card' in order ? order.card?.number : order.payee_card?.number;
  const added = status === 'declined' ? {} : network(brandOf(number ?? '')?.id, order.descriptor ?? '');
  return { status, scenario, decline, facts: { ...facts, ...added } };
}

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');
