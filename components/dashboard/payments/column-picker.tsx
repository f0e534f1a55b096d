'use client';
// The columns between amount and time. Stored in this browser, or in a saved view.
import { useEffect, useState } from 'react';
import type { ColumnDef } from '../../../lib/dashboard/lists/contract.ts';
import { Button, Tick } from '../ui/index.ts';
import { Popup } from '../ui/popup.tsx';

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

type Props = {
  choosable: readonly ColumnDef[];
  columns: readonly string[];
  choose: (next: readonly string[] | null) => void;
};

export function ColumnPicker({ choosable, columns, choose }: Props) {
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
