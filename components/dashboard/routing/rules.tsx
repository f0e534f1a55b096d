'use client';
// The rules in order: the first matching one is used. A rule is moved by its handle with the pointer, or with Space and
// the arrow keys, with announcements for screen readers; its menu has move actions too.
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import clsx from 'clsx';
import { useEffect, useId, useRef, useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { RoutingPage, RoutingRule, RuleHits } from '../../../lib/dashboard/routing/contract.ts';
import { Icon } from '../icons.tsx';
import { Menu, type MenuItem, Tag } from '../ui/index.ts';
import type { RuleChange, RuleDifference } from './difference.ts';
import { conditionLabels, sharesOf } from './labels.ts';

export type RuleActions = {
  edit: (rule: RoutingRule) => void;
  duplicate: (rule: RoutingRule) => void;
  remove: (rule: RoutingRule) => void;
  turn: (rule: RoutingRule) => void;
  move: (from: number, to: number) => void;
};

type Props = {
  page: RoutingPage;
  rules: RoutingRule[];
  changes: RuleDifference;
  hits: RuleHits | undefined;
  /** Payments of the last simulation by rule, if it is of this version of the draft. */
  dry: Record<string, number> | null;
  actions: RuleActions;
};

export function Rules(props: Props) {
  const { rules, actions, page, hits } = props;
  const id = useId();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const [dragging, setDragging] = useState(false);
  useEscapeOfOwn(dragging);
  const fresh = useRef(false);
  const placeOf = (rule: UniqueIdentifier) => rules.findIndex((each) => each.id === rule);
  const drop = ({ active, over }: DragEndEvent) => {
    setDragging(false);
    if (over && over.id !== active.id) actions.move(placeOf(active.id), placeOf(over.id));
  };
  return (
    <DndContext
      id={id}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={() => setDragging(true)}
      onDragCancel={() => setDragging(false)}
      onDragEnd={drop}
      accessibility={{
        announcements: announcements(rules, fresh),
        screenReaderInstructions: { draggable: instructions },
      }}
    >
      <SortableContext items={rules.map((rule) => rule.id)} strategy={verticalListSortingStrategy}>
        <ol aria-label="Rules" className="m-0 list-none p-0">
          {rules.map((rule, place) => (
            <Rule key={rule.id} {...props} rule={rule} place={place} />
          ))}
        </ol>
      </SortableContext>
      <FallbackRow page={page} hits={hits?.rules['']} />
    </DndContext>
  );
}

/** While a rule is dragged, Escape cancels the move and does not leave the page. */
function useEscapeOfOwn(dragging: boolean): void {
  useEffect(() => {
    if (!dragging) return;
    const hold = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault();
    };
    document.addEventListener('keydown', hold, true);
    return () => document.removeEventListener('keydown', hold, true);
  }, [dragging]);
}

const instructions =
  'Press Space to pick the rule up, the arrow keys to move it, Space again to put it down, and Escape to leave it where it was.';

function announcements(rules: readonly RoutingRule[], fresh: { current: boolean }): Announcements {
  const name = (id: UniqueIdentifier) => rules.find((rule) => rule.id === id)?.name ?? '';
  const place = (id: UniqueIdentifier) => `place ${rules.findIndex((rule) => rule.id === id) + 1} of ${rules.length}`;
  return {
    onDragStart: ({ active }) => {
      fresh.current = true;
      return `Picked up ${name(active.id)}, ${place(active.id)}.`;
    },
    onDragOver: ({ active, over }) => {
      // A picked up rule is over its own place, which was announced already.
      const isSaid = fresh.current && over?.id === active.id;
      fresh.current = false;
      return over && !isSaid ? `${name(active.id)} is at ${place(over.id)}.` : undefined;
    },
    onDragEnd: ({ active, over }) =>
      over ? `Dropped ${name(active.id)} at ${place(over.id)}.` : `${name(active.id)} was not moved.`,
    onDragCancel: ({ active }) => `${name(active.id)} was not moved.`,
  };
}

type RuleProps = Props & { rule: RoutingRule; place: number };

function Rule(props: RuleProps) {
  const { page, rule, place, changes, hits, dry, actions } = props;
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: rule.id,
    disabled: !page.editable,
  });
  const change = changes.rules.get(rule.id);
  return (
    <li
      ref={setNodeRef}
      style={{ transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined, transition }}
      className={clsx(
        'group/rule relative flex gap-x-2 py-3 pr-3 pl-3.5 phone:px-4',
        isDragging
          ? 'z-2 rounded-dialog bg-raised shadow-lifted outline-2 -outline-offset-2 outline-accent'
          : 'border-b border-line hover:bg-hover',
      )}
    >
      {page.editable ? (
        <button
          type="button"
          {...attributes}
          {...listeners}
          aria-label={`Move ${rule.name}`}
          className="-mt-0.5 grid size-7 shrink-0 cursor-grab touch-none place-items-center rounded-control border-0 bg-transparent p-0 text-ink3 hover:text-ink active:cursor-grabbing phone:size-11 phone:-ml-2"
        >
          <Icon name="drag" />
        </button>
      ) : null}
      <span className="figures w-6 shrink-0 pt-px text-right text-ink3 phone:hidden">{place + 1}</span>
      <div className="ml-2 grid min-w-0 flex-1 gap-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 text-sm font-strong">
            {page.editable ? (
              <button
                type="button"
                onClick={() => actions.edit(rule)}
                className="max-w-full truncate rounded-tag border-0 bg-transparent p-0 font-strong text-ink hover:underline hover:underline-offset-3"
              >
                {rule.name}
              </button>
            ) : (
              rule.name
            )}
          </h3>
          {rule.enabled ? null : <Tag>Disabled</Tag>}
          {change ? <ChangeTags change={change} /> : null}
        </div>
        <Conditions rule={rule} />
        <Targets rule={rule} page={page} />
      </div>
      <Hits
        now={change?.isNew ? undefined : hits?.rules[rule.id]}
        dry={dry === null ? undefined : (dry[rule.id] ?? 0)}
        isNew={change?.isNew ?? false}
      />
      {page.editable ? <RuleMenu {...props} /> : null}
    </li>
  );
}

function ChangeTags({ change }: { change: RuleChange }) {
  if (change.isNew) return <Tag tone="accent">New</Tag>;
  return (
    <>
      {change.movedFrom === null ? null : <Tag tone="accent">Moved from {change.movedFrom}</Tag>}
      {change.changed.some((part) => part !== 'place') ? <Tag tone="accent">Changed</Tag> : null}
    </>
  );
}

function Conditions({ rule }: { rule: RoutingRule }) {
  const words = conditionLabels(rule.conditions);
  if (words.length === 0) return <p className="text-xs text-ink3">Applies to all payments</p>;
  return (
    <ul aria-label="Conditions" className="m-0 flex list-none flex-wrap gap-1.5 p-0">
      {words.map(({ name, value }) => (
        <li
          key={name}
          className="min-h-5 rounded-tag border border-solid border-line2 bg-raised px-1.5 text-xs leading-[19px] text-ink2"
        >
          {name} <span className="font-medium text-ink">{value}</span>
        </li>
      ))}
    </ul>
  );
}

function Targets({ rule, page }: { rule: RoutingRule; page: RoutingPage }) {
  const shares = sharesOf(rule.targets, page);
  const cascade = page.cascadeLimit > 1 && shares.length > 1;
  return (
    <p className="flex min-w-0 gap-1.5 text-ink2">
      <span aria-hidden="true" className="text-ink3">
        ↳
      </span>
      <span className="unseen">Route to </span>
      <span>
        {shares.map(({ midId, name, percent }, at) => (
          <span key={midId}>
            {at === 0 ? '' : ' and '}
            <span className="font-medium text-ink">{name}</span>
            {shares.length > 1 ? ` ${percent}` : ''}
          </span>
        ))}
        {cascade ? (
          <span className="text-ink3">
            , then {shares.length > 2 ? 'the others' : 'the other one'} after a soft decline
          </span>
        ) : null}
      </span>
    </p>
  );
}

function Hits({ now, dry, isNew }: { now: number | undefined; dry: number | undefined; isNew: boolean }) {
  const text = isNew
    ? 'not published'
    : now === undefined
      ? ''
      : `${grouped(now)} ${now === 1 ? 'payment' : 'payments'}`;
  return (
    <p className="figures shrink-0 text-right text-ink3">
      {text}
      {dry === undefined || (dry === now && !isNew) ? null : (
        <span className="block text-xs">simulation {grouped(dry)}</span>
      )}
    </p>
  );
}

function RuleMenu({ rule, place, rules, actions }: RuleProps) {
  const { enabled } = rule;
  const up = { text: 'Move up', icon: 'up', onSelect: () => actions.move(place, place - 1) } as const;
  const down = { text: 'Move down', icon: 'down', onSelect: () => actions.move(place, place + 1) } as const;
  const items: MenuItem[] = [
    { text: 'Edit', icon: 'pencil', onSelect: () => actions.edit(rule) },
    { text: 'Duplicate', icon: 'plus', onSelect: () => actions.duplicate(rule) },
    { text: enabled ? 'Disable' : 'Enable', icon: enabled ? 'pause' : 'play', onSelect: () => actions.turn(rule) },
    ...(place > 0 ? [up] : []),
    ...(place < rules.length - 1 ? [down] : []),
    'line',
    { text: 'Remove', icon: 'trash', onSelect: () => actions.remove(rule) },
  ];
  return (
    <span className="-mt-1">
      <Menu items={items} label={`Actions of ${rule.name}`} />
    </span>
  );
}

/** Payments that match no rule. It is always last and cannot be moved. */
function FallbackRow({ page, hits }: { page: RoutingPage; hits: number | undefined }) {
  const mids = page.mids.filter(({ enabled }) => enabled);
  return (
    <div className="flex gap-x-2 border-b border-line bg-sub py-3 pr-12 pl-3.5 phone:px-4">
      <span className={clsx('text-ink3', page.editable ? 'ml-[44px]' : 'ml-2', 'phone:ml-0')}>
        <Icon name="flag" />
      </span>
      <div className="ml-2 grid min-w-0 flex-1 gap-1">
        <h3 className="text-sm font-strong">All other payments</h3>
        <p className="text-ink2">
          <span aria-hidden="true" className="text-ink3">
            ↳{' '}
          </span>
          {mids.length === 0 ? (
            <span className="text-bad">no MID is active</span>
          ) : (
            <>
              by priority:{' '}
              <span className="font-medium text-ink">
                {mids
                  .slice(0, 6)
                  .map(({ name }) => name)
                  .join(', ')}
              </span>
              {mids.length > 6 ? ` and ${mids.length - 6} more` : ''}
            </>
          )}
        </p>
      </div>
      <Hits now={hits} dry={undefined} isNew={false} />
    </div>
  );
}
