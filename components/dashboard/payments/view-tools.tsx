'use client';
// Saves, renames and deletes views of the list's filters.
import { type FormEvent, useState } from 'react';
import type { SavedView } from '../../../lib/dashboard/contract';
import { ErrorIcon } from '../../ui/icons';
import { Button, ConfirmDialog, Dialog, IconButton, Menu, RequestFailed, request, useToast } from '../ui';

type Props = {
  /** The user's current view. */
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
  const [open, setOpen] = useState<'save' | 'rename' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const save = async (name: string) => {
    const path = open === 'rename' && own ? `/payments/views/${own.id}` : '/payments/views';
    const body = open === 'rename' ? { name } : { name, query, columns };
    const view = await request<SavedView>(path, { body });
    toast(open === 'rename' ? `The view is renamed to “${view.name}”.` : `View “${view.name}” saved.`);
    changed(view);
  };
  const keepColumns = async () => {
    if (!own) return;
    changed(await request<SavedView>(`/payments/views/${own.id}`, { body: { columns } }));
    toast(`Columns of “${own.name}” saved.`);
  };
  const drop = async () => {
    if (!own) return;
    await request(`/payments/views/${own.id}/delete`, { method: 'POST' });
    toast(`View “${own.name}” deleted.`);
    changed();
  };
  return (
    <>
      {named ? null : (
        <Button kind="bare" size="small" icon="bookmark" onClick={() => setOpen('save')}>
          Save view
        </Button>
      )}
      {own ? (
        <Menu
          label={`View ${own.name}`}
          items={[
            { text: 'Rename', icon: 'pencil', onSelect: () => setOpen('rename') },
            { text: 'Save columns', icon: 'columns', onSelect: () => void keepColumns() },
            'line',
            { text: 'Delete view', icon: 'trash', danger: true, onSelect: () => setOpen('delete') },
          ]}
        >
          <IconButton label={`Change the view ${own.name}`} icon="dots" />
        </Menu>
      ) : null}
      {open === 'save' || open === 'rename' ? (
        <NameDialog
          title={open === 'save' ? 'Save view' : 'Rename view'}
          verb={open === 'save' ? 'Save view' : 'Rename view'}
          name={open === 'rename' ? (own?.name ?? '') : ''}
          onSave={save}
          onClose={close}
        />
      ) : null}
      <ConfirmDialog
        open={open === 'delete'}
        title={`Delete view “${own?.name ?? ''}”`}
        verb="Delete view"
        logged="Payments do not change"
        onConfirm={drop}
        onClose={close}
      >
        <p>Its filters and columns are deleted. Only you see your views.</p>
      </ConfirmDialog>
    </>
  );
}

type NameProps = {
  title: string;
  verb: string;
  name: string;
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
};

function NameDialog({ title, verb, name, onSave, onClose }: NameProps) {
  const [text, setText] = useState(name);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    if (text.trim() === '') return setError('Give the view a name.');
    setBusy(true);
    try {
      await onSave(text.trim());
      onClose();
    } catch (thrown) {
      setError(thrown instanceof RequestFailed ? (thrown.fields.name ?? thrown.message) : String(thrown));
      setBusy(false);
    }
  };
  const foot = (
    <>
      <span>Only you see your views</span>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" busy={busy} onClick={() => void save()} keys="Ctrl ↵">
        {verb}
      </Button>
    </>
  );
  return (
    <Dialog open title={title} onClose={onClose} onConfirm={() => void save()} foot={foot}>
      <form onSubmit={save}>
        <label htmlFor="view-name" className="mb-1.5 block font-medium">
          Name
        </label>
        <input
          id="view-name"
          value={text}
          maxLength={60}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'view-fault' : undefined}
          onChange={({ target }) => setText(target.value)}
          className="h-8 w-full rounded-control border border-solid border-field bg-raised px-2.5 field-focus phone:h-11 phone:text-[16px]"
        />
        {error ? (
          <p id="view-fault" role="alert" className="mt-1.5 flex gap-1.5 text-xs text-bad">
            <ErrorIcon />
            {error}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
