'use client';
// Shared state of the shell's parts: the user's pages, and opening the command menu.
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { SignedInUser } from '../../../lib/dashboard/contract.ts';
import { request } from '../ui/request.ts';
import { setPreference } from '../zone.tsx';
import type { ActionCounts, NavItem } from './nav.ts';
import { type Theme, themeCookie } from './theme.ts';

export type ShellState = {
  person: SignedInUser;
  navItems: readonly NavItem[];
  sandbox: boolean;
  theme: Theme;
  counts: ActionCounts;
  merchant: { id: string; name: string } | null;
  canSwitch: boolean;
};

type OpenOverlay = 'commands' | 'keys' | 'more' | null;

type ShellContextValue = ShellState & { opened: OpenOverlay; open: (what: OpenOverlay) => void };

const ShellContext = createContext<ShellContextValue | null>(null);

export function ShellProvider({ frame, children }: { frame: ShellState; children: ReactNode }) {
  const [opened, open] = useState<OpenOverlay>(null);
  const shared = useMemo(() => ({ ...frame, opened, open }), [frame, opened]);
  return <ShellContext value={shared}>{children}</ShellContext>;
}

export function useShell(): ShellContextValue {
  const shared = useContext(ShellContext);
  if (!shared) throw new Error('a part of the shell was rendered outside of it');
  return shared;
}

/** The user's theme with a setter, for this page and the next ones. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(useShell().theme);
  const choose = (next: Theme) => {
    const chosen = next === 'system' ? null : next;
    setPreference(themeCookie, chosen);
    if (chosen === null) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    setTheme(next);
  };
  return [theme, choose];
}

const countsMilliseconds = 60_000;

/** The alert counts. The server renders the first ones; then they are polled every minute. */
export function useCounts(): ActionCounts {
  const { counts, merchant } = useShell();
  const { data } = useQuery({
    queryKey: ['action-counts', merchant?.id ?? null],
    queryFn: () => request<ActionCounts>('/attention/counts'),
    initialData: counts,
    staleTime: countsMilliseconds,
    refetchInterval: countsMilliseconds,
  });
  return data;
}
