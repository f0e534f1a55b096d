// What became of each payment of a bulk action, as far as it is known. No answer is not a refusal: the money may have moved
// behind a broken line, so that such a row is told apart and counted for itself.

import type { PaymentPage } from '../../../lib/dashboard/contract';
import { errorText } from '../ui/error-text';
import { isOutcomeUnknown } from '../ui/request';

/** `taken`: written down, and the provider is at work on it. `unsure`: nobody has said whether it was done. */
export type BulkResult =
  | { kind: 'waiting' | 'working' | 'done' | 'taken' }
  | { kind: 'refused' | 'unsure'; why: string };

type Answer = Pick<PaymentPage, 'status' | 'actions'>;

/** What a payment's page says of the action that it answers. */
export function resultOfResponse(action: 'capture' | 'refund', { status, actions }: Answer): BulkResult {
  if (action === 'capture' && actions.capture) return { kind: 'refused', why: 'The provider has declined it.' };
  const over = action === 'capture' ? ['settled'] : ['refund', 'reversal'];
  return { kind: over.includes(status) ? 'done' : 'taken' };
}

/** What a failed request says. After one without an answer no refusal is news of that one: it may have been done. */
export function resultOfError(thrown: unknown, before: BulkResult): BulkResult {
  const why = errorText(thrown);
  return { kind: isOutcomeUnknown(thrown) || before.kind === 'unsure' ? 'unsure' : 'refused', why };
}

/** Whether every payment has been asked about once. */
export function allFinished(fates: readonly BulkResult[]): boolean {
  return fates.every(({ kind }) => kind !== 'waiting' && kind !== 'working');
}

/** The sentence below the rows once all of them were asked about. */
export function summaryText(fates: readonly BulkResult[]): { tone: 'ok' | 'warn'; text: string } {
  const count = (kind: BulkResult['kind']) => fates.filter((fate) => fate.kind === kind).length;
  const unsure = count('unsure');
  const said: [number, string][] = [
    [count('done'), 'done'],
    [count('taken'), 'under way at the provider'],
    [count('refused'), 'refused and unchanged'],
    [unsure, 'without an answer'],
  ];
  const text = said.flatMap(([many, what]) => (many > 0 ? `${many} ${what}` : [])).join(', ');
  const tone = unsure + count('refused') > 0 ? 'warn' : 'ok';
  if (unsure === 0) return { tone, text: `${text}.` };
  const they = unsure === 1 ? 'That one' : 'Those';
  return { tone, text: `${text}. ${they} may or may not have happened: ask again, which does nothing twice.` };
}
