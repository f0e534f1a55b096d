// The views of the list: those that everybody has, and a person's own. The address says which one is looked at.
import type { SavedView } from '../../../lib/dashboard/contract';

type BuiltIn = { id: string; name: string; query: string };

export const builtIn: readonly BuiltIn[] = [
  { id: 'all', name: 'All', query: '' },
  { id: 'attention', name: 'Needs attention', query: 'attention=yes' },
  { id: 'pending', name: 'Pending', query: 'state=pending' },
  { id: 'declined', name: 'Declined', query: 'state=decline' },
  { id: 'refunded', name: 'Refunded', query: 'state=refund' },
];

/** A query without the page that somebody is on, in one order, so that the same filters are the same text. */
export function viewQuery(text: string): string {
  const params = new URLSearchParams(text);
  for (const name of ['after', 'before', 'open']) params.delete(name);
  params.sort();
  return params.toString();
}

/** The person's own view whose filters these are. */
export function ownView(views: readonly SavedView[], query: string): SavedView | null {
  return views.find((view) => viewQuery(view.query) === viewQuery(query)) ?? null;
}

/** Whether these filters have a name. */
export function isView(views: readonly SavedView[], query: string): boolean {
  return ownView(views, query) !== null || builtIn.some((view) => view.query === viewQuery(query));
}
