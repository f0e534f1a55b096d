// The sandbox provider's record of an operation, one row, and the outcomes that the parameter `sandbox` of any method
// can force, for tests and for trying rare cases.
import type { QrScheme, Symbology } from '../../core/presentation.ts';
import type { SandboxDecline } from '../../core/sandbox-cards.ts';
import type { SimOperation } from '../../prisma/client.ts';
import type { Row } from './bank-details.ts';

export type Status = 'challenge' | 'redirect' | 'processing' | 'approved' | 'authorized' | 'declined';
type Kind = 'payment' | 'payout' | 'capture' | 'refund' | 'void' | 'proceed';

/** The outcome of an operation and of its modifications, decided on arrival. */
export type Scenario = {
  outcome: 'settled' | 'declined';
  /** Authorises only. */
  hold: boolean;
  decline?: SandboxDecline;
  follow?: { capture?: SandboxDecline; refund?: SandboxDecline; void?: SandboxDecline };
  /** The bank's page requires a code. */
  code?: boolean;
  /** The outcome forced by the parameter `sandbox`. */
  forced?: ForcedOutcome;
  /** It is declined when due: the payer did not respond. */
  expires?: true;
  /** The purchase, for renewing a code. */
  description?: string;
  /** The number of renewed codes. */
  renewals?: number;
  /** The payer's IP address and browser, as sent. */
  payer?: { ip?: unknown; browser?: Record<string, unknown> };
};

/** The `present` member in the contract's names. */
export type Present = { expires_at?: string } & (
  | { kind: 'app'; url: string }
  | { kind: 'qr'; scheme: QrScheme; payload: string; renewable?: boolean }
  | { kind: 'confirm'; sent_to?: string }
  | { kind: 'details'; rows: Row[]; barcode?: string; symbology?: Symbology }
  | { kind: 'message'; channel: 'email' | 'sms'; url: string }
  | { kind: 'crypto'; address: string; network: string; currency: string; amount?: string; memo?: string }
  | { kind: 'code'; sent_to?: string; wrong?: boolean }
);

/** Fields of the answer besides the status, by the contract's names. */
export type ProviderFacts = {
  network?: Record<string, string>;
  three_ds?: Record<string, string>;
  extended?: Record<string, string>;
  /** The presentation while the operation is processing. */
  present?: Present;
  /** The amount moved, if it differs from the operation's after portal actions. */
  amount?: string;
  /** The amount received so far of a payment in parts. */
  received?: string;
  chargebacks?: SimChargeback[];
  /** When a modification was approved that was processing at first; in no answer. */
  completed_at?: string;
  /** The days on which chargebacks were won, by their ids; in no answer. */
  won_on?: Record<string, string>;
};

/** Chargebacks; `won`: the merchant has won it. */
type ChargebackTexts = Record<'id' | 'amount' | 'currency' | 'date' | 'bank_date' | 'reason_code', string>;
export type SimChargeback = ChargebackTexts & { status: 'open' | 'won' };

export type Operation = Omit<SimOperation, 'kind' | 'status' | 'scenario' | 'facts' | 'decline' | 'firstAnswer'> & {
  kind: Kind;
  status: Status;
  scenario: Scenario;
  facts: ProviderFacts;
  decline: SandboxDecline | null;
  firstAnswer: object;
};

/** A change of an operation; its identity stays. */
export type Change = Partial<Omit<Operation, 'id' | 'account' | 'key' | 'kind'>>;

/** A notification to send. Without a body it carries the operation as it is when sent. */
export type Notification = { messageId: string; body?: object; createdAt: Date; dueAt: Date };

/** Every outcome and its effect, as documented. */
export const forcedOutcomes = {
  approve: 'Settled at once',
  decline: 'Declined at once',
  pending: 'Processing, settled after 3 seconds',
  rejected: 'Processing, declined after 3 seconds',
  never: 'The payer never acts',
  late: 'Settled after 40 seconds, without the payer',
  expired: "The payer's data expires after 3 seconds, then the payment is declined",
  duplicated: 'As pending; the provider notifies three times',
  out_of_order: 'As pending; an older notification arrives after the final one',
} as const;

export type ForcedOutcome = keyof typeof forcedOutcomes;

/** The outcome forced by an order's parameters; undefined without a valid one. */
export function forcedOf(parameters: Record<string, unknown> | undefined): ForcedOutcome | undefined {
  const requested = parameters?.sandbox;
  return typeof requested === 'string' && Object.hasOwn(forcedOutcomes, requested)
    ? (requested as ForcedOutcome)
    : undefined;
}

/** A decline; by default a technical one that no other card helps. */
export const declineOf = (
  code: string,
  reason: string,
  group: SandboxDecline['class'] = 'technical',
  soft = false,
): SandboxDecline => ({ code, reason, class: group, soft });

export const declinedByProcessing = declineOf('declined', 'Declined by processing', 'bank');
export const payerDeclined = declineOf('payer_declined', 'The payer declined the payment', 'unconfirmed', true);
export const notConfirmedInTime = declineOf('expired', 'The payer did not confirm in time', 'unconfirmed', true);
export const wrongCode = declineOf('wrong_code', 'The payer did not know the code', 'unconfirmed', true);
