'use client';
// The state of the draft: every change is shown immediately and saved by the server in order. A refused change is
// reverted.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RoutingPage, RoutingRule } from '../../../lib/dashboard/routing/contract.ts';
import { errorText, RequestFailed, request } from '../ui/index.ts';
import { useUnloadGuard } from '../ui/leave-guard.tsx';

export type DraftState = ReturnType<typeof useDraft>;

type DraftAction = 'discard' | 'rebase' | 'dry-run' | 'publish';

/** The draft of a mapping. Without one, its rules are the published ones. */
export function useDraft(initial: RoutingPage) {
  const [page, setPage] = useState(initial);
  const [rules, setRules] = useState(initial.draft?.rules ?? initial.rules);
  const [error, setError] = useState<string | null>(null);
  // The last response, for a change that follows before the next rendering.
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
    setError(null);
  };
  const change = async (next: RoutingRule[]) => {
    setRules(next);
    setError(null);
    try {
      await inTurn(async () => {
        const { draft, version } = latest.current;
        const body = { version: draft?.version ?? null, basedOn: version, rules: next };
        take(await request<RoutingPage>(`${path}/draft`, { body }));
      });
    } catch (thrown) {
      const { draft, rules: published } = latest.current;
      setRules(draft?.rules ?? published);
      if (!(thrown instanceof RequestFailed) || Object.keys(thrown.fields).length === 0) setError(errorText(thrown));
      throw thrown;
    }
  };
  const acting = useMutation({
    mutationFn: (action: DraftAction) =>
      inTurn(async () => {
        const body = { version: latest.current.draft?.version ?? 0 };
        return request<RoutingPage>(`${path}/${action}`, { body });
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
    ...{ page, rules },
    /** Saves other rules; throws the server's error. */
    change,
    /** Runs an action on the whole draft. */
    act: async (action: DraftAction) => void (await acting.mutateAsync(action)),
    acting: acting.isPending ? acting.variables : null,
    /** The last error, for a note on the page. */
    fault: error,
    report: (thrown: unknown) => setError(errorText(thrown)),
    /** Reloads everything after another user's change. */
    reload: async () => show(await request<RoutingPage>(path)),
  };
}

/** Runs changes one after the other. Closing the window asks first while one is not saved. */
function useQueue() {
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const [waiting, setWaiting] = useState(0);
  useUnloadGuard(waiting > 0);
  return <T>(work: () => Promise<T>): Promise<T> => {
    const own = line.current.then(work, work);
    setWaiting((count) => count + 1);
    line.current = own.catch(() => undefined).then(() => setWaiting((count) => count - 1));
    return own;
  };
}
