'use client';
// Confirms the user's identity again before sensitive actions: if the last proof is older than some minutes, a dialog
// asks for the password or a code, and the action continues.
import { type ReactNode, useRef, useState } from 'react';
import { OneTimeCode, useProof } from './one-time-code.tsx';
import { Actions, Button, Dialog, FormRow, RequestFailed, request, TextInput } from './ui/index.ts';

type PendingAction = { again: () => void; giveUp: () => void };

/** A pending action, and the dialog that asks for its proof. */
export function useIdentityCheck() {
  const [waiting, setWaiting] = useState<PendingAction | null>(null);
  /**
   * Runs an action that may require a proof and returns its result; null if the user closes the dialog. Other errors
   * are thrown.
   */
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
  return {
    confirmed,
    /** Asks for the proof before a dialog opens, so that dialogs are never stacked. */
    ready: async () => (await confirmed(() => request('/confirm'))) !== null,
    /** Whether the proof is asked for: hide any other dialog meanwhile. */
    asking: waiting !== null,
    /** Render this anywhere on the page. */
    dialog: waiting ? <ConfirmIdentityDialog onDone={() => end('again')} onClose={() => end('giveUp')} /> : null,
  };
}

function ConfirmIdentityDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [way, setWay] = useState<Way>('password');
  const other = way === 'password' ? 'code' : 'password';
  return (
    <ProofDialog
      title="Confirm your identity"
      about="You won’t be asked again for 5 minutes."
      way={way}
      verb="Confirm"
      onClose={onClose}
      send={async (proof) => {
        await request('/confirm', { body: { [way]: proof }, reads: true });
        onDone();
      }}
      foot={(clear) => (
        <Actions
          of={[
            {
              kind: 'bare',
              className: 'mr-auto',
              text: other === 'code' ? 'Use a code instead' : 'Use the password instead',
              onClick: () => {
                setWay(other);
                clear();
              },
            },
            { text: 'Cancel', onClick: onClose },
          ]}
        />
      )}
    />
  );
}

type Way = 'password' | 'code';

type ProofProps = {
  title: string;
  about: string;
  way: Way;
  /** The button that sends the password; a code is sent when it is complete. */
  verb: string;
  /** To the left of the button; `clear` removes the error. */
  foot: (clear: () => void) => ReactNode;
  send: (proof: string) => Promise<void>;
  onClose: () => void;
};

/** A dialog that asks for the user's password, or for a code of the authenticator. */
export function ProofDialog({ title, about, way, verb, foot, send, onClose }: ProofProps) {
  const form = useRef<HTMLFormElement>(null);
  const { error, busy, round, prove, clear } = useProof(send);
  const submit = () => form.current?.requestSubmit();
  return (
    <Dialog
      open
      onClose={onClose}
      onConfirm={submit}
      title={title}
      about={about}
      foot={
        <>
          {foot(clear)}
          {way === 'password' ? (
            <Button kind="primary" busy={busy} onClick={submit} keys="Ctrl ↵">
              {verb}
            </Button>
          ) : null}
        </>
      }
    >
      {way === 'password' ? (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const field = event.currentTarget.elements.namedItem('password') as HTMLInputElement;
            void prove(field.value).then(() => field.select());
          }}
        >
          <FormRow stacked label="Password" name="password" error={error ?? undefined}>
            <TextInput type="password" name="password" autoComplete="current-password" autoFocus />
          </FormRow>
        </form>
      ) : (
        <FormRow stacked label="Code from your authenticator app" name="code" error={error ?? undefined}>
          {({ id, describedBy, invalid }) => (
            <OneTimeCode
              id={id}
              autoFocus
              round={round}
              aria-describedby={describedBy}
              aria-invalid={invalid || undefined}
              onFilled={prove}
            />
          )}
        </FormRow>
      )}
    </Dialog>
  );
}
