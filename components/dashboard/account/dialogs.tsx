'use client';
// What a person changes of their own account, each in a dialog of its own.
import { useState } from 'react';
import type { AccountData, Enrolment, RecoveryCodes } from '../../../lib/dashboard/account/contract';
import { useIdentityCheck } from '../confirm-identity';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextInput } from '../ui/fields';
import { FormRow } from '../ui/form';
import { FormDialog } from '../ui/form-dialog';
import { request } from '../ui/request';
import { EnrolmentSteps, RecoveryCodeList } from './enrolment';

type DialogProps = { onClose: () => void; onDone: (account: AccountData, said: string) => void };

const codeInput = { inputMode: 'numeric', autoComplete: 'one-time-code', size: 'short', mono: true } as const;

export function PasswordDialog({ onClose, onDone }: DialogProps) {
  return (
    <FormDialog
      title="Change the password"
      about="Your other sessions end. This one goes on."
      verb="Change the password"
      defaultValues={{ password: '', fresh: '' }}
      onClose={onClose}
      onSend={async (body) => onDone(await request<AccountData>('/account/password', { body }), 'Password changed.')}
    >
      {({ register }) => (
        <>
          <FormRow stacked label="Present password" name="password">
            <TextInput type="password" autoComplete="current-password" {...register('password')} />
          </FormRow>
          <FormRow
            stacked
            label="New password"
            name="fresh"
            help="At least 12 characters. A sentence is easier to remember than signs."
          >
            <TextInput type="password" autoComplete="new-password" {...register('fresh')} />
          </FormRow>
        </>
      )}
    </FormDialog>
  );
}

export function DisableDialog({ onClose, onDone }: DialogProps) {
  return (
    <FormDialog
      title="Switch the second factor off"
      about="Your password alone opens the account from then on."
      verb="Switch off"
      danger
      defaultValues={{ password: '', code: '' }}
      onClose={onClose}
      onSend={async (body) =>
        onDone(
          await request<AccountData>('/account/second-factor/switch-off', { body }),
          'The second factor is switched off.',
        )
      }
    >
      {({ register }) => (
        <>
          <FormRow stacked label="Password" name="password">
            <TextInput type="password" autoComplete="current-password" {...register('password')} />
          </FormRow>
          <FormRow stacked label="Code" name="code" help="From your authenticator app, or a recovery code.">
            <TextInput {...codeInput} {...register('code')} />
          </FormRow>
        </>
      )}
    </FormDialog>
  );
}

/** Ten new recovery codes, for a code. */
export function RegenerateCodesDialog({ onClose, onRenewed }: { onClose: () => void; onRenewed: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title="New recovery codes"
      about="The codes that you have now stop working."
      verb="Make new codes"
      defaultValues={{ code: '' }}
      onClose={onClose}
      onSend={async (body) => {
        setCodes((await request<RecoveryCodes>('/account/second-factor/codes', { body })).codes);
        onRenewed();
      }}
    >
      {({ register }) => (
        <FormRow stacked label="Code" name="code" help="From your authenticator app.">
          <TextInput {...codeInput} {...register('code')} />
        </FormRow>
      )}
    </FormDialog>
  );
}

type SetUpProps = {
  /** Whether there is an authenticator already, which this one is to replace. */
  replaces: boolean;
  onClose: () => void;
  onSetUp: () => void;
};

/** A first authenticator, or another one in place of the present one: for that the present one has to speak. */
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
    <FormDialog
      title={replaces ? 'Another authenticator' : 'Set up a second factor'}
      about={
        replaces
          ? 'The present one works until the new one has given its first code.'
          : 'Signing in then asks for your password and for a code from your phone.'
      }
      verb="Show the QR code"
      defaultValues={{ code: '' }}
      onClose={onClose}
      onSend={({ code }) => begin(replaces ? { code } : {})}
    >
      {({ register }) =>
        replaces ? (
          <FormRow stacked label="Code" name="code" help="From your present app, or a recovery code.">
            <TextInput {...codeInput} {...register('code')} />
          </FormRow>
        ) : (
          <p className="text-ink2">
            You need an authenticator app such as Aegis, Google Authenticator, Microsoft Authenticator or a password
            manager that keeps one-time codes. Your other sessions end.
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
          I have kept them
        </Button>
      }
    >
      <RecoveryCodeList codes={codes} />
    </Dialog>
  );
}
