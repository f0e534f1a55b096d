'use client';
// Tests the provider connection with the form's values: requests the provider's capabilities, which moves no money.
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ConnectionCheck, MidValues } from '../../../lib/dashboard/mids/contract.ts';
import { Note, request, showErrors, useAction } from '../ui/index.ts';

/** The action and the provider's answer. `path` is the MID's path, or `/mids` for a new one. */
export function useConnectionTest<Values extends MidValues>(form: UseFormReturn<Values>, path: string) {
  const { run, busy } = useAction();
  const [result, setResult] = useState<ConnectionCheck | null>(null);
  const check = async () => {
    setResult(null);
    form.clearErrors();
    await request<ConnectionCheck>(`${path}/check`, { body: form.getValues(), reads: true }).then(
      setResult,
      (thrown) => {
        const rest = showErrors(form, thrown);
        if (rest !== null) setResult({ ok: false, text: rest, note: null });
      },
    );
  };
  const test = { text: 'Test connection', icon: 'flask' as const, busy: busy !== null, onClick: () => void run(check) };
  const answer = result ? (
    <div className="sticky top-[calc(var(--top)+48px)] z-2 border-b border-line bg-bg px-gutter py-2.5">
      <Note
        tone={result.ok ? (result.note ? 'warn' : 'ok') : 'bad'}
        icon={result.ok && !result.note ? 'tick' : 'warn'}
        role="status"
      >
        {result.text} {result.note}
      </Note>
    </div>
  ) : null;
  return { test, answer };
}
