'use client';
// Signs the user in again over a form with unsaved changes, after the session has expired: the form and its values stay.
import { useEffect, useState } from 'react';
import { ProofDialog } from '../confirm-identity.tsx';
import { useShell } from '../shell/context.tsx';
import { onExpiredSession, request } from '../ui/request.ts';

type Done = (signedIn: boolean) => void;

/** Listens for an expired session. Closing the dialog leads to the sign-in page. */
export function SignInAgain() {
  const [asking, setAsking] = useState<{ done: Done } | null>(null);
  useEffect(() => {
    onExpiredSession(() => new Promise((done) => setAsking({ done })));
    return () => onExpiredSession(null);
  }, []);
  const end = (signedIn: boolean) => {
    asking?.done(signedIn);
    setAsking(null);
  };
  return asking ? <SignInDialog end={end} /> : null;
}

function SignInDialog({ end }: { end: Done }) {
  const { email } = useShell().person;
  const [way, setWay] = useState<'password' | 'code'>('password');
  const send = async (proof: string) => {
    if (proof === '') throw new Error('Enter your password.');
    const next = '/dashboard';
    const [path, body] =
      way === 'password'
        ? ['/sign-in', { email, password: proof, next }]
        : ['/sign-in/code', { way: 'totp', code: proof, next }];
    const answer = await request<{ next: string }>(path, { body, reads: true, signsIn: true });
    if (answer.next.startsWith('/dashboard/sign-in/')) setWay('code');
    else end(true);
  };
  return (
    <ProofDialog
      title="Your session has expired"
      about="Sign in again to continue. Your changes on this page stay."
      way={way}
      verb="Sign in"
      foot={() => <span>{email}</span>}
      send={send}
      onClose={() => end(false)}
    />
  );
}
