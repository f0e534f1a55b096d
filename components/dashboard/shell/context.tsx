'use client';
// Shared state of the shell's parts: the user's pages, and opening the command menu.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { SignedInUser } from '../../../lib/dashboard/contract';
import type { ActionCounts, NavItem } from './nav';
import type { Theme } from './theme';

export type ShellState = {
  person: SignedInUser;
  navItems: readonly NavItem[];
  sandbox: boolean;
  theme: Theme;
  counts: ActionCounts;
  /** The selected merchant; null for all of them. */
  merchant: { id: string; name: string } | null;
  /** Whether the user can select another merchant. */
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
