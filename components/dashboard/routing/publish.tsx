'use client';
import { grouped } from '../../../lib/core/money';
// Publishes or discards a draft. Both dialogs show the effect first.
import { ChangeList, ConfirmDialog, Note, useToast } from '../ui';
import type { FieldChange } from '../ui/changes';
import type { DraftState } from './draft';

type Props = { open: boolean; work: DraftState; lines: FieldChange[]; onClose: () => void };

export function PublishDialog({ open, work, lines, onClose }: Props) {
  const toast = useToast();
  const { page } = work;
  const version = page.version + 1;
  const result = page.draft?.dryRun;
  const lost = result ? result.without.draft - result.without.now : 0;
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Publish version ${version}`}
      verb={`Publish version ${version}`}
      onConfirm={async () => {
        await work.act('publish');
        toast(`Version ${version} is published.`);
      }}
    >
      {lines.length === 0 ? <p>The draft is the same as the published rules.</p> : <ChangeList changes={lines} />}
      {result ? (
        <p className="text-ink2">
          Of {grouped(result.payments)} past payments {grouped(result.moved)} would be rerouted.
        </p>
      ) : null}
      {lost > 0 ? (
        <Note tone="warn">{grouped(lost)} more payments than now would have no MID and would be refused.</Note>
      ) : null}
      <p className="text-xs text-ink3">The rules apply from the next payment on.</p>
    </ConfirmDialog>
  );
}

export function DiscardDialog({ open, work, lines, onClose }: Props) {
  const toast = useToast();
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Discard the draft"
      verb="Discard draft"
      danger
      onConfirm={async () => {
        await work.act('discard');
        toast('Draft discarded.');
      }}
    >
      <p>Payments continue with the published rules. These changes are lost:</p>
      {lines.length === 0 ? <p className="text-ink2">None.</p> : <ChangeList changes={lines} />}
    </ConfirmDialog>
  );
}
