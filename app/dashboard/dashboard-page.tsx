// How every page of the dashboard is made: who may see it, what it reads, and its titles above what it draws.
import { notFound } from 'next/navigation';
import { cache, type ReactNode } from 'react';
import { TopBar } from '../../components/dashboard/shell/top-bar.tsx';
import { may, type Right } from '../../lib/auth/index.ts';
import {
  type ListName,
  lists,
  type PageContext,
  readForPage,
  recordRefusedAccess,
  type Wire,
  waitMessage,
} from '../../lib/dashboard/index.ts';
import { pageRequest } from './session.ts';

type Description<Data> = {
  path: string;
  /** The default is `payments.read`; without it, the page is not found. */
  right?: Right;
  title: string | ((data: Data) => string);
  tab?: string | ((data: Data) => string);
  /** The title of an address without an object. */
  missing?: string;
  /** The page above; the bar's title is then not the page's heading. */
  parent?: { href: string; text: string } | ((data: Data) => { href: string; text: string });
  count?: (data: Data) => string | undefined;
  draw: (data: Data, request: PageContext) => ReactNode | Promise<ReactNode>;
};

type Props = { params: Promise<Record<string, string>>; searchParams: Promise<Record<string, string | string[]>> };

const resolve = <Data, Value>(given: Value | ((data: Data) => Value), data: Data): Value =>
  typeof given === 'function' ? (given as (data: Data) => Value)(data) : given;

/** What the page shows. */
type Reader<Data> = { read: (request: PageContext) => Promise<Data> };

/** A Next page, and its metadata. */
export function dashboardPage<Data>(page: Reader<Data> & Description<Wire<Data>>) {
  const load = cache(async (params: string, query: string) => {
    const given: Record<string, string> = JSON.parse(params);
    const path = page.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(given[name] ?? ''));
    const request = { ...(await pageRequest(path, new URLSearchParams(query))), params: given };
    const mayRead = may(request.viewer.role, page.right ?? 'payments.read');
    if (!mayRead) await recordRefusedAccess(request.viewer, `GET ${page.path}`);
    let busy: string | null = null;
    const reading = mayRead ? readForPage(request, page.path, () => page.read(request)) : null;
    const read = await reading?.catch((thrown) => {
      busy = waitMessage(thrown);
      if (busy === null) throw thrown;
      return null;
    });
    // Components get the same JSON from here as from the data routes.
    return {
      request,
      busy,
      address: query ? `${path}?${query}` : path,
      data: JSON.parse(JSON.stringify(read ?? null)) as Wire<Data> | null,
    };
  });
  const loaded = async ({ params, searchParams }: Props) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(await searchParams)) {
      for (const each of [value].flat()) query.append(name, each);
    }
    return load(JSON.stringify(await params), query.toString());
  };
  return {
    async generateMetadata(props: Props): Promise<{ title: string }> {
      const { tab = page.title } = page;
      if (typeof tab === 'string') return { title: tab };
      const { data, busy } = await loaded(props);
      return { title: data === null ? (busy ?? page.missing ?? 'Not found') : tab(data) };
    },
    async Page(props: Props): Promise<ReactNode> {
      const { data, busy, address, request } = await loaded(props);
      if (busy !== null) return <BusyPage message={busy} address={address} />;
      if (data === null) notFound();
      return (
        <>
          <TopBar
            {...(page.parent && { parent: resolve(page.parent, data), heading: false })}
            title={resolve(page.title, data)}
            count={page.count?.(data)}
          />
          <main id="main" tabIndex={-1} className="dashboard-main">
            {await page.draw(data, request)}
          </main>
        </>
      );
    },
  };
}

const BusyPage = ({ message, address }: { message: string; address: string }) => (
  <>
    <TopBar title="Not loaded" />
    <main id="main" tabIndex={-1} className="dashboard-main dashboard-lost">
      <p role="alert">{message}</p>
      <p>
        <a href={address}>Load the page again</a>
      </p>
    </main>
  </>
);

type Below<Data> = Omit<Description<Wire<Data>>, 'path' | 'parent'> & Reader<Data> & { path?: string };

/** A Next page below a list, of one of its objects by default: the list is its parent and gives it its right. */
export function pageBelow<Data>(name: ListName, { path = ':id', ...page }: Below<Data>) {
  const { title, right } = lists[name];
  const href = `/dashboard/${name}`;
  return dashboardPage({ right, ...page, path: `${href}/${path}`, parent: { href, text: title } });
}
