// A form whose object was changed by another user meanwhile: who, when and what, and reloading it.
import { useState } from 'react';
import type { Conflict } from '../../../lib/dashboard/contract';
import { Time } from '../zone';
import { Button } from './button';
import { ChangeList } from './changes';
import { Note } from './parts';
import { RequestFailed } from './request';

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

type Props = { conflict: ConflictState; labels: Readonly<Record<string, string>>; reload: () => Promise<void> };

export function ConflictNote({ conflict: { found }, labels, reload }: Props) {
  const [busy, setBusy] = useState(false);
  if (!found) return null;
  const changes = found.changes.map(({ name, before, after }) => {
    return { field: name, label: labels[name] ?? name, before: before ?? 'not set', after: after ?? 'not set' };
  });
  const load = async () => {
    setBusy(true);
    await reload();
    setBusy(false);
  };
  return (
    <Note tone="warn" role="alert" className="basis-full">
      <p>
        {found.by ?? 'Another user'} saved a change <Time at={found.at} as="day and time" /> while this form was open:
      </p>
      <div className="my-1.5 max-h-[92px] overflow-y-auto text-xs">
        <ChangeList changes={changes} />
      </div>
      <Button size="small" icon="again" busy={busy} onClick={() => void load()}>
        Reload, keep my changes
      </Button>
    </Note>
  );
}
