/** Audit log entries about a payment as timeline events. */

import type { AuditRecordWithActor, Json } from '../../auth';
import type { TimelineEvent } from '../contract';

const sentences: Record<string, (after: Members, currency: string) => string> = {
  'payment.capture': ({ amount }, currency) => `Capture of ${amount} ${currency} requested`,
  'payment.refund': ({ amount }, currency) => `Refund of ${amount} ${currency} requested`,
  'payment.void': () => 'Void requested',
  'payment.release': () => 'Void of the authorisation requested',
  'payment.ask': ({ provider }) => `Status synced with ${provider}`,
  'unresolved.close': ({ decision }) =>
    decision === 'closed' ? 'Unresolved item closed' : `Unresolved item closed as ${decision}`,
  'callback.resend': ({ type }) => `Callback ${type} resent`,
};

type Members = Record<string, Json | undefined>;

/** The event of an entry. */
export function dashboardEvent(done: AuditRecordWithActor, currency: string): TimelineEvent {
  const after: Members =
    done.after !== null && typeof done.after === 'object' && !Array.isArray(done.after) ? done.after : {};
  const refused = /^(.+)\.refused$/.exec(done.action);
  const action = refused?.[1] ?? done.action;
  const sentence = sentences[action]?.(after, currency) ?? action;
  const reason = typeof after.reason === 'string' && after.reason !== '' ? `“${after.reason}”` : null;
  return {
    id: `${done.action}-${done.at.toISOString()}`,
    kind: 'dashboard',
    at: done.at.toISOString(),
    title: refused ? `${sentence} (refused)` : sentence,
    detail: refused ? String(after.message ?? '') : reason,
    who: done.actorName,
  };
}
