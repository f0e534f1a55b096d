'use client';
// The questions before a draft is published or discarded, and earlier publications with their changes. An earlier
// version is restored as a draft, so that it is simulated and compared like any other.
import { useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { Publication, RoutingPage } from '../../../lib/dashboard/routing/contract.ts';
import type { FieldChange } from '../ui/changes.tsx';
import { Button, ChangeList, Dialog, ErrorNote, errorText, Note, type Question, Tag, useToast } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { changeLines } from './difference.ts';
import type { DraftState } from './draft.ts';

/** Publishes the draft; shows its changes and the effect on past payments. */
export function publishQuestion({ page, act }: DraftState, lines: FieldChange[]): Question {
  const version = page.version + 1;
  const result = page.draft?.dryRun;
  const lost = result ? result.without.draft - result.without.now : 0;
  return {
    title: `Publish version ${version}`,
    text: (
      <>
        <Differences lines={lines} />
        {result ? (
          <p className="text-ink2">
            Of {grouped(result.payments)} past payments {grouped(result.moved)} would be rerouted.
          </p>
        ) : null}
        {lost > 0 ? (
          <Note tone="warn">{grouped(lost)} more payments than now would have no MID and would be refused.</Note>
        ) : null}
        <p className="text-xs text-ink3">The rules apply from the next payment on.</p>
      </>
    ),
    done: `Version ${version} is published.`,
    onConfirm: () => act('publish'),
  };
}

/** The changes of a draft. */
export function Differences({ lines }: { lines: FieldChange[] }) {
  if (lines.length === 0) return <p>The draft is the same as the published rules.</p>;
  return <ChangeList changes={lines} />;
}

/** Discards the draft; shows the changes that are lost. */
export const discardQuestion = ({ act }: DraftState, lines: FieldChange[]): Question => ({
  title: 'Discard the draft',
  verb: 'Discard draft',
  danger: true,
  text: (
    <>
      <p>Payments continue with the published rules. These changes are lost:</p>
      {lines.length === 0 ? <p className="text-ink2">None.</p> : <ChangeList changes={lines} />}
    </>
  ),
  done: 'Draft discarded.',
  onConfirm: () => act('discard'),
});

export function PublishedVersions({ work, onClose }: { work: DraftState; onClose: () => void }) {
  const toast = useToast();
  const [error, setError] = useState<string | null>(null);
  const { page, change } = work;
  const before = page.draft?.rules ?? null;
  const take = async ({ version, rules }: Publication) => {
    try {
      await change(rules);
      toast(
        `Version ${version} is now the draft.`,
        before ? () => void change(before).catch(() => undefined) : undefined,
      );
      onClose();
    } catch (thrown) {
      setError(errorText(thrown));
    }
  };
  return (
    <Dialog open onClose={onClose} wide title="Published versions" foot={<Button onClick={onClose}>Close</Button>}>
      <ErrorNote text={error} />
      <ol className="m-0 grid list-none p-0">
        {page.publications.map((publication, at) => (
          <li key={publication.version} className="grid gap-1.5 border-t border-line py-3 first:border-t-0 first:pt-0">
            <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <h3 className="text-base font-semibold">Version {publication.version}</h3>
              {publication.version === page.version ? <Tag tone="ok">Published</Tag> : null}
              <span className="text-ink3">
                <Time at={publication.at} as="date and time" />
                {publication.by ? `, ${publication.by}` : ''}
              </span>
              {page.editable && publication.version !== page.version ? (
                <span className="ml-auto">
                  <Button size="small" icon="history" onClick={() => void take(publication)}>
                    Restore as draft
                  </Button>
                </span>
              ) : null}
            </div>
            <Changed publication={publication} before={page.publications[at + 1]} page={page} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

type ChangedProps = { publication: Publication; before: Publication | undefined; page: RoutingPage };

function Changed({ publication: { version, rules }, before, page }: ChangedProps) {
  if (before?.version !== version - 1) {
    return <p className="text-ink2">{rules.length === 1 ? '1 rule' : `${rules.length} rules`}</p>;
  }
  const lines = changeLines(before.rules, rules, page);
  return lines.length === 0 ? <p className="text-ink2">Nothing changed.</p> : <ChangeList changes={lines} />;
}
