'use client';
// Confirms the user's identity again before sensitive actions: if the last proof is older than some minutes, a dialog
// asks for the password or a code, and the action continues.
import { type ReactNode, useId, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { OneTimeCode } from './one-time-code';
import { Button } from './ui/button';
import { Dialog } from './ui/dialog';
import { errorText } from './ui/error-text';
import { TextInput } from './ui/fields';
import { FormRow } from './ui/form';
import { RequestFailed, request } from './ui/request';

type PendingAction = { again: () => void; giveUp: () => void };

export type IdentityCheck = {
  /**
   * Runs an action that may require a proof and returns its result; null if the user closes the dialog. Other errors
   * are thrown.
   */
  confirmed: <Answer>(act: () => Promise<Answer>) => Promise<Answer | null>;
  /** Asks for the proof before a dialog opens, so that dialogs are never stacked. */
  ready: () => Promise<boolean>;
  /** Whether the proof is asked for: hide any other dialog meanwhile. */
  asking: boolean;
  /** Render this anywhere on the page. */
  dialog: ReactNode;
};

/** A pending action, and the dialog that asks for its proof. */
export function useIdentityCheck(): IdentityCheck {
  const [waiting, setWaiting] = useState<PendingAction | null>(null);
  const confirmed = async <Answer,>(act: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof RequestFailed && thrown.confirm)) throw thrown;
    }
    return new Promise<Answer | null>((done, fail) => {
      setWaiting({ again: () => act().then(done, fail), giveUp: () => done(null) });
    });
  };
  const end = (how: keyof PendingAction) => {
    setWaiting(null);
    waiting?.[how]();
  };
  const dialog = waiting ? <ConfirmIdentityDialog onDone={() => end('again')} onClose={() => end('giveUp')} /> : null;
  const ready = async () => (await confirmed(() => request('/confirm'))) !== null;
  return { confirmed, ready, asking: waiting !== null, dialog };
}

type DialogProps = { onDone: () => void; onClose: () => void };
type Form = { password: string };

function ConfirmIdentityDialog({ onDone, onClose }: DialogProps) {
  const [way, setWay] = useState<'password' | 'code'>('password');
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const { register, handleSubmit, setFocus } = useForm<Form>();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const send = async (proof: { password: string } | { code: string }) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await request('/confirm', { body: proof, reads: true });
      onDone();
    } catch (thrown) {
      const fields = thrown instanceof RequestFailed ? Object.values(thrown.fields) : [];
      setError(fields[0] ?? errorText(thrown));
      setRound(round + 1);
      if ('password' in proof) setFocus('password', { shouldSelect: true });
    } finally {
      setBusy(false);
    }
  };
  const submit = () => form.current?.requestSubmit();
  const other = way === 'password' ? 'Use a code instead' : 'Use the password instead';
  const foot = (
    <>
      <Button kind="bare" onClick={() => change(way === 'password' ? 'code' : 'password')} className="mr-auto">
        {other}
      </Button>
      <Button onClick={onClose}>Cancel</Button>
      {way === 'password' ? (
        <Button kind="primary" busy={busy} onClick={submit} keys="Ctrl ↵">
          Confirm
        </Button>
      ) : null}
    </>
  );
  const change = (next: 'password' | 'code') => {
    setWay(next);
    setError(undefined);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      onConfirm={submit}
      title="Confirm your identity"
      about="You won’t be asked again for 5 minutes."
      foot={foot}
    >
      {way === 'password' ? (
        <form ref={form} noValidate onSubmit={handleSubmit(send)}>
          <FormRow stacked label="Password" name="password" error={error}>
            <TextInput type="password" autoComplete="current-password" autoFocus {...register('password')} />
          </FormRow>
        </form>
      ) : (
        <FormRow stacked label="Code from your authenticator app" name="code" error={error}>
          {({ id: field, describedBy, invalid }) => (
            <OneTimeCode
              key={id}
              id={field}
              autoFocus
              round={round}
              aria-describedby={describedBy}
              aria-invalid={invalid || undefined}
              onFilled={(code) => send({ code })}
            />
          )}
        </FormRow>
      )}
    </Dialog>
  );
}
