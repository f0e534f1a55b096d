'use client';
// The export of the payments list: its columns, which this browser remembers, and the nightly export of a view.
import { useEffect, useState } from 'react';
import type { SavedView } from '../../../lib/dashboard/contract.ts';
import { ExportLink, fieldsOf, IconButton, optionsOf, request, useQuestion, useToast } from '../ui/index.ts';

const remembered = 'florin_export_columns';

/** The columns of the file that this browser remembers; none means all of `names`. */
export function useExportColumns(names: readonly string[]) {
  const [columns, setColumns] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, because the names are those of the release
  useEffect(() => {
    const known = (localStorage.getItem(remembered) ?? '').split(',').filter((name) => names.includes(name));
    setColumns(known);
  }, []);
  const choose = (chosen: readonly string[]) => {
    setColumns(chosen);
    if (chosen.length === 0) localStorage.removeItem(remembered);
    else localStorage.setItem(remembered, chosen.join());
  };
  return { columns, choose };
}

/** The address of an export with the chosen columns. */
export const withColumns = (href: string, columns: readonly string[]) =>
  columns.length === 0 ? href : `${href}&columns=${columns.join()}`;

type Columns = { columns: string[] };

const columnsField = (names: readonly string[]) =>
  fieldsOf<Columns>().list('columns', 'Columns of the file', {
    options: optionsOf(...names),
    none: 'All columns',
    placeholder: 'Choose',
    mono: true,
  });

type ToolsProps = ReturnType<typeof useExportColumns> & { href: string; all: string; names: readonly string[] };

/** The link to the export, and beside it the choice of its columns. */
export function ExportTools({ href, all, names, columns, choose }: ToolsProps) {
  const { ask, dialog } = useQuestion();
  const askColumns = () =>
    ask<Columns>({
      title: 'What is exported',
      verb: 'Use these columns',
      logged: 'Remembered in this browser',
      defaultValues: { columns: [...columns] },
      fields: [columnsField(names)],
      onConfirm: async ({ columns: chosen }) => choose(chosen),
    });
  return (
    <>
      <ExportLink href={withColumns(href, columns)} all={all} />
      <IconButton framed icon="columns" label="What is exported" onClick={askColumns} />
      {dialog}
    </>
  );
}

type Nightly = Columns & { to: string };
type NightlyProps = { names: readonly string[]; hasBucket: boolean; changed: (to?: SavedView) => void };

const goals = [
  ['off', 'Off'],
  ['email', 'Email with a link', 'To your address, each night. You sign in to download the file.'],
] as const;
const bucketGoal = ['bucket', 'Upload', "Each night to the bucket of this deployment's settings."] as const;

/** Asks where a view is exported each night. */
export function useNightlyExport({ names, hasBucket, changed }: NightlyProps) {
  const toast = useToast();
  const { ask, dialog } = useQuestion();
  const fields = fieldsOf<Nightly>();
  const askNightly = ({ id, name, nightly, exportError }: SavedView) =>
    ask<Nightly>({
      title: 'Nightly export',
      about: exportError
        ? `The last one has failed: ${exportError}`
        : `The payments of each day in the view “${name}”, an hour after the day has ended in your time zone.`,
      verb: 'Save',
      defaultValues: { to: nightly?.to ?? 'off', columns: nightly?.columns ?? [] },
      fields: [
        fields.radio('to', 'Send it', { options: optionsOf(...goals, ...(hasBucket ? [bucketGoal] : [])) }),
        { ...columnsField(names), when: ({ to }: Nightly) => to !== 'off' },
      ],
      onConfirm: async (body) => {
        const view = await request<SavedView>(`/payments/views/${id}/nightly`, { body });
        toast(view.nightly ? `“${name}” is exported each night.` : `“${name}” is no longer exported each night.`);
        changed(view);
      },
    });
  return { askNightly, dialog };
}
