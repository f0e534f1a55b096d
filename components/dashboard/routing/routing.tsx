'use client';
// The routing of one mapping: the rules on the left, with a draft after the first change; the simulation on the right.
// Payments follow the published rules until the draft is simulated and published. An earlier version is restored as a
// draft, so that it is simulated and compared like any other.
import { arrayMove } from '@dnd-kit/sortable';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { Publication, RoutingPage, RoutingRule, RuleHits } from '../../../lib/dashboard/routing/contract.ts';
import { MappingHead } from '../mappings/mapping-head.tsx';
import type { FieldChange } from '../ui/changes.tsx';
import {
  Actions,
  Button,
  ChangeList,
  Dialog,
  ErrorNote,
  errorText,
  Note,
  type Question,
  request,
  Tag,
  useQuestion,
  useToast,
} from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { changeLines, difference } from './difference.ts';
import { type DraftState, useDraft } from './draft.ts';
import { DryRunPart } from './dry-run.tsx';
import { type EditedRule, ruleForm } from './rule-dialog.tsx';
import { type RuleActions, Rules } from './rules.tsx';

export function Routing({ initial }: { initial: RoutingPage }) {
  const work = useDraft(initial);
  const { page, rules } = work;
  const [opened, setOpened] = useState<'compare' | 'earlier' | null>(null);
  const close = () => setOpened(null);
  const { ask, dialog } = useQuestion();
  const changes = useMemo(() => difference(page.rules, rules), [page.rules, rules]);
  const lines = useMemo(() => changeLines(page.rules, rules, page), [page, rules]);
  const editing = useEditing(work);
  const { data: hits } = useQuery({
    queryKey: ['rule-hits', page.mappingId, page.version],
    queryFn: () => request<RuleHits>(`/routing/${page.mappingId}/hits`),
    staleTime: 60_000,
  });
  const isRun = page.draft !== null && page.draft.dryRunOf === page.draft.version;
  const open = {
    compare: () => setOpened('compare'),
    earlier: () => setOpened('earlier'),
    publish: () => ask(publishQuestion(work, lines)),
    discard: () => ask(discardQuestion(work, lines)),
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MappingHead
        page={page}
        way="routing"
        about="Which MID processes a payment"
        actions={[{ text: 'Mapping', icon: 'mappings', href: `/dashboard/mappings/${page.mappingId}` }]}
      />
      <DraftBar work={work} count={changes.count} isRun={isRun} open={open} />
      <Notes work={work} />
      <div className="grid flex-1 xl:grid-cols-[minmax(0,1fr)_minmax(0,488px)]">
        <section aria-labelledby="rules" className="min-w-0 border-line xl:border-r">
          <div className="flex min-h-[52px] items-center justify-between gap-x-3 border-b border-line px-gutter py-2">
            <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <h2 id="rules" className="text-base font-semibold">
                Rules
              </h2>
              <p className="text-xs text-ink3">
                The first matching rule is used.
                {page.editable ? ' Drag, or press Space and use the arrow keys.' : ''}
              </p>
            </div>
            {page.editable ? (
              <Button size="small" icon="plus" onClick={editing.add}>
                Add rule
              </Button>
            ) : null}
          </div>
          <Rules
            page={page}
            rules={rules}
            changes={changes}
            hits={hits}
            dry={isRun ? (page.draft?.dryRun?.rules ?? null) : null}
            actions={editing.actions}
          />
          <p className="px-gutter py-3 text-xs text-ink3">{hitsText(hits)}</p>
        </section>
        <div className="min-w-0 border-line max-xl:border-t">
          <DryRunPart
            page={page}
            run={page.draft && page.editable ? () => void work.act('dry-run').catch(work.report) : null}
            running={work.acting === 'dry-run'}
          />
        </div>
      </div>
      {editing.dialog}
      <Dialog
        open={opened === 'compare'}
        onClose={close}
        wide
        title={`Draft ${page.version + 1} compared with version ${page.version}`}
        foot={<Button onClick={close}>Close</Button>}
      >
        <Differences lines={lines} />
      </Dialog>
      {dialog}
      {opened === 'earlier' ? <PublishedVersions work={work} onClose={close} /> : null}
    </div>
  );
}

function hitsText(hits: RuleHits | undefined): string {
  if (!hits) return '';
  const which = hits.cut ? `the latest ${grouped(hits.payments)} payments` : 'payments of the last 30 days';
  return `Based on ${which}, by the published rule that decided their first attempt.`;
}

type BarProps = {
  work: DraftState;
  count: number;
  isRun: boolean;
  open: Record<'compare' | 'earlier' | 'publish' | 'discard', () => void>;
};

/** The published version, the draft, and the next step. */
function DraftBar({ work: { page, acting }, count, isRun, open }: BarProps) {
  const { draft, version, editable } = page;
  const earlier = page.publications.length > 0 && { text: 'Earlier versions', onClick: open.earlier };
  return (
    <div className="flex min-h-[56px] flex-wrap items-center gap-x-2.5 gap-y-2 border-b border-line px-gutter py-2.5">
      {draft ? (
        <>
          <Tag tone="warn">Draft {version + 1}</Tag>
          <span className="min-w-0" aria-live="polite">
            {count === 0 ? 'No changes' : `${count} ${count === 1 ? 'change' : 'changes'}`} compared with the published{' '}
            {version === 0 ? 'rules' : `version ${version}`}
            <span className="text-ink3"> · last changed by {draft.updatedBy}</span>
          </span>
        </>
      ) : (
        <>
          <Tag tone="ok">{version === 0 ? 'Published' : `Version ${version}`}</Tag>
          <Published page={page} />
          <span className="ml-auto flex gap-2">
            <Actions of={[earlier]} />
          </span>
        </>
      )}
      {draft && editable ? (
        <span className="ml-auto flex flex-wrap gap-2 phone:ml-0 phone:w-full phone:[&>button]:flex-1">
          <Actions
            of={[
              { text: 'Discard draft', kind: 'bare', onClick: open.discard },
              earlier,
              { text: 'Compare', onClick: open.compare },
              isRun && { text: 'Publish draft', kind: 'primary', busy: acting === 'publish', onClick: open.publish },
            ]}
          />
        </span>
      ) : null}
    </div>
  );
}

function Published({ page: { publications, version, rules } }: { page: RoutingPage }) {
  const published = publications.find((each) => each.version === version);
  if (!published) {
    const text = rules.length === 0 ? 'No rules: MIDs are selected by priority' : 'Default';
    return <span className="min-w-0 text-ink2">{text}</span>;
  }
  return (
    <span className="min-w-0 text-ink2">
      Published <Time at={published.at} as="day and time" />
      {published.by ? ` by ${published.by}` : ''}
    </span>
  );
}

/** Blocking notes: another user's change, or newer published rules. */
function Notes({ work }: { work: DraftState }) {
  const { page, fault, reload } = work;
  const { draft, version, publications } = page;
  const isStale = draft !== null && draft.basedOn !== version;
  if (!fault && !isStale && page.editable) return null;
  const [base, now] = [draft?.basedOn, version].map((each) => publications.find((known) => known.version === each));
  const lines = isStale && now ? changeLines(base?.rules ?? [], now.rules, page) : [];
  return (
    <div className="grid gap-2.5 border-b border-line px-gutter py-3">
      {page.editable ? null : <Note>You have read-only access. Account managers can change routing.</Note>}
      {fault ? (
        <Note tone="bad" role="alert">
          {fault}{' '}
          <Button size="small" onClick={() => void reload()}>
            Reload
          </Button>
        </Note>
      ) : null}
      {isStale ? (
        <Note tone="warn">
          <p>
            Version {version} was published{now?.by ? ` by ${now.by}` : ''} after this draft was started from version{' '}
            {draft?.basedOn}. Publishing the draft would undo it.
          </p>
          {lines.length > 0 ? (
            <div className="my-2">
              <ChangeList changes={lines} />
            </div>
          ) : null}
          <Button size="small" onClick={() => void work.act('rebase').catch(work.report)}>
            Rebase on version {version}
          </Button>
        </Note>
      ) : null}
    </div>
  );
}

/** Adds, edits, moves and removes rules; each is a change of the draft that can be undone. */
function useEditing(work: DraftState) {
  const { rules, change } = work;
  const { ask, dialog } = useQuestion();
  const toast = useToast();
  // A refused change shows a note on the page and is reverted.
  const keep = (next: RoutingRule[], result?: string) => {
    const before = rules;
    change(next).then(
      () => (result ? toast(result, () => void change(before).catch(() => undefined)) : undefined),
      () => undefined,
    );
  };
  const save = async (rule: RoutingRule) => {
    const isKnown = rules.some(({ id }) => id === rule.id);
    await change(isKnown ? rules.map((each) => (each.id === rule.id ? rule : each)) : [...rules, rule]);
  };
  const edit = (edited: EditedRule) => ask(ruleForm(edited, work.page, save));
  const placeOf = ({ id }: RoutingRule) => rules.findIndex((rule) => rule.id === id);
  const actions: RuleActions = {
    edit: (rule) => edit({ rule, place: placeOf(rule), isNew: false }),
    duplicate: (rule) => {
      const copy = { ...rule, id: crypto.randomUUID(), name: copyName(rule.name, rules) };
      const place = placeOf(rule) + 1;
      keep([...rules.slice(0, place), copy, ...rules.slice(place)], `Duplicated ${rule.name}.`);
    },
    remove: (rule) =>
      keep(
        rules.filter(({ id }) => id !== rule.id),
        `Removed ${rule.name}.`,
      ),
    turn: (rule) => keep(rules.map((each) => (each.id === rule.id ? { ...each, enabled: !each.enabled } : each))),
    move: (from, to) => keep(arrayMove(rules, from, to)),
  };
  const add = () => {
    const [mid] = work.page.mids.filter(({ enabled }) => enabled);
    const targets = mid ? [{ midId: mid.id, weight: 1 }] : [];
    const rule = { id: crypto.randomUUID(), name: '', enabled: true, conditions: {}, targets };
    edit({ rule, place: rules.length, isNew: true });
  };
  return { actions, add, dialog };
}

function copyName(name: string, rules: readonly RoutingRule[]): string {
  const taken = new Set(rules.map((rule) => rule.name.toLowerCase()));
  for (let number = 2; ; number++) {
    const ending = ` (${number})`;
    const copy = name.replace(/ \(\d+\)$/, '').slice(0, 60 - ending.length) + ending;
    if (!taken.has(copy.toLowerCase())) return copy;
  }
}

/** Publishes the draft; shows its changes and the effect on past payments. */
function publishQuestion({ page, act }: DraftState, lines: FieldChange[]): Question {
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

function Differences({ lines }: { lines: FieldChange[] }) {
  if (lines.length === 0) return <p>The draft is the same as the published rules.</p>;
  return <ChangeList changes={lines} />;
}

/** Discards the draft; shows the changes that are lost. */
const discardQuestion = ({ act }: DraftState, lines: FieldChange[]): Question => ({
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

function PublishedVersions({ work, onClose }: { work: DraftState; onClose: () => void }) {
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
