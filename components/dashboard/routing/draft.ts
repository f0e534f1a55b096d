'use client';
// The state of the draft: every change is shown immediately and saved by the server in order. A refused change is
// reverted.
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RoutingPage, RoutingRule } from '../../../lib/dashboard/routing/contract.ts';
import { errorText, RequestFailed, request } from '../ui/index.ts';
import { useUnloadGuard } from '../ui/leave-guard.tsx';

export type DraftState = ReturnType<typeof useDraft>;

type DraftAction = 'discard' | 'rebase' | 'dry-run' | 'publish';

/** The draft of a mapping. Without one, its rules are the published ones. */
export function useDraft(initial: RoutingPage) {
  const [page, setPage] = useState(initial);
  const [rules, setRules] = useState(rulesOf(initial));
  const [error, setError] = useState<string | null>(null);
  // The last response, for a change that follows before the next rendering.
  const latest = useRef(page);
  const client = useQueryClient();
  const path = `/routing/${page.mappingId}`;
  // Requests run one after the other. Closing the window asks first while one is not done.
  const inTurn = { mutationKey: [path], scope: { id: path }, networkMode: 'always' } as const;
  useUnloadGuard(useIsMutating({ mutationKey: [path] }) > 0);
  const take = (answer: RoutingPage) => {
    latest.current = answer;
    setPage(answer);
  };
  const show = (answer: RoutingPage) => {
    take(answer);
    setRules(rulesOf(answer));
    setError(null);
  };
  const saving = useMutation({
    ...inTurn,
    mutationFn: (next: RoutingRule[]) => {
      const { draft, version } = latest.current;
      const body = { version: draft?.version ?? null, basedOn: version, rules: next };
      return request<RoutingPage>(`${path}/draft`, { body });
    },
    onSuccess: take,
  });
  const acting = useMutation({
    ...inTurn,
    mutationFn: (action: DraftAction) => {
      const body = { version: latest.current.draft?.version ?? 0 };
      return request<RoutingPage>(`${path}/${action}`, { body });
    },
    onSuccess: (answer) => {
      show(answer);
      void client.invalidateQueries({ queryKey: ['rule-hits', answer.mappingId] });
    },
  });
  return {
    page,
    rules,
    /** Saves other rules; throws the server's error. */
    change: async (next: RoutingRule[]) => {
      setRules(next);
      setError(null);
      try {
        await saving.mutateAsync(next);
      } catch (thrown) {
        setRules(rulesOf(latest.current));
        if (!(thrown instanceof RequestFailed) || Object.keys(thrown.fields).length === 0) setError(errorText(thrown));
        throw thrown;
      }
    },
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

const rulesOf = ({ draft, rules }: RoutingPage) => draft?.rules ?? rules;
