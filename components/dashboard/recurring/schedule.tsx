'use client';
// A schedule's page: the plan in words, what it is going to charge, who has subscribed and what was charged.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type {
  ListOf,
  MissedCharges,
  PaymentLine,
  SchedulePage,
  SubscriptionRow,
} from '../../../lib/dashboard/lists/contract';
import { ActivityLog, PageLinks, PaymentLines } from '../lists/cells';
import { Identifier, ObjectHead, shortId } from '../lists/object-head';
import { Button, ConfirmDialog, IconButton, Menu, Note, request, Tabs, useToast } from '../ui';
import { Time } from '../zone';
import { SchedulePreview } from './preview';
import { ScheduleForm } from './schedule-form';
import { Subscriptions } from './subscriptions';

const refreshMilliseconds = 15_000;

type Asking = 'pause' | 'run' | 'delete' | 'change' | SubscriptionRow | null;

export function ScheduleView({ initial }: { initial: SchedulePage }) {
  const client = useQueryClient();
  const toast = useToast();
  const [tab, setTab] = useState('next');
  const [asking, setAsking] = useState<Asking>(null);
  const path = `/schedules/${initial.id}`;
  const key = ['schedule', initial.id];
  const { data: schedule = initial } = useQuery({
    queryKey: key,
    queryFn: () => request<SchedulePage>(path),
    initialData: initial,
    refetchInterval: refreshMilliseconds,
  });
  const take = (page: SchedulePage, said: string) => {
    client.setQueryData(key, page);
    void client.invalidateQueries({ queryKey: ['schedule-part', initial.id] });
    toast(said);
  };
  const act = async (action: string, said: string, body: object = {}) =>
    take(await request<SchedulePage>(`${path}/${action}`, { body }), said);
  const close = () => setAsking(null);
  return (
    <>
      <ObjectHead
        title={schedule.name}
        state={schedule.state}
        actions={schedule.mayChange ? <Actions schedule={schedule} ask={setAsking} /> : null}
        facts={[
          { name: 'Charges', value: schedule.every },
          { name: 'First charge', value: schedule.first },
          { name: 'Length', value: `${schedule.length}, then it ends` },
          { name: 'Subscribers', value: subscribersText(schedule) },
          {
            name: 'schedule_id',
            value: <Identifier text={shortId(schedule.id)} whole={schedule.id} what="schedule_id" />,
          },
          { name: 'Merchant', value: schedule.merchantName },
        ]}
      />
      {schedule.state === 'paused' ? (
        <div className="px-gutter pt-4">
          <Note tone="warn" icon="pause">
            Paused: nothing is charged and nobody can subscribe. Dates that pass meanwhile are left out for good.
          </Note>
        </div>
      ) : null}
      <Alarms schedule={schedule} />
      <div className="border-b border-line px-gutter">
        <Tabs label="Parts of the schedule" value={tab} onChange={setTab} tabs={tabsOf(schedule)} />
      </div>
      <Part tab={tab} schedule={schedule} onEnd={schedule.mayChange ? setAsking : undefined} />
      <Dialogs schedule={schedule} asking={asking} close={close} act={act} />
      <ScheduleForm
        open={asking === 'change'}
        onClose={close}
        changed={{
          id: schedule.id,
          plan: schedule.plan,
          live: schedule.live,
          onDone: (page) => take(page, 'Plan changed.'),
        }}
      />
    </>
  );
}

/** Dates that were missed, and charges that the brake has stopped. */
function Alarms({ schedule: { missed, braked } }: { schedule: SchedulePage }) {
  if (!missed && braked === 0) return null;
  return (
    <div className="grid gap-2 px-gutter pt-4">
      {missed ? <Note tone="warn">{missedText(missed)}</Note> : null}
      {braked > 0 ? (
        <Note tone="warn">
          {braked === 1 ? '1 charge was' : `${braked} charges were`} stopped: a subscription is never charged before its
          date, nor more often than its interval. See Subscribers for which; the charge is made on its date.
        </Note>
      ) : null}
    </div>
  );
}

function missedText({ slots, charged, subscriptions, from }: MissedCharges): ReactNode {
  const dates = slots === 1 ? '1 date was missed' : `${slots} dates were missed`;
  const of = subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`;
  return (
    <>
      {dates} by {of} while the service was away.{' '}
      {charged === 0 ? 'None of them is charged.' : `${charged} of them will be charged`}
      {charged > 0 && from ? (
        <>
          {' '}
          from <Time at={from} as="date and time" />. Pause the schedule, or change the mapping, to prevent it
        </>
      ) : null}
      {charged > 0 ? '.' : null}
    </>
  );
}

const tabsOf = ({ subscriptions, deeds }: SchedulePage) => [
  { id: 'next', title: 'Next twelve' },
  { id: 'subscribers', title: 'Subscribers', count: subscriptions },
  { id: 'charges', title: 'Charges' },
  { id: 'dashboard', title: 'In the dashboard', count: deeds.length },
];

function subscribersText({ live, failing }: SchedulePage): string {
  if (live === 0) return 'nobody';
  return failing > 0 ? `${live} running, ${failing} failing` : `${live} running`;
}

function Actions({ schedule, ask }: { schedule: SchedulePage; ask: (what: Asking) => void }) {
  const paused = schedule.state === 'paused';
  return (
    <>
      <Button icon={paused ? 'play' : 'pause'} onClick={() => ask(paused ? 'run' : 'pause')}>
        {paused ? 'Run' : 'Pause'}
      </Button>
      <Button icon="pencil" onClick={() => ask('change')}>
        Change plan
      </Button>
      <Menu
        label="More actions"
        items={[{ text: 'Delete schedule', icon: 'trash', danger: true, onSelect: () => ask('delete') }]}
      >
        <IconButton label="More actions" icon="dots" framed />
      </Menu>
    </>
  );
}

type PartProps = { tab: string; schedule: SchedulePage; onEnd?: (row: SubscriptionRow) => void };

function Part({ tab, schedule, onEnd }: PartProps) {
  const path = `/schedules/${schedule.id}`;
  if (tab === 'next') return <SchedulePreview key={schedule.preview.subscription} schedule={schedule} />;
  if (tab === 'subscribers') return <Subscribers schedule={schedule} onEnd={onEnd} />;
  if (tab === 'charges') {
    return (
      <PaymentLines
        caption="Charges"
        name={['schedule-part', schedule.id, 'charges']}
        initial={schedule.charges}
        more={(query) => request<ListOf<PaymentLine>>(`${path}/charges?${query}`)}
        empty="Nothing has been charged yet."
      />
    );
  }
  return schedule.deeds.length > 0 ? (
    <ActivityLog deeds={schedule.deeds} />
  ) : (
    <p className="px-gutter py-4 text-ink2">Nothing was done with this schedule in the dashboard.</p>
  );
}

function Subscribers({ schedule, onEnd }: Omit<PartProps, 'tab'>) {
  const [place, setPlace] = useState('');
  const { data = schedule.subscribers } = useQuery({
    queryKey: ['schedule-part', schedule.id, 'subscribers', place],
    queryFn: () => request<ListOf<SubscriptionRow>>(`/schedules/${schedule.id}/subscriptions?${place}`),
    initialData: place === '' ? schedule.subscribers : undefined,
    placeholderData: (before: ListOf<SubscriptionRow> | undefined) => before,
  });
  return (
    <>
      <Subscriptions rows={data.rows} of="schedule" onEnd={onEnd} />
      <PageLinks list={data} onPlace={setPlace} />
    </>
  );
}

type DialogsProps = {
  schedule: SchedulePage;
  asking: Asking;
  close: () => void;
  act: (action: string, said: string, body?: object) => Promise<void>;
};

function Dialogs({ schedule, asking, close, act }: DialogsProps) {
  const { name, live } = schedule;
  const ending = asking !== null && typeof asking === 'object' ? asking : null;
  return (
    <>
      <ConfirmDialog
        open={asking === 'pause'}
        title={`Pause ${name}`}
        verb="Pause schedule"
        onConfirm={() => act('pause', 'Schedule paused.')}
        onClose={close}
      >
        <p>
          Nothing is charged and nobody can subscribe until it runs again.{' '}
          {live > 0 ? `${live === 1 ? '1 subscriber waits' : `${live} subscribers wait`} meanwhile.` : null}
        </p>
        <p className="text-ink2">Dates that pass during the pause are left out for good; nobody is charged twice.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'run'}
        title={`Run ${name}`}
        verb="Run schedule"
        onConfirm={() => act('run', 'Schedule running.')}
        onClose={close}
      >
        <p>Charges go on with the next date that lies ahead. Those that fell into the pause are passed over.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        title={`Delete ${name}`}
        verb="Delete schedule"
        danger
        onConfirm={() => act('delete', 'Schedule deleted.')}
        onClose={close}
      >
        <p>
          {live > 0
            ? `${live === 1 ? '1 subscription lives' : `${live} subscriptions live`} on it: end them first, or pause the schedule instead.`
            : 'Payments that name it are refused from now on. What it has charged stays.'}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={ending !== null}
        title={`End the subscription of ${ending?.orderNumber ?? ''}`}
        verb="End subscription"
        danger
        onConfirm={() => act('deschedule', 'Subscription ended.', { subscription: ending?.id })}
        onClose={close}
      >
        <p>
          The schedule charges {ending?.payer ?? 'this payer'} no more. The chain stays: your server may charge the card
          or subscribe it again.
        </p>
      </ConfirmDialog>
    </>
  );
}
