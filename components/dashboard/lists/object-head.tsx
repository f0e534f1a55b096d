'use client';
// The frame of an object's page: title, state, actions and a row of facts above its parts, and the tables and logs that
// several object pages share.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import type { FactGroup } from '../../../lib/dashboard/contract.ts';
import * as columns from '../../../lib/dashboard/lists/columns.ts';
import type { Activity, ListOf, PaymentLine } from '../../../lib/dashboard/lists/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../facts.tsx';
import { Actions, IconButton, Menu, type MenuItem, ObjectTable, type Offers, request } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { type State, StateTag, tableColumns } from './list-cells.tsx';

type HeadProps = {
  title: ReactNode;
  state?: State;
  about?: ReactNode;
  actions?: Offers;
  menu?: readonly MenuItem[];
  /** In their order; an undefined one is left out. */
  facts: Readonly<Record<string, ReactNode>>;
};

export function ObjectHead({ title, state, about, actions = [], menu, facts }: HeadProps) {
  return (
    <header className="border-b border-line">
      <div className="flex items-start justify-between gap-x-6 gap-y-3 px-gutter pt-5 pb-3.5 max-md:flex-wrap">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-title font-semibold">
            <span className="min-w-0 break-words">{title}</span>
            {state ? <StateTag state={state} /> : null}
          </h1>
          {about ? <p className="mt-1 text-ink2">{about}</p> : null}
        </div>
        {actions.some((action) => action !== false) ? (
          <div className="flex flex-wrap items-center gap-2 md:shrink-0 phone:w-full phone:[&>*]:flex-1">
            <Actions of={actions} />
            {menu ? (
              <Menu label="More actions" items={menu}>
                <IconButton label="More actions" icon="dots" framed />
              </Menu>
            ) : null}
          </div>
        ) : null}
      </div>
      <dl className="flex flex-wrap gap-y-3 px-gutter pb-3.5 phone:grid phone:grid-cols-2 phone:gap-x-4">
        {Object.entries(facts).map(([name, value]) =>
          value === undefined ? null : (
            <div
              key={name}
              className="min-w-0 border-line pr-6 not-first:border-l not-first:pl-6 phone:border-0! phone:p-0!"
            >
              <dt className="text-xs text-ink3">{name}</dt>
              <dd className="m-0 mt-0.5 font-medium">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </header>
  );
}

type PageProps = HeadProps & {
  children: ReactNode;
  /** Beside the parts: groups of facts, or other content under its name. */
  groups?: FactGroup[];
  aside?: ReactNode;
  asideName?: string;
};

/** The page of an object: its head, its parts, and what is beside them. */
export function ObjectPage({ children, groups = [], aside, asideName = 'Facts', ...head }: PageProps) {
  return (
    <>
      <ObjectHead {...head} />
      <div className="grid flex-1 lg:grid-cols-[minmax(0,1fr)_348px]">
        <div className="min-w-0">{children}</div>
        <aside aria-label={asideName} className="border-line max-lg:border-t lg:border-l">
          {aside ?? (
            <div className="grid content-start gap-5 px-gutter py-4">
              <Facts groups={groups} />
            </div>
          )}
        </aside>
      </div>
    </>
  );
}

type PartProps = {
  title: string;
  count?: ReactNode;
  /** Its content is a table from edge to edge. */
  table?: boolean;
  children: ReactNode;
};

/** A part of the page under its heading. */
export function ObjectPart({ title, count, table = false, children }: PartProps) {
  return (
    <section aria-label={title} className={clsx('border-b border-line last:border-b-0', table ? '' : 'px-gutter py-4')}>
      <h2 className={clsx('text-base font-semibold', table && 'px-gutter pt-4 pb-2')}>
        {title} {count ? <span className="figures font-normal text-ink3">{count}</span> : null}
      </h2>
      {children}
    </section>
  );
}

const shortId = (id: string) => (id.length <= 13 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`);

type IdentifierProps = { whole: string | null; text?: string; what: string };

/** An identifier, shown shortened and copied in full. */
export function Identifier({ whole, text = shortId(whole ?? ''), what }: IdentifierProps) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <code className="font-mono text-xs" title={whole === text ? text : undefined}>
        {text}
      </code>
      {whole === null ? null : (
        <CopyButton text={whole} what={what} className="border-0! bg-transparent! p-0! text-ink3! shadow-none!" />
      )}
    </span>
  );
}

const lineColumns = tableColumns([
  columns.amount,
  { ...columns.status, width: undefined },
  columns.order,
  columns.created(),
]);

type PagedProps<Row> = {
  initial: ListOf<Row>;
  /** Where its pages are read; `pick` takes the rows out of a larger answer. */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the page of any object
  pick?: (answer: any) => ListOf<Row>;
  children: (rows: Row[]) => ReactNode;
};

/** Rows of an object with links to newer and older ones. */
export function PagedLines<Row>({ initial, path, pick = (answer) => answer, children }: PagedProps<Row>) {
  const [place, setPlace] = useState('');
  const { data = initial } = useQuery<ListOf<Row>>({
    queryKey: ['lines', path, place],
    queryFn: async () => pick(await request(place === '' ? path : `${path}?${place}`)),
    initialData: place === '' ? initial : undefined,
    placeholderData: keepPreviousData,
  });
  const { newer, older } = data;
  return (
    <>
      {children(data.rows)}
      {newer === null && older === null ? null : (
        <nav aria-label="Pages" className="flex gap-2 px-gutter py-3">
          <Actions
            size="small"
            of={[
              newer !== null && { text: 'Newer', icon: 'left', onClick: () => setPlace(`before=${newer}`) },
              older !== null && { text: 'Older', icon: 'right', onClick: () => setPlace(`after=${older}`) },
            ]}
          />
        </nav>
      )}
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
