'use client';
// The dialogs that change the user's own account.
import { useState } from 'react';
import type { AccountData, Enrolment, RecoveryCodes } from '../../../lib/dashboard/account/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { useIdentityCheck } from '../confirm-identity.tsx';
import { OneTimeCode, useProof } from '../one-time-code.tsx';
import { Button, Dialog, FormDialog, request } from '../ui/index.ts';

type DialogProps = { onClose: () => void; onDone: (account: AccountData, said: string) => void };

const code = { name: 'code', label: 'Code', inputMode: 'numeric', autoComplete: 'one-time-code' } as const;

const codeField = (help: string) => ({ ...code, help, size: 'short', mono: true }) as const;

const passwordField = (label: string) =>
  ({ name: 'password', label, type: 'password', autoComplete: 'current-password' }) as const;

export function PasswordDialog({ onClose, onDone }: DialogProps) {
  return (
    <FormDialog<{ password: string; fresh: string }>
      title="Change password"
      about="Your other sessions end. This one stays active."
      verb="Change password"
      defaultValues={{ password: '', fresh: '' }}
      onClose={onClose}
      onSend={async (body) => onDone(await request<AccountData>('/account/password', { body }), 'Password changed.')}
      fields={[
        passwordField('Current password'),
        {
          ...{ name: 'fresh', label: 'New password', type: 'password', autoComplete: 'new-password' },
          help: 'At least 12 characters. A sentence is easier to remember than symbols.',
        },
      ]}
    />
  );
}

export function DisableDialog({ onClose, onDone }: DialogProps) {
  return (
    <FormDialog<{ password: string; code: string }>
      title="Turn off two-factor authentication"
      about="Signing in will then require only your password."
      verb="Turn off"
      danger
      defaultValues={{ password: '', code: '' }}
      onClose={onClose}
      onSend={async (body) =>
        onDone(
          await request<AccountData>('/account/second-factor/switch-off', { body }),
          'Two-factor authentication is off.',
        )
      }
      fields={[passwordField('Password'), codeField('From your authenticator app, or a recovery code.')]}
    />
  );
}

/** Generates ten new recovery codes after a code. */
export function RegenerateCodesDialog({ onClose, onRenewed }: { onClose: () => void; onRenewed: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <FormDialog<{ code: string }>
      title="New recovery codes"
      about="Your current recovery codes stop working."
      verb="Generate codes"
      defaultValues={{ code: '' }}
      onClose={onClose}
      onSend={async (body) => {
        setCodes((await request<RecoveryCodes>('/account/second-factor/codes', { body })).codes);
        onRenewed();
      }}
      fields={[codeField('From your authenticator app.')]}
    />
  );
}

type SetUpProps = { replaces: boolean; onClose: () => void; onSetUp: () => void };

/** Sets up a first authenticator or replaces one, which requires a code of the current one. */
export function SetUpDialog({ replaces, onClose, onSetUp }: SetUpProps) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { confirmed, dialog } = useIdentityCheck();
  const begin = async (body: object) => {
    const begun = await confirmed(() => request<Enrolment>('/account/second-factor/begin', { body }));
    if (begun) setEnrolment(begun);
  };
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  if (enrolment) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Set up the authenticator app"
        foot={<Button onClick={onClose}>Cancel</Button>}
      >
        <EnrolmentSteps
          enrolment={enrolment}
          onDone={(made) => {
            setCodes(made);
            onSetUp();
          }}
        />
      </Dialog>
    );
  }
  if (dialog) return dialog;
  return (
    <FormDialog<{ code: string }>
      title={replaces ? 'Replace authenticator' : 'Set up two-factor authentication'}
      about={
        replaces
          ? 'Your current authenticator works until the new one has confirmed its first code.'
          : 'Signing in will then require your password and a code from your phone.'
      }
      verb="Show the QR code"
      defaultValues={{ code: '' }}
      onClose={onClose}
      onSend={({ code }) => begin(replaces ? { code } : {})}
      fields={replaces ? [codeField('From your current app, or a recovery code.')] : []}
    >
      {() =>
        replaces ? null : (
          <p className="text-ink2">
            You need an authenticator app such as Aegis, Google Authenticator, Microsoft Authenticator or a password
            manager that supports one-time codes. Your other sessions end.
          </p>
        )
      }
    </FormDialog>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your recovery codes"
      foot={
        <Button kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      }
    >
      <RecoveryCodeList codes={codes} />
    </Dialog>
  );
}

const margin = 4;

type Props = { enrolment: Enrolment; onDone: (codes: string[]) => void };

/** `onDone` receives the recovery codes. */
export function EnrolmentSteps({ enrolment, onDone }: Props) {
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
