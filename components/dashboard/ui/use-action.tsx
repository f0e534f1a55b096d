'use client';
// Running actions of a page, and the error of the last one.
import { useRef, useState } from 'react';
import { errorText } from './request.ts';

/**
 * Runs actions: the same one not twice at a time, another one at any time. `busy` is the name of the last one that runs,
 * `error` the text of the last failure; none if `textOf` shows the failure itself. `run` returns whether it succeeded.
 */
export function useAction(textOf: (thrown: unknown) => string | null = errorText, first: string | null = null) {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState(first);
  // Two presses may come before the next render.
  const running = useRef(new Set<string>());
  const run = async (work: () => Promise<unknown>, name = 'action'): Promise<boolean> => {
    if (running.current.has(name)) return false;
    running.current.add(name);
    setBusy(name);
    setError(null);
    try {
      await work();
      return true;
    } catch (thrown) {
      setError(textOf(thrown));
      return false;
    } finally {
      running.current.delete(name);
      setBusy([...running.current].at(-1) ?? null);
    }
  };
  return { run, busy, error, clear: () => setError(null) };
}

/** The error of an action below its buttons, if any. */
export function ActionError({ text, className = 'text-xs' }: { text: string | null; className?: string }) {
  return text === null ? null : (
    <p role="alert" className={`${className} text-bad`}>
      {text}
    </p>
  );
}
