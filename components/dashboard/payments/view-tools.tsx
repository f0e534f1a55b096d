'use client';
// Saves, renames and deletes views of the list's filters.
import { useState } from 'react';
import type { SavedView } from '../../../lib/dashboard/contract.ts';
import { Button, FormDialog, IconButton, Menu, request, useQuestion, useToast } from '../ui/index.ts';

type Props = {
  own: SavedView | null;
  /** Whether the filters belong to a saved view. */
  named: boolean;
  query: string;
  columns: readonly string[];
  /** Views have changed; the argument is the view to show now. */
  changed: (to?: SavedView) => void;
};

export function ViewTools({ own, named, query, columns, changed }: Props) {
  const toast = useToast();
  const [naming, setNaming] = useState<'Save view' | 'Rename view' | null>(null);
  const { ask, dialog } = useQuestion();
  const change = async (path: string, body: object, result: (view: SavedView) => string) => {
    const view = await request<SavedView>(`/payments/views${path}`, { body });
    toast(result(view));
    changed(view);
  };
  const save = (name: string) =>
    naming === 'Rename view' && own
      ? change(`/${own.id}`, { name }, (view) => `The view is renamed to “${view.name}”.`)
      : change('', { name, query, columns }, (view) => `View “${view.name}” saved.`);
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
        <Button kind="bare" size="small" icon="bookmark" onClick={() => setNaming('Save view')}>
          Save view
        </Button>
      )}
      {own ? (
        <Menu
          label={`View ${own.name}`}
          items={[
            { text: 'Rename', icon: 'pencil', onSelect: () => setNaming('Rename view') },
            {
              text: 'Save columns',
              icon: 'columns',
              onSelect: () => void change(`/${own.id}`, { columns }, () => `Columns of “${own.name}” saved.`),
            },
            'line',
            { text: 'Delete view', icon: 'trash', danger: true, onSelect: () => askDelete(own) },
          ]}
        >
          <IconButton label={`Change the view ${own.name}`} icon="dots" />
        </Menu>
      ) : null}
      {naming ? (
        <FormDialog
          title={naming}
          verb={naming}
          keys="Ctrl ↵"
          logged="Only you see your views"
          defaultValues={{ name: naming === 'Rename view' ? (own?.name ?? '') : '' }}
          fields={[{ name: 'name', label: 'Name', maxLength: 60 }]}
          onSend={async ({ name }) => {
            if (name.trim() === '') throw new Error('Give the view a name.');
            await save(name.trim());
            setNaming(null);
          }}
          onClose={() => setNaming(null)}
        />
      ) : null}
      {dialog}
    </>
  );
}
