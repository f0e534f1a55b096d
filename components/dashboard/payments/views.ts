// The views of the list: the built-in ones and the user's own. The URL identifies the current one.
import type { SavedView } from '../../../lib/dashboard/contract.ts';
import type { View } from '../../../lib/dashboard/lists/contract.ts';

/** A query without the page position, sorted, so that equal filters give equal texts. */
export function viewQuery(text: string): string {
  const params = new URLSearchParams(text);
  for (const name of ['after', 'before', 'open']) params.delete(name);
  params.sort();
  return params.toString();
}

/** The user's own view with these filters. */
export function ownView(views: readonly SavedView[], query: string): SavedView | null {
  return views.find((view) => viewQuery(view.query) === viewQuery(query)) ?? null;
}

/** Whether these filters belong to a view. */
export function isView(views: readonly SavedView[], builtIn: readonly View[], query: string): boolean {
  return ownView(views, query) !== null || builtIn.some((view) => view.query === viewQuery(query));
}
