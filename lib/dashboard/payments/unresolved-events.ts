/** Unresolved items in the timeline. An item closed by a user is an audit log entry with name and note. */

import type { Unresolved } from '../../payments';
import type { TimelineEvent } from '../contract';
import { moneyText } from '../labels';

/** An event for each opened item, and for each item that Florin closed. */
export function unresolvedEvents(items: Unresolved[]): TimelineEvent[] {
  return items.flatMap((item) => [openedEvent(item), ...closedEvent(item)]);
}

function openedEvent({ id, reason, amount, action, closedAt, createdAt }: Unresolved): TimelineEvent {
  const next =
    action === 'task'
      ? { text: 'needs a decision', tone: 'bad' as const }
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
