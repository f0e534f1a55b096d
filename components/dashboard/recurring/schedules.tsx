'use client';
// The list of schedules with their plans and subscribers.
import { useState } from 'react';
import type { ListOf, ScheduleRow } from '../../../lib/dashboard/lists/contract';
import { createdColumn, merchantColumn } from '../lists/cells';
import { samples } from '../lists/samples';
import { ObjectState, stateOptions } from '../lists/state';
import { Button, Code, type Column, Empty, type FilterDef, ListPage, request } from '../ui';
import { Time } from '../zone';
import { ScheduleForm } from './schedule-form';

type Props = {
  initial: ListOf<ScheduleRow>;
  query: string;
  manyMerchants: boolean;
  mayChange: boolean;
  origin: string;
};

const filters: FilterDef[] = [
  { name: 'state', label: 'State', kind: 'choices', options: stateOptions(['running', 'paused', 'deleted']) },
  { name: 'created', label: 'Created', kind: 'day', params: ['from', 'to'] },
];

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'paused', title: 'Paused', query: 'state=paused' },
  { id: 'deleted', title: 'Deleted', query: 'state=deleted' },
];

export function Schedules({ initial, query, manyMerchants, mayChange, origin }: Props) {
  const [making, setMaking] = useState(false);
  const columns: Column<ScheduleRow>[] = [
    { id: 'name', head: 'Schedule', width: '24%', cell: ({ name }) => name },
    { id: 'state', head: 'State', cell: ({ state }) => <ObjectState state={state} /> },
    { id: 'every', head: 'Charges', cell: ({ every }) => every },
    { id: 'length', head: 'Length', hideOnPhone: true, hideBelow: 'lg', cell: ({ length }) => length },
    { id: 'live', head: 'Subscribers', align: 'end', width: 120, cell: (row) => <Live row={row} /> },
    {
      id: 'next',
      head: 'Next charge',
      align: 'end',
      width: 150,
      hideOnPhone: true,
      cell: ({ nextDueAt, state }) =>
        nextDueAt && state === 'running' ? (
          <Time at={nextDueAt} as="day and time" />
        ) : (
          <span className="text-ink3">none</span>
        ),
    },
    ...merchantColumn<ScheduleRow>(manyMerchants),
    createdColumn(),
  ];
  const create = mayChange ? (
    <Button icon="plus" size="small" onClick={() => setMaking(true)}>
      Create schedule
    </Button>
  ) : null;
  return (
    <>
      <ListPage<ScheduleRow>
        title="Schedules"
        nouns={['schedule', 'schedules']}
        search="Part of a name, or schedule_id"
        filters={filters}
        views={views}
        tools={create}
        query={query}
        initial={initial}
        fetch={(search) => request<ListOf<ScheduleRow>>(`/schedules?${search}`)}
        columns={columns}
        rowHref={({ id }) => `/dashboard/schedules/${id}`}
        empty={
          <Empty
            title="No schedules yet"
            steps={[
              { text: 'Create a schedule', done: false, aside: create },
              { text: 'A payment contains its schedule_id with recurring_init', done: false },
              { text: 'Florin charges the card on every date', done: false },
            ]}
            aside={
              <Code title="Create a schedule" language="shell" text={samples.schedule(origin)} copy="command" tall />
            }
          >
            <p>
              A schedule defines when cards are charged again. Each subscriber's dates start from their own initial
              payment.
            </p>
          </Empty>
        }
      />
      <ScheduleForm open={making} onClose={() => setMaking(false)} merchantMissing={manyMerchants} />
    </>
  );
}

function Live({ row: { live, failing } }: { row: ScheduleRow }) {
  return (
    <>
      {live}
      <span className="hidden phone:inline">{live === 1 ? ' subscriber' : ' subscribers'}</span>
      {failing > 0 ? <span className="text-warn">, {failing} failing</span> : null}
    </>
  );
}
