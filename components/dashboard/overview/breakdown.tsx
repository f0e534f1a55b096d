'use client';
// The attempts of the period by MID, merchant or card brand. It is loaded after the page, because it reads more rows than
// the charts.
import { keepPreviousData } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { Breakdown as Model } from '../../../lib/dashboard/overview/contract.ts';
import { errorText, type SmallColumn, SmallTable, Tabs, useRead } from '../ui/index.ts';
import { changedQuery } from '../ui/list-filters.tsx';
import { ChangeMark } from './figures.tsx';
import { countText, percentText, pointsText } from './format.ts';

type Row = Model['rows'][number];
type Group = Model['by'];

const titles: Record<Group, string> = { mid: 'MID', merchant: 'Merchant', brand: 'Card brand' };
const number = 'figures w-[84px] text-end phone:w-[68px]';
const newsMilliseconds = 60_000;

export function Breakdown({ currency, manyMerchants }: { currency: string; manyMerchants: boolean }) {
  const params = useSearchParams();
  const [by, setBy] = useState<Group>('mid');
  const query = changedQuery(params, { by, currency }).toString();
  const { data, error } = useRead<Model>(`/overview/breakdown?${query}`, {
    placeholderData: keepPreviousData,
    refetchInterval: newsMilliseconds,
  });
  const shown = (Object.keys(titles) as Group[]).filter((each) => manyMerchants || each !== 'merchant');
  return (
    <section aria-labelledby="breakdown" className="border-t border-line px-gutter py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id="breakdown" className="text-base font-semibold">
            Attempts by {by === 'mid' ? 'MID' : titles[by].toLowerCase()}
          </h2>
          <p className="text-xs text-ink3">Completed attempts, and their approval compared with the previous period</p>
        </div>
        <Tabs
          segments
          label="Attempts by"
          tabs={shown.map((id) => ({ id, title: titles[id] }))}
          value={by}
          onChange={(id) => setBy(id as Group)}
        />
      </div>
      <div className="mt-3 min-h-24">
        {error ? (
          <p role="alert" className="py-6 text-bad">
            {errorText(error)}
          </p>
        ) : data ? (
          <Rows model={data} params={params} />
        ) : null}
      </div>
    </section>
  );
}

function Rows({ model: { by, currency, rows, more }, params }: { model: Model; params: URLSearchParams }) {
  if (rows.length === 0) return <p className="py-6 text-ink3">No attempt was completed in this period.</p>;
  return (
    <>
      <SmallTable<Row>
        label={`Attempts by ${titles[by]}`}
        columns={columnsOf(by, currency, params)}
        rows={rows.map((row) => ({ ...row, key: row.id }))}
        className="w-full table-fixed"
        headCell="h-8 border-b border-line text-xs font-medium text-ink3"
        cell="h-[34px] border-b border-line phone:h-11"
      />
      {more > 0 ? <p className="mt-2 text-xs text-ink3">{countText(more)} more. Choose a merchant above.</p> : null}
    </>
  );
}

function columnsOf(by: Group, currency: string, params: URLSearchParams): SmallColumn<Row>[] {
  const change = ({ approved, approvedBefore }: Row): ReactNode => {
    const points = pointsText(approved, approvedBefore);
    return points ? <ChangeMark change={points} good="up" /> : <span className="text-ink3">–</span>;
  };
  return [
    {
      head: titles[by],
      names: true,
      className: 'truncate pr-3 text-start',
      cellClass: 'font-medium',
      cell: ({ id, name, merchantName }) => (
        <>
          <Name by={by} id={id} params={params}>
            {name}
          </Name>
          {merchantName ? (
            <span className="ml-2 text-xs font-normal text-ink3 phone:hidden">{merchantName}</span>
          ) : null}
        </>
      ),
    },
    { head: 'Attempts', className: number, cell: ({ attempts }) => countText(attempts) },
    { head: 'Approved', className: number, cell: ({ approved }) => `${percentText(approved)} %` },
    { head: 'Change', className: 'figures w-[120px] text-end phone:hidden', cell: change },
    {
      head: `Approved volume, ${currency}`,
      className: 'figures w-[190px] text-end max-md:hidden',
      cell: ({ volume }) => grouped(volume),
    },
    {
      head: 'Chargebacks',
      className: 'figures w-[110px] text-end phone:w-[92px]',
      cell: ({ chargebacks }) => (chargebacks === null ? '–' : countText(chargebacks)),
    },
  ];
}

/** Limits the overview to the row's MID or merchant. */
function Name({ by, id, params, children }: { by: Group; id: string; params: URLSearchParams; children: ReactNode }) {
  if (by === 'brand' || id === '') return <>{children}</>;
  const filter: Record<string, string | null> = by === 'mid' ? { mid: id } : { merchant: id, mid: null };
  return (
    <Link
      href={`/dashboard?${changedQuery(params, filter)}`}
      scroll={false}
      prefetch={false}
      className="text-ink no-underline hover:underline"
    >
      {children}
    </Link>
  );
}
