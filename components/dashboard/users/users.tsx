'use client';
// The users page: the users and invitations that the signed-in user may see, with their actions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import type {
  InvitationRow,
  InviteResult,
  RoleName,
  UserAction,
  UserRow,
  UsersData,
} from '../../../lib/dashboard/users/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useIdentityCheck } from '../confirm-identity.tsx';
import { tableColumns } from '../lists/list-cells.tsx';
import {
  Button,
  type Column,
  ConfirmDialog,
  Empty,
  type Field,
  FormDialog,
  Heading,
  IconButton,
  Menu,
  type MenuItem,
  Note,
  ObjectTable,
  request,
  Tag,
  useToast,
} from '../ui/index.ts';
import { Time } from '../zone.tsx';

const key = ['users'];

type Open = { what: 'invite' } | { what: UserAction; person: UserRow } | null;

export function Users({ initial }: { initial: UsersData }) {
  const [open, setOpen] = useState<Open>(null);
  const [link, setLink] = useState<string | null>(null);
  const client = useQueryClient();
  const toast = useToast();
  const { confirmed, ready, dialog, asking } = useIdentityCheck();
  const { data } = useQuery({ queryKey: key, queryFn: () => request<UsersData>('/people'), initialData: initial });
  const put = (next: UsersData | InviteResult, message: string) => {
    client.setQueryData(key, next);
    setLink('link' in next ? next.link : null);
    setOpen(null);
    toast(message);
  };
  /** Runs an action, after a proof of identity if required. Errors are thrown to the caller. */
  const act = async (path: string, body: object, notice: string) => {
    const next = await confirmed(() => request<UsersData | InviteResult>(path, { body }));
    if (next) put(next, notice);
  };
  const start = async (next: Exclude<Open, null>) => {
    // A dialog with a form is filled in before the proof, so that its errors come first.
    const proves = next.what === 'enable' || next.what === 'second_factor';
    if (!proves || (await ready().catch(() => true))) setOpen(next);
  };
  const wanted = useSearchParams().get('q')?.toLowerCase() ?? '';
  const rows = data.people.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
  return (
    <div className="grid pb-10 text-sm">
      <div className="flex min-h-[52px] flex-wrap items-center justify-between gap-3 px-gutter py-2.5">
        <UserSearch />
        {data.roles.length > 0 ? (
          <Button kind="primary" icon="plus" onClick={() => start({ what: 'invite' })}>
            Invite user
          </Button>
        ) : null}
      </div>
      {link ? <InvitationLink link={link} /> : null}
      <ObjectTable
        caption="Users"
        columns={columns}
        rows={rows}
        rowName={({ name }) => name}
        actions={(person) => <UserActionsMenu person={person} open={(what) => start({ what, person })} />}
        empty={
          <Empty title="No results">
            <p>No user has “{wanted}” in their name or email.</p>
          </Empty>
        }
      />
      <Invitations rows={data.invitations} act={act} />
      {open?.what === 'invite' ? (
        <InviteDialog data={data} act={act} hidden={asking} onClose={() => setOpen(null)} />
      ) : open?.what === 'role' ? (
        <RoleDialog data={data} hidden={asking} person={open.person} act={act} onClose={() => setOpen(null)} />
      ) : open ? (
        <UserDialog what={open.what} person={open.person} act={act} onClose={() => setOpen(null)} />
      ) : null}
      {dialog}
    </div>
  );
}

function UserSearch() {
  const query = useSearchParams();
  return (
    <input
      type="search"
      aria-label="Search users"
      placeholder="Name, email"
      defaultValue={query.get('q') ?? ''}
      onChange={({ target }) => {
        const next = new URLSearchParams(location.search);
        if (target.value === '') next.delete('q');
        else next.set('q', target.value);
        history.replaceState(null, '', `?${next}`);
      }}
      className="h-8 w-full max-w-[280px] rounded-control border border-solid border-field bg-raised px-2.5 field-focus placeholder:text-ink3 phone:h-11 phone:max-w-full"
    />
  );
}

const large = { hideBelow: 'lg', hideOnPhone: true } as const;

const columns: Column<UserRow>[] = [
  {
    id: 'name',
    head: 'Name',
    width: '30%',
    cell: ({ name, own, disabled }) => (
      <span className="flex items-center gap-2">
        <span className={disabled ? 'text-ink3' : 'font-strong'}>{name}</span>
        {own ? <Tag>You</Tag> : null}
        {disabled ? <Tag tone="bad">Inactive</Tag> : null}
      </span>
    ),
  },
  { id: 'email', head: 'Email', cell: ({ email }) => <span className="text-ink2">{email}</span> },
  ...tableColumns([
    { id: 'roleName', head: 'Role' },
    { id: 'merchant', head: 'Merchant', none: 'All merchants', ...large },
  ]),
  {
    id: 'factor',
    head: 'Two-factor authentication',
    width: 120,
    hideBelow: 'md',
    hideOnPhone: true,
    cell: ({ secondFactor }) => (secondFactor ? <Tag tone="ok">On</Tag> : <span className="text-ink3">Off</span>),
  },
  ...tableColumns([
    { id: 'usedAt', head: 'Last active', kind: 'time', none: 'Signed out', align: 'end', width: 140, ...large },
  ]),
];

const acts: Record<UserAction, string> = {
  role: 'Change role',
  sessions: 'End sessions',
  second_factor: 'Remove 2FA',
  disable: 'Deactivate',
  enable: 'Reactivate',
};

function UserActionsMenu({ person, open }: { person: UserRow; open: (what: UserAction) => void }) {
  if (person.acts.length === 0) return null;
  const items = person.acts.map((act): MenuItem => {
    return { text: acts[act], danger: act === 'disable', onSelect: () => open(act) };
  });
  return (
    <Menu items={items} label={`Actions for ${person.name}`}>
      <IconButton icon="dots" label={`Actions for ${person.name}`} />
    </Menu>
  );
}

type RunAction = (path: string, body: object, said: string) => Promise<void>;

function Invitations({ rows, act }: { rows: InvitationRow[]; act: RunAction }) {
  const [error, setError] = useState<string | null>(null);
  if (rows.length === 0) return null;
  const attempt = (path: string, message: string) => {
    setError(null);
    act(path, {}, message).catch((thrown: Error) => setError(thrown.message));
  };
  return (
    <section aria-label="Invitations" className="mt-8 grid gap-3">
      <div className="px-gutter">
        <Heading>Invitations</Heading>
        <p className="text-xs text-ink3">A link is valid for three days and creates one account.</p>
        {error ? (
          <p role="alert" className="text-xs text-bad">
            {error}
          </p>
        ) : null}
      </div>
      <ul className="border-t border-line">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-gutter py-2">
            <span className="grid min-w-0 flex-1 basis-56">
              <span className="font-strong">{row.name}</span>
              <span className="text-xs text-ink3">{row.email}</span>
            </span>
            <span className="flex-1 basis-40">
              {row.roleName}
              <span className="text-ink3">, {row.merchant ?? 'all merchants'}</span>
            </span>
            <span className="flex-1 basis-40 text-xs text-ink3">
              {row.expired ? <Tag tone="warn">Expired</Tag> : 'until '}
              {row.expired ? null : <Time at={row.expiresAt} as="day and time" />}
            </span>
            {row.mayChange ? (
              <span className="flex gap-2">
                <Button
                  size="small"
                  onClick={() => attempt(`/people/invitations/${row.id}/resend`, 'Invitation resent.')}
                >
                  Resend
                </Button>
                <Button
                  size="small"
                  onClick={() => attempt(`/people/invitations/${row.id}/withdraw`, 'Invitation withdrawn.')}
                >
                  Withdraw
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function InvitationLink({ link }: { link: string }) {
  return (
    <div className="px-gutter pb-4">
      <Note tone="warn" role="status">
        <p>No mail server is configured, so nothing was sent. Hand over this link yourself; it is shown only now.</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-2">
          <code className="text-xs break-all">{link}</code>
          <CopyButton text={link} what="link" word />
        </p>
      </Note>
    </div>
  );
}

type RoleChoiceValues = { role: RoleName; merchantId: string };
type InviteValues = RoleChoiceValues & { name: string; email: string };

type FormProps = { data: UsersData; act: RunAction; onClose: () => void; hidden: boolean };

function InviteDialog({ data, act, onClose, hidden }: FormProps) {
  const role = data.roles.at(-1)?.role ?? 'viewer';
  const defaultValues = { name: '', email: '', role, merchantId: soleMerchant(data) };
  return (
    <FormDialog<InviteValues>
      title="Invite user"
      about={deliveryTexts[data.letters]}
      verb="Send invitation"
      defaultValues={defaultValues}
      onClose={onClose}
      hidden={hidden}
      onSend={(values) => act('/people/invite', roleValues(data, values), `${values.email} is invited.`)}
      fields={[
        { name: 'name', label: 'Name' },
        { name: 'email', label: 'Email', type: 'email' },
        ...roleFields<InviteValues>(data),
      ]}
    />
  );
}

const deliveryTexts: Record<UsersData['letters'], string> = {
  server: 'They get a link by email that is valid for three days.',
  outbox: 'This sandbox has no mail server: the link is in /sandbox/outbox, and is valid for three days.',
  nowhere: 'No mail server is configured: you will see a link to hand over. It is valid for three days.',
};

function RoleDialog({ data, person, act, onClose, hidden }: FormProps & { person: UserRow }) {
  return (
    <FormDialog<RoleChoiceValues>
      title={`The role of ${person.name}`}
      about="Their sessions end. They sign in again with the new role."
      verb="Change role"
      defaultValues={{ role: person.role, merchantId: person.merchantId ?? soleMerchant(data) }}
      onClose={onClose}
      hidden={hidden}
      onSend={(values) => act(`/people/${person.id}/role`, roleValues(data, values), 'Role changed.')}
      fields={roleFields(data)}
    />
  );
}

function roleFields<Values extends RoleChoiceValues>({ roles, merchants }: UsersData): Field<Values>[] {
  const fields: Field<RoleChoiceValues>[] = [
    {
      name: 'role',
      label: 'Role',
      kind: 'radio',
      options: roles.map(({ role, name, about }) => ({ value: role, label: name, help: about })),
    },
    {
      name: 'merchantId',
      label: 'Merchant',
      kind: 'select',
      size: 'full',
      when: ({ role }) => merchants.length > 1 && (roles.find((each) => each.role === role)?.ofMerchant ?? true),
      options: [
        { value: '', label: 'Choose a merchant' },
        ...merchants.map(({ id, name }) => ({ value: id, label: name })),
      ],
    },
  ];
  return fields as unknown as Field<Values>[];
}

function soleMerchant({ merchants }: UsersData): string {
  return merchants.length === 1 ? (merchants[0]?.id ?? '') : '';
}

// A role for every merchant has none, whatever was selected before.
function roleValues<Values extends RoleChoiceValues>({ roles }: UsersData, values: Values): object {
  const ofMerchant = roles.find(({ role }) => role === values.role)?.ofMerchant ?? true;
  return { ...values, merchantId: ofMerchant && values.merchantId !== '' ? values.merchantId : null };
}

type PersonProps = { what: Exclude<UserAction, 'role'>; person: UserRow; act: RunAction; onClose: () => void };

const words: Record<PersonProps['what'], [verb: string, title: string, about: string, said: string]> = {
  disable: [
    'Deactivate',
    'Deactivate',
    'Their sessions end immediately, and they cannot sign in. The name stays in the audit log. You can reactivate them.',
    'User deactivated.',
  ],
  enable: [
    'Reactivate',
    'Reactivate',
    'They can sign in again with their previous password and role.',
    'User reactivated.',
  ],
  sessions: [
    'End sessions',
    'End sessions of',
    'They are signed out everywhere immediately, and can sign in again.',
    'Their sessions have ended.',
  ],
  second_factor: [
    'Remove 2FA',
    'Remove 2FA of',
    'For users who have lost their phone and recovery codes. Verify their identity by other means first: until they set up a new authenticator, the password alone opens the account.',
    'Two-factor authentication removed.',
  ],
};

function UserDialog({ what, person, act, onClose }: PersonProps) {
  const [verb, title, about, said] = words[what];
  return (
    <ConfirmDialog
      open
      title={`${title} ${person.name}`}
      verb={verb}
      danger={what === 'disable' || what === 'second_factor'}
      onClose={onClose}
      onConfirm={() => act(`/people/${person.id}/${what.replace('_', '-')}`, {}, said)}
    >
      <p className="text-ink2">{about}</p>
    </ConfirmDialog>
  );
}
