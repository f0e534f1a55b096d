'use client';
// The user's own account: profile, password, second factor and sessions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccountData, OwnSession } from '../../../lib/dashboard/account/contract.ts';
import { Icon } from '../icons.tsx';
import { SignOut } from '../shell/sign-out.tsx';
import { Button, ConfirmDialog, request, Tag, useToast } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { DisableDialog, PasswordDialog, RegenerateCodesDialog, SetUpDialog } from './dialogs.tsx';

type Open = 'password' | 'set up' | 'replace' | 'codes' | 'switch off' | 'end others' | OwnSession | null;

const key = ['account'];

export function Account({ initial }: { initial: AccountData }) {
  const [open, setOpen] = useState<Open>(null);
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: key, queryFn: () => request<AccountData>('/account'), initialData: initial });
  const again = () => client.invalidateQueries({ queryKey: key });
  return (
    <div className="pb-10">
      <Part title="Profile">
        <dl className="grid gap-2">
          <Pair name="Name">{data.name}</Pair>
          <Pair name="Email">{data.email}</Pair>
          <Pair name="Role">{data.role}</Pair>
          <Pair name="Merchant">{data.merchant ?? 'All merchants'}</Pair>
        </dl>
        <div className="mt-4">
          <SignOut />
        </div>
      </Part>
      <Part title="Password" about="Changing it ends your other sessions.">
        <Button onClick={() => setOpen('password')}>Change password</Button>
      </Part>
      <SecondFactor {...data.secondFactor} open={setOpen} />
      <Sessions sessions={data.sessions} open={setOpen} />
      <Opened open={open} onClose={() => setOpen(null)} again={again} put={(next) => client.setQueryData(key, next)} />
    </div>
  );
}

type OpenedProps = { open: Open; onClose: () => void; again: () => void; put: (account: AccountData) => void };

function Opened({ open, onClose, again, put }: OpenedProps) {
  const toast = useToast();
  const onDone = (account: AccountData, message: string) => {
    put(account);
    onClose();
    toast(message);
  };
  if (open === 'password') return <PasswordDialog onClose={onClose} onDone={onDone} />;
  if (open === 'switch off') return <DisableDialog onClose={onClose} onDone={onDone} />;
  if (open === 'codes') return <RegenerateCodesDialog onClose={onClose} onRenewed={again} />;
  if (open === 'set up' || open === 'replace') {
    return <SetUpDialog key={open} replaces={open === 'replace'} onClose={onClose} onSetUp={again} />;
  }
  if (open === null) return null;
  const one = open === 'end others' ? null : open;
  const path = one ? `/account/sessions/${one.id}/end` : '/account/sessions/end-others';
  return (
    <ConfirmDialog
      open
      title={one ? 'End this session' : 'End the other sessions'}
      verb={one ? 'End session' : 'End other sessions'}
      onClose={onClose}
      onConfirm={async () =>
        onDone(await request<AccountData>(path, { method: 'POST' }), one ? 'Session ended.' : 'Other sessions ended.')
      }
    >
      <p>
        {one
          ? `${one.device}${one.address ? ` at ${one.address}` : ''} is signed out immediately.`
          : 'Every other browser is signed out immediately. This session stays active.'}
      </p>
    </ConfirmDialog>
  );
}

function SecondFactor({ on, demanded, codesLeft, open }: AccountData['secondFactor'] & { open: (what: Open) => void }) {
  return (
    <Part
      title="Two-factor authentication"
      about={demanded ? 'Required by your role.' : 'A code from your phone in addition to the password.'}
    >
      {on ? (
        <>
          <dl className="grid gap-2">
            <Pair name="Authenticator">
              <Tag tone="ok">On</Tag>
            </Pair>
            <Pair name="Recovery codes">
              <span className={codesLeft !== null && codesLeft < 3 ? 'text-warn' : ''}>
                {codesLeft === 1 ? '1 of 10 left' : `${codesLeft ?? 0} of 10 left`}
              </span>
            </Pair>
          </dl>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button onClick={() => open('codes')}>Generate recovery codes</Button>
            <Button onClick={() => open('replace')}>Replace authenticator</Button>
            {demanded ? null : <Button onClick={() => open('switch off')}>Turn off</Button>}
          </div>
        </>
      ) : (
        <>
          <dl className="mb-4">
            <Pair name="Authenticator">
              <Tag>Off</Tag>
            </Pair>
          </dl>
          <Button kind="primary" onClick={() => open('set up')}>
            Set up two-factor authentication
          </Button>
        </>
      )}
    </Part>
  );
}

function Sessions({ sessions, open }: { sessions: OwnSession[]; open: (what: Open) => void }) {
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
              <Button size="small" onClick={() => open(session)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <Button className="mt-3" onClick={() => open('end others')}>
          End other sessions
        </Button>
      ) : null}
    </Part>
  );
}

type PartProps = { title: string; about?: string; children: ReactNode };

function Part({ title, about, children }: PartProps) {
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

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[120px_minmax(0,1fr)] gap-3">
      <dt className="text-ink3">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
