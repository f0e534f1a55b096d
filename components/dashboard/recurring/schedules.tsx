'use client';
// The list of schedules, and the form that creates one.
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { ScheduleRow } from '../../../lib/dashboard/lists/contract.ts';
import { Button, ListPage, type ListProps, useQuestion } from '../ui/index.ts';
import { MerchantMissing, planForm } from './schedule-form.tsx';

export function Schedules({ mayChange, ...list }: ListProps<ScheduleRow> & { mayChange: boolean }) {
  const { push } = useRouter();
  const { ask, dialog } = useQuestion();
  const [isMissing, setMissing] = useState(false);
  const askPlan = () => ask(planForm('/schedules', ({ id }) => push(`/dashboard/schedules/${id}`)));
  const create = mayChange ? (
    <Button icon="plus" size="small" onClick={() => (list.view.manyMerchants ? setMissing(true) : askPlan())}>
      Create schedule
    </Button>
  ) : null;
  return (
    <>
      <ListPage<ScheduleRow> {...list} tools={create} firstStep={create} />
      {dialog}
      {isMissing ? <MerchantMissing onClose={() => setMissing(false)} /> : null}
    </>
  );
}
