'use client';
// The list of schedules, and the form that creates one.
import { useState } from 'react';
import type { ScheduleRow } from '../../../lib/dashboard/lists/contract.ts';
import { Button, ListPage, type ListProps } from '../ui/index.ts';
import { ScheduleForm } from './schedule-form.tsx';

export function Schedules({ mayChange, ...list }: ListProps<ScheduleRow> & { mayChange: boolean }) {
  const [making, setMaking] = useState(false);
  const create = mayChange ? (
    <Button icon="plus" size="small" onClick={() => setMaking(true)}>
      Create schedule
    </Button>
  ) : null;
  return (
    <>
      <ListPage<ScheduleRow> {...list} tools={create} firstStep={create} />
      {making ? <ScheduleForm onClose={() => setMaking(false)} merchantMissing={list.view.manyMerchants} /> : null}
    </>
  );
}
