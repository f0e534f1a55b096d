/** Unresolved items in the timeline. What a person closes is an entry of the audit log, with their name and note. */

import type { Unresolved } from '../../payments';
import type { TimelineEvent } from '../contract';
import { moneyText } from '../labels';

/** An event for each item that was opened, and one for each that was closed without a person. */
export function unresolvedEvents(items: Unresolved[]): TimelineEvent[] {
  return items.flatMap((item) => [openedEvent(item), ...closedEvent(item)]);
}

function openedEvent({ id, reason, amount, action, closedAt, createdAt }: Unresolved): TimelineEvent {
  const next =
    action === 'task'
      ? { text: 'needs a person', tone: 'bad' as const }
      : { text: `Florin tries to ${action} it`, tone: 'warn' as const };
  return {
    id: `${id}-opened`,
    kind: 'provider',
    at: createdAt.toISOString(),
    title: `Unresolved: ${reason}`,
    detail: moneyText(amount.minor, amount.currency),
    who: 'Florin',
    ...(closedAt === null && { tag: next }),
  };
}

function closedEvent({ id, reason, closedAt, closedBy, resolution }: Unresolved): TimelineEvent[] {
  if (closedAt === null || closedBy !== 'florin') return [];
  return [
    {
      id: `${id}-closed`,
      kind: 'provider',
      at: closedAt.toISOString(),
      title: 'Unresolved item closed',
      detail: `${resolution}: ${reason}`,
      who: 'Florin',
    },
  ];
}
