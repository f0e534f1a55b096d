'use client';
// Small tables and logs that several object pages share.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as columns from '../../../lib/dashboard/lists/columns.ts';
import type { Activity, ListOf, PaymentLine } from '../../../lib/dashboard/lists/contract.ts';
import { Actions, ObjectTable, request } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { tableColumns } from './list-cells.tsx';
import { ObjectPart } from './object-head.tsx';

const lineColumns = tableColumns([
  { ...columns.amount },
  { ...columns.status, width: undefined },
  columns.order,
  columns.created(),
]);

type PagedProps<Row> = {
  initial: ListOf<Row>;
  more: (query: string) => Promise<ListOf<Row>>;
  /** The query key in the browser. */
  name: readonly string[];
  children: (rows: Row[]) => ReactNode;
};

/** Rows of an object with links to newer and older ones. */
export function PagedLines<Row>({ initial, more, name, children }: PagedProps<Row>) {
  const [place, setPlace] = useState('');
  const { data = initial } = useQuery({
    queryKey: [...name, place],
    queryFn: () => more(place),
    initialData: place === '' ? initial : undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {children(data.rows)}
      <PageLinks list={data} onPlace={setPlace} />
    </>
  );
}

type LinesProps = Omit<PagedProps<PaymentLine>, 'children'> & { caption: string; empty: string };

/** Payments of an object, each a link. */
export function PaymentLines({ caption, empty, ...paged }: LinesProps) {
  return (
    <PagedLines {...paged}>
      {(rows) => (
        <ObjectTable
          caption={caption}
          columns={lineColumns}
          rows={rows}
          rowHref={({ id }) => `/dashboard/payments/${id}`}
          empty={<p className="px-gutter py-4 text-ink2">{empty}</p>}
        />
      )}
    </PagedLines>
  );
}

type PagesProps = { list: { newer: string | null; older: string | null }; onPlace: (query: string) => void };

function PageLinks({ list: { newer, older }, onPlace }: PagesProps) {
  if (newer === null && older === null) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2 px-gutter py-3">
      <Actions
        size="small"
        of={[
          newer !== null && { text: 'Newer', icon: 'left', onClick: () => onPlace(`before=${newer}`) },
          older !== null && { text: 'Older', icon: 'right', onClick: () => onPlace(`after=${older}`) },
        ]}
      />
    </nav>
  );
}

/** The users' actions on an object. */
export function ActivityLog({ deeds }: { deeds: Activity[] }) {
  if (deeds.length === 0) return null;
  return (
    <ObjectPart title="In the dashboard">
      <ol className="mt-2 grid gap-3">
        {deeds.map(({ at, what, who, detail }) => (
          <li key={`${at} ${what}`} className="grid gap-0.5">
            <span className="flex flex-wrap justify-between gap-x-3">
              <span className="font-strong">{what}</span>
              <span className="text-ink3">{who ?? 'Deleted user'}</span>
            </span>
            <span className="text-xs text-ink3">
              {detail ? `${detail}, ` : null}
              <Time at={at} as="date and time" />
            </span>
          </li>
        ))}
      </ol>
    </ObjectPart>
  );
}

/** Loads a page of rows from a larger response. */
export async function fetchLines<Page>(path: string, query: string, pick: (page: Page) => ListOf<PaymentLine>) {
  return pick(await request<Page>(query === '' ? path : `${path}?${query}`));
}
