// The outcome of each payment of a bulk action. No response is not a refusal: the money may have moved after a broken
// connection, so such a row is counted separately.

import type { PaymentPage } from '../../../lib/dashboard/contract.ts';
import { errorText, isOutcomeUnknown } from '../ui/request.ts';

/** `taken`: recorded, in progress at the provider. `unsure`: no response. */
export type BulkResult =
  | { kind: 'waiting' | 'working' | 'done' | 'taken' }
  | { kind: 'refused' | 'unsure'; why: string };

type Answer = Pick<PaymentPage, 'status' | 'actions'>;

/** The outcome of an action from the payment's page data. */
export function resultOfResponse(action: 'capture' | 'refund', { status, actions }: Answer): BulkResult {
  if (action === 'capture' && actions.capture) return { kind: 'refused', why: 'The provider declined it.' };
  const over = action === 'capture' ? ['settled'] : ['refund', 'reversal'];
  return { kind: over.includes(status) ? 'done' : 'taken' };
}

/** The outcome of a failed request. A refusal after no response does not show whether the first one was processed. */
export function resultOfError(thrown: unknown, before: BulkResult): BulkResult {
  const why = errorText(thrown);
  return { kind: isOutcomeUnknown(thrown) || before.kind === 'unsure' ? 'unsure' : 'refused', why };
}

/** Whether every payment was requested once. */
export function allFinished(fates: readonly BulkResult[]): boolean {
  return fates.every(({ kind }) => kind !== 'waiting' && kind !== 'working');
}

/** The summary below the rows after all requests. */
export function summaryText(fates: readonly BulkResult[]): { tone: 'ok' | 'warn'; text: string } {
  const count = (kind: BulkResult['kind']) => fates.filter((fate) => fate.kind === kind).length;
  const unsure = count('unsure');
  const message: [number, string][] = [
    [count('done'), 'done'],
    [count('taken'), 'in progress at the provider'],
    [count('refused'), 'refused and unchanged'],
    [unsure, 'without a response'],
  ];
  const text = message.flatMap(([many, what]) => (many > 0 ? `${many} ${what}` : [])).join(', ');
  const tone = unsure + count('refused') > 0 ? 'warn' : 'ok';
  if (unsure === 0) return { tone, text: `${text}.` };
  const they = unsure === 1 ? 'It' : 'They';
  return {
    tone,
    text: `${text}. ${they} may or may not have happened: retry ${they === 'It' ? 'it' : 'them'}, which never runs twice.`,
  };
}
