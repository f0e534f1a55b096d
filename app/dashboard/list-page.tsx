// The page of a list: its description and first rows, drawn by ListPage or by the list's own component around it.
import { notFound } from 'next/navigation';
import type { ComponentType, ReactNode } from 'react';
import { TopBar } from '../../components/dashboard/shell/shell';
import { ListPage } from '../../components/dashboard/ui/list-page';
import { may } from '../../lib/auth';
import { env } from '../../lib/config';
import { type ListName, type ListRequest, lists, listView, readList } from '../../lib/dashboard';
import type { ListView } from '../../lib/dashboard/lists/contract';
import { pageRequest, type SearchParams } from './page-request';

// biome-ignore lint/suspicious/noExplicitAny: the rows of all lists differ
type ListProps = { view: ListView; initial: any; query: string };

type Extra<Props> = (request: ListRequest) => Promise<Omit<Props, keyof ListProps>>;

/** A Next page for the list; `extra` reads what its own component needs besides. */
export function listPage<Props extends ListProps>(name: ListName, List?: ComponentType<Props>, extra?: Extra<Props>) {
  const list = lists[name];
  return async function Page({ searchParams }: { searchParams: SearchParams }): Promise<ReactNode> {
    const request = await pageRequest(`/dashboard/${name}`, searchParams);
    if (!may(request.viewer.role, list.right ?? 'payments.read')) notFound();
    const [view, initial, more] = await Promise.all([
      listView(list, request),
      readList(list, request),
      extra?.(request),
    ]);
    const Drawn = (List ?? ListPage) as ComponentType<ListProps>;
    return (
      <>
        <TopBar
          title={list.title}
          count={initial.total ? `${initial.total} ${list.nouns[1]}` : undefined}
          sandbox={env.appEnv === 'sandbox'}
        />
        <main id="main" tabIndex={-1} className="dashboard-main">
          <Drawn view={view} initial={initial} query={request.query.toString()} {...more} />
        </main>
      </>
    );
  };
}
