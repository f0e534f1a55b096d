'use client';
import { useState } from 'react';
import { useShell } from './context';
import { chooseTheme } from './preferences';
import type { Theme } from './theme';

/** The user's theme with a setter. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const { theme: first } = useShell();
  const [theme, setTheme] = useState(first);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return [theme, choose];
}
