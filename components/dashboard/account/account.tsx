'use client';
// The user's own account: profile, password, second factor and sessions.
import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import type { AccountData, Enrolment, OwnSession, RecoveryCodes } from '../../../lib/dashboard/account/contract.ts';
import { useIdentityCheck } from '../confirm-identity.tsx';
import { Icon } from '../icons.tsx';
import { SignOut } from '../shell/sign-out.tsx';
import { Button, Dialog, fieldsOf, Pairs, request, Tag, useObject, useQuestion } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { EnrolmentSteps, RecoveryCodeList } from './enrolment.tsx';

export function Account({ initial }: { initial: AccountData }) {
  const { page: data, take, refetch } = useObject<AccountData>('/account', initial);
  const { dialogs, ...given } = useDialogs(take, refetch);
  return (
    <div className="pb-10">
      <Part title="Profile">
        <Pairs
          className={pairs}
          of={[
            ['Name', data.name],
            ['Email', data.email],
            ['Role', data.role],
            ['Merchant', data.merchant ?? 'All merchants'],
          ]}
        />
        <div className="mt-4">
          <SignOut />
        </div>
      </Part>
      <Part title="Password" about="Changing it ends your other sessions.">
        <Button onClick={() => given.ask(given.forms.password)}>Change password</Button>
      </Part>
      <SecondFactor {...data.secondFactor} {...given} />
      <Sessions sessions={data.sessions} {...given} />
      {dialogs}
    </div>
  );
}

type Values = { password: string; fresh: string; code: string };

const { text } = fieldsOf<Values>();

const password = (label: string) => text('password', label, { type: 'password', autoComplete: 'current-password' });

const code = (help: string) =>
  text('code', 'Code', { help, inputMode: 'numeric', autoComplete: 'one-time-code', size: 'short', mono: true });

type Dialogs = Omit<ReturnType<typeof useDialogs>, 'dialogs'>;

/** The dialogs that change the account. Those of the authenticator end with its recovery codes. */
function useDialogs(take: (account: AccountData) => void, refetch: () => unknown) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { confirmed, dialog: identity, asking } = useIdentityCheck();
  const { ask, dialog } = useQuestion({ hidden: asking });
  const change = (path: string) => async (body?: object) =>
    take(await request<AccountData>(`/account/${path}`, { body, method: 'POST' }));
  const show = (made: string[]) => {
    setEnrolment(null);
    setCodes(made);
    void refetch();
  };
  const begin = async (body: object) => {
    const begun = await confirmed(() => request<Enrolment>('/account/second-factor/begin', { body }));
    if (begun) setEnrolment(begun);
    return begun !== null;
  };
  const dialogs = (
    <>
      {dialog}
      {identity}
      {enrolment ? (
        <Dialog
          open
          onClose={() => setEnrolment(null)}
          title="Set up the authenticator app"
          foot={<Button onClick={() => setEnrolment(null)}>Cancel</Button>}
        >
          <EnrolmentSteps enrolment={enrolment} onDone={show} />
        </Dialog>
      ) : null}
      {codes ? (
        <Dialog
          open
          onClose={() => setCodes(null)}
          title="Your recovery codes"
          foot={
            <Button kind="primary" onClick={() => setCodes(null)}>
              I have saved them
            </Button>
          }
        >
          <RecoveryCodeList codes={codes} />
        </Dialog>
      ) : null}
    </>
  );
  return { ask: ask<Values>, forms: { ...changes(change), ...authenticatorForms(begin, show) }, dialogs };
}

/** The password, turning the second factor off, and the sessions. */
const changes = (change: (path: string) => (body?: object) => Promise<void>) => ({
  password: {
    title: 'Change password',
    done: 'Password changed.',
    about: 'Your other sessions end. This one stays active.',
    defaultValues: { password: '', fresh: '' },
    onConfirm: change('password'),
    fields: [
      password('Current password'),
      text('fresh', 'New password', {
        type: 'password',
        autoComplete: 'new-password',
        help: 'At least 12 characters, with a digit. Several words are easier to remember than symbols.',
      }),
    ],
  },
  turnOff: {
    title: 'Turn off two-factor authentication',
    verb: 'Turn off',
    danger: true,
    about: 'Signing in will then require only your password.',
    done: 'Two-factor authentication is off.',
    defaultValues: { password: '', code: '' },
    onConfirm: change('second-factor/switch-off'),
    fields: [password('Password'), code('From your authenticator app, or a recovery code.')],
  },
  end: ({ id, device, address }: OwnSession) => ({
    title: 'End this session',
    verb: 'End session',
    done: 'Session ended.',
    text: `${device}${address ? ` at ${address}` : ''} is signed out immediately.`,
    onConfirm: change(`sessions/${id}/end`),
  }),
  endOthers: {
    title: 'End the other sessions',
    verb: 'End other sessions',
    done: 'Other sessions ended.',
    text: 'Every other browser is signed out immediately. This session stays active.',
    onConfirm: change('sessions/end-others'),
  },
});

type Begin = (body: object) => Promise<boolean>;

const authenticatorForms = (begin: Begin, show: (codes: string[]) => void) => ({
  codes: {
    title: 'New recovery codes',
    verb: 'Generate codes',
    about: 'Your current recovery codes stop working.',
    defaultValues: { code: '' },
    onConfirm: async (body: object) =>
      show((await request<RecoveryCodes>('/account/second-factor/codes', { body })).codes),
    fields: [code('From your authenticator app.')],
  },
  setUp: {
    title: 'Set up two-factor authentication',
    verb: 'Show the QR code',
    about: 'Signing in will then require your password and a code from your phone.',
    defaultValues: {},
    onConfirm: begin,
    children: (
      <p className="text-ink2">
        You need an authenticator app such as Aegis, Google Authenticator, Microsoft Authenticator or a password manager
        that supports one-time codes. Your other sessions end.
      </p>
    ),
  },
  replace: {
    title: 'Replace authenticator',
    verb: 'Show the QR code',
    about: 'Your current authenticator works until the new one has confirmed its first code.',
    defaultValues: { code: '' },
    onConfirm: begin,
    fields: [code('From your current app, or a recovery code.')],
  },
});

const onTag = <Tag tone="ok">On</Tag>;
const pairs = 'grid grid-cols-[120px_minmax(0,1fr)] gap-x-3 gap-y-2';

function SecondFactor({ on, demanded, codesLeft, ask, forms }: AccountData['secondFactor'] & Dialogs) {
  return (
    <Part
      title="Two-factor authentication"
      about={demanded ? 'Required by your role.' : 'A code from your phone in addition to the password.'}
    >
      {on ? (
        <>
          <Pairs
            className={pairs}
            of={[
              ['Authenticator', onTag],
              [
                'Recovery codes',
                `${codesLeft ?? 0} of 10 left`,
                codesLeft !== null && codesLeft < 3 ? 'text-warn' : '',
              ],
            ]}
          />
          <div className="mt-4 flex flex-wrap gap-2">
            <Button onClick={() => ask(forms.codes)}>Generate recovery codes</Button>
            <Button onClick={() => ask(forms.replace)}>Replace authenticator</Button>
            {demanded ? null : <Button onClick={() => ask(forms.turnOff)}>Turn off</Button>}
          </div>
        </>
      ) : (
        <>
          <Pairs className={clsx(pairs, 'mb-4')} of={[['Authenticator', <Tag key="off">Off</Tag>]]} />
          <Button kind="primary" onClick={() => ask(forms.setUp)}>
            Set up two-factor authentication
          </Button>
        </>
      )}
    </Part>
  );
}

function Sessions({ sessions, ask, forms }: { sessions: OwnSession[] } & Dialogs) {
  return (
    <Part
      title="Sessions"
      about="Your active sessions. A session ends 8 hours after its last use, and at the latest 24 hours after the sign-in, or 12 for administrators and account managers."
    >
      <ul className="border-t border-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex min-h-[54px] items-center gap-x-4 border-b border-line py-2">
            <span className="text-ink3">
              <Icon name="screen" />
            </span>
            <span className="grid min-w-0 flex-1">
              <span className="flex items-center gap-2 font-medium">
                {session.device}
                {session.here ? <Tag tone="ok">This session</Tag> : null}
              </span>
              <span className="text-xs text-ink3">
                {session.address ?? 'Unknown address'}, signed in <Time at={session.signedInAt} as="day and time" />
              </span>
              <span className="hidden text-xs text-ink3 phone:block">
                used <Time at={session.usedAt} as="day and time" />
              </span>
            </span>
            <span className="text-xs text-ink3 phone:hidden">
              used <Time at={session.usedAt} as="day and time" />
            </span>
            {session.here ? null : (
              <Button size="small" onClick={() => ask(forms.end(session))}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <Button className="mt-3" onClick={() => ask(forms.endOthers)}>
          End other sessions
        </Button>
      ) : null}
    </Part>
  );
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-8 gap-y-3 border-b border-line px-gutter py-6 text-sm lg:grid-cols-[232px_minmax(0,620px)]">
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        {about ? <p className="mt-1 text-xs text-ink3">{about}</p> : null}
      </div>
      <div>{children}</div>
    </section>
  );
}
