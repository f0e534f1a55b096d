'use client';
// What the parts of the frame know of one another: the ways that this person may go, and how the command menu is opened.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { SignedInUser } from '../../../lib/dashboard/contract';
import type { ActionCounts, NavItem } from './nav';
import type { Theme } from './theme';

export type ShellState = {
  person: SignedInUser;
  ways: readonly NavItem[];
  sandbox: boolean;
  theme: Theme;
  counts: ActionCounts;
  /** The merchant that is shown; null for all of them. */
  merchant: { id: string; name: string } | null;
  /** Whether another merchant may be picked. */
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
  if (!shared) throw new Error('a part of the frame stands outside it');
  return shared;
}
