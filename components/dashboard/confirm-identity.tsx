'use client';
// Confirms the user's identity again before sensitive actions: if the last proof is older than some minutes, a dialog
// asks for the password, a code or a passkey, and the action continues. Without it the action's error says what is missing.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ProofWay } from '../../lib/dashboard/contract.ts';
import { ErrorIcon } from '../ui/icons.tsx';
import { OneTimeCode, useProof } from './one-time-code.tsx';
import { askForPasskey, type PasskeyPurpose, type Proof } from './passkeys.ts';
import { Actions, Button, Dialog, FormRow, request, TextInput } from './ui/index.ts';
import { onUnconfirmed } from './ui/request.ts';

type Asked = { ways: readonly ProofWay[]; done: (isProven: boolean) => void };

/** Asks for the proof that a request of the page requires, over any other dialog. Part of every page. */
export function IdentityCheck() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    onUnconfirmed((ways) => new Promise((done) => setAsked({ ways, done })));
    return () => onUnconfirmed(null);
  }, []);
  if (asked === null) return null;
  const end = (isProven: boolean) => {
    setAsked(null);
    asked.done(isProven);
  };
  return (
    <ProofDialog
      title="Confirm your identity"
      about="You won’t be asked again for 5 minutes."
      ways={asked.ways}
      purpose="confirmation"
      verb="Confirm"
      onClose={() => end(false)}
      foot={<Button onClick={() => end(false)}>Cancel</Button>}
      send={async (proof) => {
        await request('/confirm', { body: proof, reads: true });
        end(true);
      }}
    />
  );
}

type ProofProps = {
  title: string;
  about: string;
  /** Of these the user chooses one; the first is asked for first. */
  ways: readonly ProofWay[];
  purpose: PasskeyPurpose;
  /** The button that sends the password; a code is sent when it is complete. */
  verb: string;
  /** To the left of the button. */
  foot: ReactNode;
  send: (proof: Proof) => Promise<void>;
  onClose: () => void;
  /** It unlocks the session. */
  unlocks?: boolean;
};

const others: Record<ProofWay, string> = {
  passkey: 'Use a passkey instead',
  password: 'Use the password instead',
  code: 'Use a code instead',
};

/** A dialog that asks for the user's password, a code of the authenticator, or a passkey. */
export function ProofDialog({ title, about, ways, purpose, verb, foot, send, onClose, unlocks }: ProofProps) {
  const form = useRef<HTMLFormElement>(null);
  const [way, setWay] = useState(ways[0] ?? 'password');
  const { error, busy, round, prove, clear } = useProof(async (given: Proof | 'passkey') => {
    const proof = given === 'passkey' ? { passkey: await askForPasskey(purpose) } : given;
    if ('password' in proof && proof.password === '') throw new Error('Enter your password.');
    await send(proof);
  });
  const submit = () => (way === 'passkey' ? void prove('passkey') : form.current?.requestSubmit());
  const choose = (next: ProofWay) => {
    setWay(next);
    clear();
  };
  const alternatives = ways.filter((each) => each !== way);
  return (
    <Dialog
      open
      unlocks={unlocks}
      onClose={onClose}
      onConfirm={submit}
      title={title}
      about={about}
      foot={
        <>
          {foot}
          {way === 'code' ? null : (
            <Button kind="primary" busy={busy} onClick={submit} keys="Ctrl ↵">
              {way === 'passkey' ? 'Use a passkey' : verb}
            </Button>
          )}
        </>
      }
    >
      {way === 'passkey' ? <PasskeyNote error={error} /> : null}
      {way === 'password' ? (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const field = event.currentTarget.elements.namedItem('password') as HTMLInputElement;
            void prove({ password: field.value }).then(() => field.select());
          }}
        >
          <FormRow stacked label="Password" name="password" error={error ?? undefined}>
            <TextInput type="password" name="password" autoComplete="current-password" autoFocus />
          </FormRow>
        </form>
      ) : null}
      {way === 'code' ? (
        <FormRow stacked label="Code from your authenticator app" name="code" error={error ?? undefined}>
          {({ id, describedBy, invalid }) => (
            <OneTimeCode
              id={id}
              autoFocus
              round={round}
              aria-describedby={describedBy}
              aria-invalid={invalid || undefined}
              onFilled={(code) => prove({ code })}
            />
          )}
        </FormRow>
      ) : null}
      {alternatives.length > 0 ? (
        <div className="-mx-3 -mb-2 flex flex-wrap">
          <Actions
            of={alternatives.map((each) => ({ kind: 'bare', text: others[each], onClick: () => choose(each) }))}
          />
        </div>
      ) : null}
    </Dialog>
  );
}

function PasskeyNote({ error }: { error: string | null }) {
  return (
    <>
      <p className="text-ink2">The passkey of this device, of a phone or of a security key.</p>
      <div role="alert" className="empty:hidden">
        {error ? (
          <p className="flex gap-1.5 text-xs text-bad">
            <ErrorIcon />
            {error}
          </p>
        ) : null}
      </div>
    </>
  );
}
