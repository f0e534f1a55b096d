'use client';
// The tools of the payments list: its saved views, and the columns between amount and time, which are stored in this
// browser or in a view.
import { useEffect, useState } from 'react';
import type { SavedView } from '../../../lib/dashboard/contract.ts';
import type { ColumnDef } from '../../../lib/dashboard/lists/contract.ts';
import { Button, IconButton, Menu, request, Tick, useQuestion, useToast } from '../ui/index.ts';
import { Popup } from '../ui/popup.tsx';

type Props = {
  own: SavedView | null;
  named: boolean;
  query: string;
  columns: readonly string[];
  /** Views have changed; the argument is the view to show now. */
  changed: (to?: SavedView) => void;
  /** Asks about the nightly export of a view; absent for a user who may not export. */
  nightly?: ((view: SavedView) => void) | undefined;
};

export function ViewTools({ own, named, query, columns, changed, nightly }: Props) {
  const toast = useToast();
  const { ask, dialog } = useQuestion();
  const change = async (path: string, body: object, result: (view: SavedView) => string) => {
    const view = await request<SavedView>(`/payments/views${path}`, { body });
    toast(result(view));
    changed(view);
  };
  const askName = (title: string, first: string, save: (name: string) => Promise<void>) =>
    ask<{ name: string }>({
      title,
      keys: 'Ctrl ↵',
      logged: 'Only you see your views',
      defaultValues: { name: first },
      fields: [{ name: 'name', label: 'Name', maxLength: 60 }],
      onConfirm: async ({ name }) => {
        if (name.trim() === '') throw new Error('Give the view a name.');
        await save(name.trim());
      },
    });
  const askNew = () =>
    askName('Save view', '', (name) => change('', { name, query, columns }, (view) => `View “${view.name}” saved.`));
  const askRename = ({ id, name: first }: SavedView) =>
    askName('Rename view', first, (name) =>
      change(`/${id}`, { name }, (view) => `The view is renamed to “${view.name}”.`),
    );
  const askDelete = ({ id, name }: SavedView) =>
    ask({
      title: `Delete view “${name}”`,
      verb: 'Delete view',
      logged: 'Payments do not change',
      text: 'Its filters and columns are deleted. Only you see your views.',
      done: `View “${name}” deleted.`,
      onConfirm: async () => {
        await request(`/payments/views/${id}/delete`, { method: 'POST' });
        changed();
      },
    });
  return (
    <>
      {named ? null : (
        <Button kind="bare" size="small" icon="bookmark" onClick={askNew}>
          Save view
        </Button>
      )}
      {own ? (
        <Menu
          label={`View ${own.name}`}
          items={[
            { text: 'Rename', icon: 'pencil', onSelect: () => askRename(own) },
            {
              text: 'Save columns',
              icon: 'columns',
              onSelect: () => void change(`/${own.id}`, { columns }, () => `Columns of “${own.name}” saved.`),
            },
            ...(nightly ? [{ text: 'Nightly export', icon: 'moon', onSelect: () => nightly(own) } as const] : []),
            'line',
            { text: 'Delete view', icon: 'trash', danger: true, onSelect: () => askDelete(own) },
          ]}
        >
          <IconButton label={`Change the view ${own.name}`} icon="dots" />
        </Menu>
      ) : null}
      {dialog}
    </>
  );
}

const remembered = 'florin_payment_columns';

/** The selected columns: the view's own, otherwise this browser's, otherwise the default ones. */
export function useColumns(ofView: readonly string[], usual: readonly string[], choosable: readonly ColumnDef[]) {
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const viewKey = ofView.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view starts with its own columns
  useEffect(() => {
    setChosen(ofView.length > 0 ? null : readRemembered(choosable));
  }, [viewKey]);
  const columns = chosen ?? (ofView.length > 0 ? ofView : usual);
  const choose = (next: readonly string[] | null) => {
    setChosen(next);
    if (ofView.length > 0) return;
    if (next === null) localStorage.removeItem(remembered);
    else localStorage.setItem(remembered, next.join());
  };
  return { columns, choose };
}

function readRemembered(choosable: readonly ColumnDef[]): string[] | null {
  const known = (localStorage.getItem(remembered) ?? '')
    .split(',')
    .filter((id) => choosable.some((each) => each.id === id));
  return known.length > 0 ? known : null;
}

type PickerProps = ReturnType<typeof useColumns> & { choosable: readonly ColumnDef[] };

export function ColumnPicker({ choosable, columns, choose }: PickerProps) {
  const toggle = (id: string) => {
    const next = columns.includes(id) ? columns.filter((each) => each !== id) : [...columns, id];
    choose(choosable.map((each) => each.id).filter((each) => next.includes(each)));
  };
  return (
    <Popup
      label="Columns"
      align="end"
      className="w-[220px] p-1.5"
      trigger={
        <Button size="small" icon="columns" className="phone:hidden">
          Columns
        </Button>
      }
    >
      <fieldset className="grid">
        <legend className="px-2 py-1 text-xs text-ink3">Between amount and time</legend>
        {choosable.map(({ id, head }) => (
          <label
            key={id}
            htmlFor={`column-${id}`}
            className="flex min-h-[30px] items-center gap-2.5 rounded-tag px-2 hover:bg-hover"
          >
            <Tick id={`column-${id}`} checked={columns.includes(id)} onChange={() => toggle(id)} />
            {head}
          </label>
        ))}
      </fieldset>
      <div className="mt-1 border-t border-line pt-1">
        <Button kind="bare" size="small" onClick={() => choose(null)}>
          Default columns
        </Button>
      </div>
    </Popup>
  );
}
