'use client';
// What the parts of the frame know of one another: the ways that this person may go, and how the command menu is opened.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Person } from '../../../lib/dashboard/contract';
import type { ActionCounts, Way } from '../nav';
import type { Theme } from './theme';

export type Frame = {
  person: Person;
  ways: readonly Way[];
  sandbox: boolean;
  theme: Theme;
  counts: ActionCounts;
  /** The merchant that is shown; null for all of them. */
  merchant: { id: string; name: string } | null;
  /** Whether another merchant may be picked. */
  canSwitch: boolean;
};

type Opened = 'commands' | 'keys' | 'more' | null;

type Shared = Frame & { opened: Opened; open: (what: Opened) => void };

const FrameContext = createContext<Shared | null>(null);

export function FrameProvider({ frame, children }: { frame: Frame; children: ReactNode }) {
  const [opened, open] = useState<Opened>(null);
  const shared = useMemo(() => ({ ...frame, opened, open }), [frame, opened]);
  return <FrameContext value={shared}>{children}</FrameContext>;
}

export function useFrame(): Shared {
  const shared = useContext(FrameContext);
  if (!shared) throw new Error('a part of the frame stands outside it');
  return shared;
}
