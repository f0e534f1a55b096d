'use client';
// The dialogs that change the user's own account.
import { useState } from 'react';
import type { AccountData, Enrolment, RecoveryCodes } from '../../../lib/dashboard/account/contract';
import { useIdentityCheck } from '../confirm-identity';
import { Button, Dialog, FormDialog, request } from '../ui';
import { EnrolmentSteps, RecoveryCodeList } from './enrolment';

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

type SetUpProps = {
  /** Whether this authenticator replaces an existing one. */
  replaces: boolean;
  onClose: () => void;
  onSetUp: () => void;
};

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
