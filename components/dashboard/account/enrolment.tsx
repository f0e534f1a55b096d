'use client';
// The setup of an authenticator and the recovery codes after it, in a dialog or before any other page.
import { useState } from 'react';
import type { Enrolment, PasskeySetup, RecoveryCodes } from '../../../lib/dashboard/account/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { OneTimeCode, useProof } from '../one-time-code.tsx';
import styles from '../sign-in/sign-in.module.css';
import { ActionError, Button, request, useAction } from '../ui/index.ts';
import { addPasskey } from './passkeys.tsx';

const margin = 4;

/** `onDone` receives the recovery codes. */
export function EnrolmentSteps({ enrolment, onDone }: { enrolment: Enrolment; onDone: (codes: string[]) => void }) {
  const { error, round, prove } = useProof(async (code: string) => {
    onDone((await request<RecoveryCodes>('/account/second-factor/finish', { body: { code } })).codes);
  });
  const whole = enrolment.size + 2 * margin;
  return (
    <ol className="grid gap-5 text-sm">
      <li className="grid gap-3">
        <p>
          <b>1.</b> Scan this code with an authenticator app, or enter the key in the app.
        </p>
        <div className="flex flex-wrap items-start gap-4">
          <svg
            role="img"
            aria-label="QR code of the key"
            viewBox={`${-margin} ${-margin} ${whole} ${whole}`}
            width="168"
            height="168"
            shapeRendering="crispEdges"
            className="rounded-control border border-solid border-line"
          >
            <rect x={-margin} y={-margin} width={whole} height={whole} fill="#fff" />
            <path d={enrolment.path} fill="#000" />
          </svg>
          <div className="grid min-w-0 flex-1 basis-40 gap-2">
            <code className="text-xs leading-5 break-words text-ink2">{enrolment.secret}</code>
            <div className="flex flex-wrap items-center gap-3">
              <CopyButton text={enrolment.secret.replaceAll(' ', '')} what="key" word />
              <a href={enrolment.uri} className="text-xs">
                Open in an app on this device
              </a>
            </div>
          </div>
        </div>
      </li>
      <li className="grid gap-3">
        <label htmlFor="first-code">
          <b>2.</b> Enter the six digits that the app shows.
        </label>
        <OneTimeCode
          id="first-code"
          name="code"
          round={round}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'first-code-fault' : undefined}
          onFilled={prove}
        />
        <div role="alert">
          {error ? (
            <p className="flex gap-1.5 text-xs text-bad" id="first-code-fault">
              <ErrorIcon />
              {error}
            </p>
          ) : null}
        </div>
      </li>
    </ol>
  );
}

/** The recovery codes with buttons to copy and download them. */
export function RecoveryCodeList({ codes }: { codes: string[] }) {
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-ink2">
        Each code lets you sign in once if you lose your phone. They are shown only now: store them away from your
        phone.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-solid border-line bg-sub px-4 py-3"
      >
        {codes.map((code) => (
          <li key={code}>
            <code className="figures">{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} what="recovery codes" word />
        <Button size="small" icon="download" onClick={() => download(codes)}>
          Download
        </Button>
      </div>
    </div>
  );
}

function download(codes: string[]): void {
  const text = `Recovery codes for Florin at ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'florin-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}

/** `next` is the page afterwards, a path of the dashboard. */
export function EnrolmentForm({ enrolment, next }: { enrolment: Enrolment; next: string }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const { run, busy, error } = useAction();
  const create = async () => {
    const setup = await request<PasskeySetup>('/account/passkeys/begin', { body: {} });
    const made = await addPasskey(setup, setup.name);
    if (made.codes) setCodes(made.codes);
    else location.assign(next);
  };
  if (codes === null)
    return (
      <div className="grid gap-5">
        <EnrolmentSteps enrolment={enrolment} onDone={setCodes} />
        <div className={styles.alternative}>
          <p>Or use a passkey: the fingerprint, the face or the PIN of a device, or a security key.</p>
          <Button size="tall" icon="tokens" className={styles.submit} busy={busy !== null} onClick={() => run(create)}>
            Create a passkey
          </Button>
          <ActionError text={error} />
        </div>
      </div>
    );
  return (
    <div className={styles.form}>
      <h2>Your recovery codes</h2>
      <RecoveryCodeList codes={codes} />
      <Button kind="primary" size="tall" onClick={() => location.assign(next)}>
        I have saved them, continue
      </Button>
    </div>
  );
}
