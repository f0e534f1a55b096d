'use client';
// Earlier publications with their changes. An earlier version is restored as a draft, so that it is simulated and
// compared like any other.
import { useState } from 'react';
import type { Publication } from '../../../lib/dashboard/routing/contract';
import { Button, ChangeList, Dialog, errorText, Note, Tag, useToast } from '../ui';
import { Time } from '../zone';
import { changeLines } from './difference';
import type { DraftState } from './draft';
import type { namesOf } from './labels';

type Props = { open: boolean; work: DraftState; names: ReturnType<typeof namesOf>; onClose: () => void };

export function PublishedVersions({ open, work, names, onClose }: Props) {
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
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title="Published versions"
      foot={<Button onClick={onClose}>Close</Button>}
    >
      {error ? (
        <Note tone="bad" role="alert">
          {error}
        </Note>
      ) : null}
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
            <Changed publication={publication} before={page.publications[at + 1]} names={names} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

type ChangedProps = { publication: Publication; before: Publication | undefined; names: Props['names'] };

function Changed({ publication, before, names }: ChangedProps) {
  if (before?.version !== publication.version - 1) {
    const { length } = publication.rules;
    return <p className="text-ink2">{length === 1 ? '1 rule' : `${length} rules`}</p>;
  }
  const lines = changeLines(before.rules, publication.rules, names);
  return lines.length === 0 ? <p className="text-ink2">Nothing changed.</p> : <ChangeList changes={lines} />;
}
