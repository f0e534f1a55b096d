// How an unfinished operation ends: by the payer's answer on a page, or by itself when its time has come. Both are one
// guarded change, so that an operation ends once however many try.
import { brandOf } from '../core/cards';
import type { SandboxDecline } from '../core/sandbox-cards';
import type { Operation, ProviderFacts } from './operation';
import { amend, findById } from './operations';
import { finished, network } from './scenario';

/**
 * Ends an operation as its scenario says, or with `decline` when the payer refused. Returns it as it is afterwards; one
 * that has ended already stays as it is.
 */
export async function settleOperation(
  read: Operation,
  at: Date,
  decline: SandboxDecline | null = null,
  facts: ProviderFacts = {},
): Promise<Operation> {
  let operation = read;
  while (isUnfinished(operation)) {
    const end = decline ? { status: 'declined' as const, decline } : finished(operation.scenario);
    const added = end.status === 'declined' ? {} : network(brandOf(operation.cardMask ?? '')?.id, operation.descriptor);
    const taken = end.status === 'approved' ? { capturedMinor: operation.amountMinor, capturedAt: at } : {};
    const change = { ...end, ...taken, facts: { ...operation.facts, ...facts, ...added }, dueAt: null };
    if (await amend(operation, change, at)) return { ...operation, ...change, version: operation.version + 1 };
    operation = (await findById(operation.id)) ?? operation;
  }
  return operation;
}

/** Whether an operation still waits for its payer or its time. */
export function isUnfinished(operation: Pick<Operation, 'status'>): boolean {
  return operation.status === 'challenge' || operation.status === 'redirect' || operation.status === 'processing';
}
