'use client';
// The draft as the page works on it: every change is shown at once and kept by the server in the order it was made. What
// the server refuses is taken back.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RoutingPage, RoutingRule } from '../../../lib/dashboard/routing/contract';
import { RequestFailed, request } from '../ui';
import { useUnloadGuard } from '../ui/leave-guard';

export type DraftState = {
  page: RoutingPage;
  /** The rules of the draft; without a draft the published ones. */
  rules: RoutingRule[];
  /** Keeps other rules; throws what the server says against them. */
  change: (rules: RoutingRule[]) => Promise<void>;
  /** Does something with the draft as a whole. */
  act: (way: 'discard' | 'rebase' | 'dry-run' | 'publish') => Promise<void>;
  acting: string | null;
  /** Shows what was refused in a note on the page. */
  report: (thrown: unknown) => void;
  /** What was refused lately, for a note on the page. */
  fault: string | null;
  /** Loads everything again, after somebody else was quicker. */
  reload: () => Promise<void>;
};

/** Works on the draft of a mapping. */
export function useDraft(initial: RoutingPage): DraftState {
  const [page, setPage] = useState(initial);
  const [rules, setRules] = useState(initial.draft?.rules ?? initial.rules);
  const [fault, setFault] = useState<string | null>(null);
  // What was answered last, for a change that follows before the page has been drawn again.
  const latest = useRef(page);
  const inTurn = useQueue();
  const client = useQueryClient();
  const path = `/routing/${page.mappingId}`;
  const take = (answer: RoutingPage) => {
    latest.current = answer;
    setPage(answer);
  };
  const show = (answer: RoutingPage) => {
    take(answer);
    setRules(answer.draft?.rules ?? answer.rules);
    setFault(null);
  };
  const change = async (next: RoutingRule[]) => {
    setRules(next);
    setFault(null);
    try {
      await inTurn(async () => {
        const { draft, version } = latest.current;
        const body = { version: draft?.version ?? null, basedOn: version, rules: next };
        take(await request<RoutingPage>(`${path}/draft`, { body }));
      });
    } catch (thrown) {
      const { draft, rules: published } = latest.current;
      setRules(draft?.rules ?? published);
      if (!(thrown instanceof RequestFailed) || Object.keys(thrown.fields).length === 0) setFault(messageOf(thrown));
      throw thrown;
    }
  };
  const acting = useMutation({
    mutationFn: (way: string) =>
      inTurn(async () => {
        const body = { version: latest.current.draft?.version ?? 0 };
        return request<RoutingPage>(`${path}/${way}`, { body });
      }),
    onSuccess: (answer) => {
      show(answer);
      void client.invalidateQueries({ queryKey: ['rule-hits', answer.mappingId] });
    },
  });
  useEffect(() => {
    latest.current = page;
  }, [page]);
  return {
    page,
    rules,
    change,
    act: async (way) => void (await acting.mutateAsync(way)),
    acting: acting.isPending ? (acting.variables ?? null) : null,
    report: (thrown) => setFault(messageOf(thrown)),
    fault,
    reload: async () => show(await request<RoutingPage>(path)),
  };
}

/** Does one thing after another. The window asks before it closes while one is not done: it is shown, and not yet kept. */
function useQueue() {
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const [waiting, setWaiting] = useState(0);
  useUnloadGuard(waiting > 0);
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = line.current.then(work, work);
    setWaiting((count) => count + 1);
    line.current = mine.catch(() => undefined).then(() => setWaiting((count) => count - 1));
    return mine;
  };
}

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));
