'use client';
// Saves, renames and deletes views of the list's filters.
import type { SavedView } from '../../../lib/dashboard/contract.ts';
import { Button, IconButton, Menu, request, useQuestion, useToast } from '../ui/index.ts';

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
  const { ask, dialog } = useQuestion();
  const change = async (path: string, body: object, result: (view: SavedView) => string) => {
    const view = await request<SavedView>(`/payments/views${path}`, { body });
    toast(result(view));
    changed(view);
  };
  const askName = (title: string, first: string, save: (name: string) => Promise<void>) =>
    ask<{ name: string }>({
      ...{ title, verb: title, keys: 'Ctrl ↵', logged: 'Only you see your views' },
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
