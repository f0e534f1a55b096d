// What the sandbox provider keeps of an operation: one row of its books, as the rest of the simulator holds it.
import type { SandboxDecline } from '../../core/sandbox-cards';
import type { ForcedOutcome } from './outcomes';
import type { Present } from './present';

export type Status = 'challenge' | 'redirect' | 'processing' | 'approved' | 'authorized' | 'declined';
export type Kind = 'payment' | 'payout' | 'capture' | 'refund' | 'void' | 'proceed';

/** What becomes of an operation and of those that follow it; decided when it arrives. */
export type Scenario = {
  outcome: 'settled' | 'declined';
  /** Authorizes only. */
  hold: boolean;
  decline?: SandboxDecline;
  follow?: { capture?: SandboxDecline; refund?: SandboxDecline; void?: SandboxDecline };
  /** The bank's page asks for a code. */
  code?: boolean;
  /** What the parameter `sandbox` has forced. */
  forced?: ForcedOutcome;
  /** When its time comes it is declined: the payer was not heard of. */
  lapses?: true;
  /** What was bought, where a new code has to say it again. */
  description?: string;
  /** How many codes have followed the first. */
  renewals?: number;
  /** What it was told of the payer's side. */
  payer?: { ip?: unknown; browser?: Record<string, unknown> };
};

/** What an answer tells besides the status, in the contract's names. */
export type ProviderFacts = {
  network?: Record<string, string>;
  three_ds?: Record<string, string>;
  extended?: Record<string, string>;
  /** What the payer is shown while the operation is processing. */
  present?: Present;
  /** What has moved, where it is not the operation's amount: after changes at the provider's own portal. */
  amount?: string;
  /** What has arrived so far of a payment that the payer makes in parts, while it is processing. */
  received?: string;
  chargebacks?: SimChargeback[];
};

/** Money that the payer's bank has taken back; `won`: it has come back to the merchant. */
export type SimChargeback = {
  id: string;
  amount: string;
  currency: string;
  date: string;
  bank_date: string;
  reason_code: string;
  status: 'open' | 'won';
};

export type Operation = {
  id: string;
  account: string;
  key: string;
  kind: Kind;
  originalId: string | null;
  fingerprint: string;
  operation: string | null;
  method: string | null;
  orderNumber: string;
  descriptor: string;
  currency: string;
  amountMinor: bigint;
  status: Status;
  cardMask: string | null;
  scenario: Scenario;
  facts: ProviderFacts;
  decline: SandboxDecline | null;
  firstAnswer: object;
  returnUrl: string | null;
  notifyUrl: string | null;
  wrongCodes: number;
  version: number;
  calls: number;
  capturedMinor: bigint;
  capturedAt: Date | null;
  refundedMinor: bigint;
  voidedAt: Date | null;
  dueAt: Date | null;
  createdAt: Date;
};

/** A new operation; what it leaves out is empty. */
export type NewOperation = Partial<Operation> &
  Pick<Operation, 'id' | 'account' | 'key' | 'kind' | 'fingerprint' | 'currency' | 'amountMinor' | 'status'> &
  Pick<Operation, 'firstAnswer' | 'createdAt'>;

/** The part of an operation that changes after it was made. */
export type Change = Partial<
  Pick<
    Operation,
    | 'status'
    | 'amountMinor'
    | 'scenario'
    | 'facts'
    | 'decline'
    | 'wrongCodes'
    | 'capturedMinor'
    | 'capturedAt'
    | 'refundedMinor'
    | 'voidedAt'
    | 'dueAt'
  >
>;

/** A notification to send. Without a body it tells the operation as it is when it is sent. */
export type Notification = { messageId: string; body?: object; at: Date; dueAt: Date };
