'use client';
// The difference between stored values and form values, field by field, as text.
import { useState } from 'react';
import type { Conflict } from '../../../lib/dashboard/contract.ts';
import { Time } from '../zone.tsx';
import { Button } from './button.tsx';
import { Note } from './parts.tsx';
import { RequestFailed } from './request.ts';

/** One changed field. `before` and `after` are texts; `not set` means empty. */
export type FieldChange = { field: string; label: string; before: string; after: string };

/** Formats the values of a field that need it. */
export type Show = (value: unknown) => string;

export type ChangeLabels = {
  /** Labels of fields; a nested field falls back to its parent's label. */
  labels: Readonly<Record<string, string>>;
  show?: Readonly<Record<string, Show>>;
  /** Fields whose values are never shown. */
  secrets?: readonly string[];
};

/** Each change with its old and new value. */
export function ChangeList({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[fit-content(220px)_minmax(0,1fr)]">
      {changes.map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-ink2">{label}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-2 phone:mb-1.5">
            <del className="max-w-full break-words text-bad">{before}</del>{' '}
            <ins className="max-w-full break-words font-medium text-ok no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The changes in the order of the labels. Lists are compared as a whole, objects field by field. */
export function changesOf(before: object, after: object, words: ChangeLabels): FieldChange[] {
  const old = flatten(before);
  const fresh = flatten(after);
  const fields = [...new Set([...fresh.keys(), ...old.keys()])].filter(
    (field) => !same(old.get(field), fresh.get(field)),
  );
  const order = Object.keys(words.labels);
  const rank = (field: string) => {
    const at = order.indexOf(labelled(field, words.labels));
    return at < 0 ? order.length : at;
  };
  return fields.sort((one, other) => rank(one) - rank(other)).map((field) => changeOf(field, old, fresh, words));
}

function changeOf(
  field: string,
  old: Map<string, unknown>,
  fresh: Map<string, unknown>,
  words: ChangeLabels,
): FieldChange {
  const { labels, show, secrets } = words;
  const label = labels[labelled(field, labels)] ?? field;
  if (secrets?.includes(field)) return { field, label, before: 'stored', after: 'replaced' };
  const text = show?.[field] ?? valueText;
  return { field, label, before: text(old.get(field)), after: text(fresh.get(field)) };
}

/** The field itself, or its nearest parent with a label. */
function labelled(field: string, labels: Readonly<Record<string, string>>): string {
  let name = field;
  while (!(name in labels) && name.includes('.')) name = name.slice(0, name.lastIndexOf('.'));
  return name in labels ? name : field;
}

/** The default format of a value. */
export function valueText(value: unknown): string {
  if (isNothing(value)) return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Empty equals null, and a number equals its text, because fields contain texts. */
function same(one: unknown, other: unknown): boolean {
  if (isNothing(one) && isNothing(other)) return true;
  if (typeof one === 'object' || typeof other === 'object') return JSON.stringify(one) === JSON.stringify(other);
  return String(one) === String(other);
}

function flatten(value: object, prefix = '', into = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, each] of Object.entries(value)) {
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each) && !(each instanceof Date);
    if (isObject) flatten(each, `${prefix}${name}.`, into);
    else into.set(prefix + name, each);
  }
  return into;
}

export type ConflictState = {
  found: Conflict | null;
  /** Keeps the conflict of a refused request; whether it is one. */
  take: (thrown: unknown) => boolean;
  clear: () => void;
};

export function useConflict(): ConflictState {
  const [found, setFound] = useState<Conflict | null>(null);
  const take = (thrown: unknown) => {
    const conflict = thrown instanceof RequestFailed ? thrown.conflict : null;
    if (conflict) setFound(conflict);
    return conflict !== null;
  };
  return { found, take, clear: () => setFound(null) };
}

type Props = {
  conflict: ConflictState;
  labels: Readonly<Record<string, string>>;
  busy: boolean;
  reload: () => unknown;
};

export function ConflictNote({ conflict: { found }, labels, busy, reload }: Props) {
  if (!found) return null;
  const changes = found.changes.map(({ name, before, after }) => {
    return { field: name, label: labels[name] ?? name, before: before ?? 'not set', after: after ?? 'not set' };
  });
  return (
    <Note tone="warn" role="alert" className="basis-full">
      <p>
        {found.by ?? 'Another user'} saved a change <Time at={found.at} as="day and time" /> while this form was open:
      </p>
      <div className="my-1.5 max-h-[92px] overflow-y-auto text-xs">
        <ChangeList changes={changes} />
      </div>
      <Button size="small" icon="again" busy={busy} onClick={reload}>
        Reload, keep my changes
      </Button>
    </Note>
  );
}
