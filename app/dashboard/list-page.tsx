// The page of a list: its description and first rows, drawn by ListPage or by the list's own component around it.
import type { ComponentType } from 'react';
import { ListPage } from '../../components/dashboard/ui/list-page.tsx';
import { type ListName, lists, listView, type PageContext, readList, type Wire } from '../../lib/dashboard/index.ts';
import type { ListView } from '../../lib/dashboard/lists/contract.ts';
import { dashboardPage } from './dashboard-page.tsx';

// biome-ignore lint/suspicious/noExplicitAny: the rows of all lists differ
type ListProps = { view: ListView; initial: any; query: string };

/** A Next page for the list; `extra` reads what its own component needs besides. */
export function listPage<More extends object>(
  name: ListName,
  List?: ComponentType<ListProps & Wire<More>>,
  extra?: (request: PageContext) => Promise<More>,
) {
  const list = lists[name];
  const Drawn = (List ?? ListPage) as ComponentType<ListProps>;
  return dashboardPage({
    async read(request) {
      const [view, initial, more] = await Promise.all([
        listView(list, request),
        readList(list, request),
        extra?.(request),
      ]);
      return { view, initial, more };
    },
    path: `/dashboard/${name}`,
    right: list.right,
    title: list.title,
    count: ({ initial }) => (initial.total ? `${initial.total} ${list.nouns[1]}` : undefined),
    draw: ({ view, initial, more }, { query }) => (
      <Drawn view={view} initial={initial} query={query.toString()} {...(more as object)} />
    ),
  }).Page;
}
