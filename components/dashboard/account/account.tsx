'use client';
// The user's own account: profile, password, second factor and sessions.
import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import type {
  AccountData,
  Enrolment,
  OwnPasskey,
  OwnSession,
  PasskeySetup,
  RecoveryCodes,
} from '../../../lib/dashboard/account/contract.ts';
import { Icon } from '../icons.tsx';
import { askForPasskey } from '../passkeys.ts';
import { SignOut } from '../shell/sign-out.tsx';
import {
  ActionError,
  Button,
  Dialog,
  type FormQuestion,
  fieldsOf,
  Pairs,
  request,
  Tag,
  useAction,
  useObject,
  useQuestion,
} from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { EnrolmentSteps, RecoveryCodeList } from './enrolment.tsx';
import { NewPasskeyDialog, PasskeyList, passkeyName } from './passkeys.tsx';

export function Account({ initial }: { initial: AccountData }) {
  const { page: data, take, refetch } = useObject<AccountData>('/account', initial);
  const { dialogs, ...given } = useDialogs(data.secondFactor.ways, take, refetch);
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
      <Part
        title="Passkeys"
        about="Sign in with the fingerprint, the face or the PIN of a device instead of password and code."
      >
        <ActionError text={given.error} className="mb-3 text-xs" />
        <PasskeyList
          passkeys={data.passkeys}
          onAdd={given.addPasskey}
          onRename={(passkey) => given.ask(given.forms.rename(passkey))}
          onRemove={(passkey) => given.ask(given.forms.remove(passkey))}
        />
      </Part>
      <Sessions sessions={data.sessions} {...given} />
      {dialogs}
    </div>
  );
}

type Values = { password: string; fresh: string; code: string; name: string; way: string };

const { text, radio } = fieldsOf<Values>();

const password = (label: string) => text('password', label, { type: 'password', autoComplete: 'current-password' });

const code = (more: { help: string; when?: (values: Values) => boolean }) =>
  text('code', 'Code', { ...more, inputMode: 'numeric', autoComplete: 'one-time-code', size: 'short', mono: true });

const codeHelp = 'From your authenticator app, or a recovery code.';

type Ways = AccountData['secondFactor']['ways'];
type Form = Pick<FormQuestion<Values>, 'title' | 'verb' | 'danger' | 'about' | 'done' | 'children'> & {
  fields?: FormQuestion<Values>['fields'];
  onConfirm: (body: object) => Promise<unknown>;
};

/** A form that the second factor confirms: by a passkey or a code if the user has passkeys, else by a code. */
function provedForm(ways: Ways, { fields = [], onConfirm, ...form }: Form): FormQuestion<Values> {
  const [way = 'code'] = ways;
  const choice =
    way === 'passkey'
      ? [
          radio('way', 'Confirm with', {
            options: [
              { value: 'passkey', label: 'A passkey' },
              { value: 'code', label: 'A code' },
            ],
          }),
        ]
      : [];
  return {
    ...form,
    defaultValues: { password: '', code: '', way },
    fields: [...fields, ...choice, code({ help: codeHelp, when: (values) => values.way === 'code' })],
    onConfirm: async ({ way: chosen, code: typed, password: secret }) => {
      const proof = chosen === 'code' ? { code: typed } : { passkey: await askForPasskey('confirmation') };
      return onConfirm({ ...proof, ...(fields.length > 0 && { password: secret }) });
    },
  };
}

type Dialogs = Omit<ReturnType<typeof useDialogs>, 'dialogs'>;

/** The dialogs that change the account. Those of a new second factor end with its recovery codes, if they are new. */
function useDialogs(ways: Ways, take: (account: AccountData) => void, refetch: () => unknown) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [passkey, setPasskey] = useState<PasskeySetup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { ask, dialog } = useQuestion();
  const { run, error } = useAction();
  const change = (path: string) => async (body?: object) =>
    take(await request<AccountData>(`/account/${path}`, { body, method: 'POST' }));
  const show = (made: string[] | null) => {
    setEnrolment(null);
    setPasskey(null);
    setCodes(made);
    void refetch();
  };
  const begin =
    <Setup,>(path: string, start: (setup: Setup) => void) =>
    async (body: object) => {
      start(await request<Setup>(`/account/${path}/begin`, { body }));
    };
  const beginPasskey = begin('passkeys', setPasskey);
  const forms = {
    ...changes(change),
    ...factorForms(ways, change, { setUp: begin('second-factor', setEnrolment), addPasskey: beginPasskey, show }),
  };
  const dialogs = (
    <>
      {dialog}
      {passkey ? (
        <NewPasskeyDialog setup={passkey} onDone={(made) => show(made.codes)} onClose={() => setPasskey(null)} />
      ) : null}
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
  // A second factor confirms another one; without any, the server asks for the identity if the last proof is old.
  const addPasskey = () => (ways.length > 0 ? ask(forms.addPasskey) : void run(() => beginPasskey({})));
  return { ask: ask<Values>, forms, addPasskey, error, dialogs };
}

type Change = (path: string) => (body?: object) => Promise<void>;

/** The password and the sessions. */
const changes = (change: Change) => ({
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
  rename: ({ id, name }: OwnPasskey) => ({
    title: 'Rename passkey',
    done: 'Passkey renamed.',
    defaultValues: { name },
    onConfirm: ({ name: next }: { name: string }) => change(`passkeys/${id}`)({ name: next }),
    fields: [passkeyName],
  }),
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

type Begin = (body: object) => Promise<void>;
type Steps = { setUp: Begin; addPasskey: Begin; show: (codes: string[]) => void };

/** What the second factor confirms, and its first setup. */
const factorForms = (ways: Ways, change: Change, { setUp, addPasskey, show }: Steps) => ({
  turnOff: provedForm(ways, {
    title: 'Turn off two-factor authentication',
    verb: 'Turn off',
    danger: true,
    about: 'Signing in will then require only your password. Your passkeys and recovery codes are removed.',
    done: 'Two-factor authentication is off.',
    onConfirm: change('second-factor/switch-off'),
    fields: [password('Password')],
  }),
  codes: provedForm(ways, {
    title: 'New recovery codes',
    verb: 'Generate codes',
    about: 'Your current recovery codes stop working.',
    onConfirm: async (body) => show((await request<RecoveryCodes>('/account/second-factor/codes', { body })).codes),
  }),
  setUp: {
    title: 'Set up two-factor authentication',
    verb: 'Show the QR code',
    about: 'Signing in will then require your password and a code from your phone.',
    defaultValues: {},
    onConfirm: setUp,
    children: (
      <p className="text-ink2">
        You need an authenticator app such as Aegis, Google Authenticator, Microsoft Authenticator or a password manager
        that supports one-time codes. Your other sessions end.
      </p>
    ),
  },
  add: provedForm(ways, {
    title: 'Set up the authenticator app',
    verb: 'Show the QR code',
    about: 'You get new recovery codes. Your other sessions end.',
    onConfirm: setUp,
  }),
  replace: provedForm(ways, {
    title: 'Replace authenticator',
    verb: 'Show the QR code',
    about: 'Your current authenticator works until the new one has confirmed its first code.',
    onConfirm: setUp,
  }),
  addPasskey: provedForm(ways, { title: 'Add a passkey', verb: 'Continue', onConfirm: addPasskey }),
  remove: ({ id, name }: OwnPasskey) =>
    provedForm(ways, {
      title: 'Remove passkey',
      danger: true,
      about: `${name} no longer signs you in. Delete it in the device or password manager too.`,
      done: 'Passkey removed.',
      onConfirm: change(`passkeys/${id}/remove`),
    }),
});

const onTag = <Tag tone="ok">On</Tag>;
const pairs = 'grid grid-cols-[120px_minmax(0,1fr)] gap-x-3 gap-y-2';

function SecondFactor({ ways, demanded, codesLeft, ask, forms }: AccountData['secondFactor'] & Dialogs) {
  const on = ways.length > 0;
  const hasApp = ways.includes('code');
  return (
    <Part
      title="Two-factor authentication"
      about={demanded ? 'Required by your role.' : 'A code from your phone, or a passkey, in addition to the password.'}
    >
      <Pairs
        className={clsx(pairs, 'mb-4')}
        of={[
          ['Authenticator', hasApp ? onTag : <Tag key="off">Off</Tag>],
          ...(on
            ? ([
                [
                  'Recovery codes',
                  `${codesLeft ?? 0} of 10 left`,
                  codesLeft !== null && codesLeft < 3 ? 'text-warn' : '',
                ],
              ] as const)
            : []),
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {on ? (
          <>
            <Button onClick={() => ask(forms.codes)}>Generate recovery codes</Button>
            <Button onClick={() => ask(hasApp ? forms.replace : forms.add)}>
              {hasApp ? 'Replace authenticator' : 'Set up the authenticator app'}
            </Button>
            {demanded ? null : <Button onClick={() => ask(forms.turnOff)}>Turn off</Button>}
          </>
        ) : (
          <Button kind="primary" onClick={() => ask(forms.setUp)}>
            Set up two-factor authentication
          </Button>
        )}
      </div>
    </Part>
  );
}

function Sessions({ sessions, ask, forms }: { sessions: OwnSession[] } & Dialogs) {
  return (
    <Part title="Sessions" about="Your active sessions. A session ends 12 hours after the sign-in.">
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
