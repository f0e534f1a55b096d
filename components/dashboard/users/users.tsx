'use client';
// The users page: the users and invitations that the signed-in user may see, with their actions.
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
import { tableColumns } from '../lists/list-cells.tsx';
import {
  ActionError,
  Actions,
  Button,
  type Column,
  Empty,
  type FormQuestion,
  fieldsOf,
  Heading,
  Menu,
  type MenuItem,
  Note,
  ObjectTable,
  optionsOf,
  type Question,
  request,
  Tag,
  useAction,
  useObject,
  useQuestion,
} from '../ui/index.ts';
import { changedQuery } from '../ui/list-filters.tsx';
import { Time } from '../zone.tsx';

type Act = UserAction | 'invite';

export function Users({ initial }: { initial: UsersData }) {
  const [link, setLink] = useState<string | null>(null);
  const { page: data, take } = useObject<UsersData>('/people', initial);
  const { ask, dialog } = useQuestion();
  /** Runs an action. Errors are thrown to the caller. */
  const act = async (path: string, body: object, notice: string) => {
    const next = await request<UsersData | InviteResult>(path, { body });
    take(next, notice);
    setLink('link' in next ? next.link : null);
  };
  const start = (what: Act, person?: UserRow) => {
    if (!person) ask(invitation(data, act));
    else if (what === 'role') ask(roleForm(data, person, act));
    else if (what !== 'invite') ask(userQuestion(what, person, act));
  };
  const query = useSearchParams().get('q') ?? '';
  const wanted = query.toLowerCase();
  const rows = data.people.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
  return (
    <div className="grid pb-10 text-sm">
      <div className="flex min-h-[52px] flex-wrap items-center justify-between gap-3 px-gutter py-2.5">
        <input
          type="search"
          aria-label="Search users"
          placeholder="Name, email"
          defaultValue={query}
          onChange={({ target }) => {
            const next = changedQuery(new URLSearchParams(location.search), { q: target.value });
            history.replaceState(null, '', `?${next}`);
          }}
          className="h-8 w-full max-w-[280px] rounded-control border border-solid border-field bg-raised px-2.5 field-focus placeholder:text-ink3 phone:h-11 phone:max-w-full"
        />
        {data.roles.length > 0 ? (
          <Button kind="primary" icon="plus" onClick={() => start('invite')}>
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
        actions={(person) => <UserActionsMenu person={person} open={(what) => start(what, person)} />}
        empty={
          <Empty title="No results">
            <p>No user has “{wanted}” in their name or email.</p>
          </Empty>
        }
      />
      <Invitations rows={data.invitations} act={act} />
      {dialog}
    </div>
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

function UserActionsMenu({ person, open }: { person: UserRow; open: (what: UserAction) => void }) {
  if (person.acts.length === 0) return null;
  const items = person.acts.map((act): MenuItem => {
    const text = act === 'role' ? 'Change role' : userActions[act].verb;
    return { text, danger: act === 'disable', onSelect: () => open(act) };
  });
  return <Menu items={items} label={`Actions for ${person.name}`} />;
}

type RunAction = (path: string, body: object, notice: string) => Promise<unknown>;

function Invitations({ rows, act }: { rows: InvitationRow[]; act: RunAction }) {
  const { run, error } = useAction();
  if (rows.length === 0) return null;
  const actions = [
    { text: 'Resend', path: 'resend', notice: 'Invitation resent.' },
    { text: 'Withdraw', path: 'withdraw', notice: 'Invitation withdrawn.' },
  ];
  return (
    <section aria-label="Invitations" className="mt-8 grid gap-3">
      <div className="px-gutter">
        <Heading>Invitations</Heading>
        <p className="text-xs text-ink3">A link is valid for three days and creates one account.</p>
        <ActionError text={error} />
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
                <Actions
                  size="small"
                  of={actions.map(({ text, path, notice }) => {
                    const address = `/people/invitations/${row.id}/${path}`;
                    return { text, onClick: () => void run(() => act(address, {}, notice), address) };
                  })}
                />
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

type UserValues = { name: string; email: string; role: RoleName; merchantId: string };

const { text, radio, select } = fieldsOf<UserValues>();

const invitation = (data: UsersData, act: RunAction): FormQuestion<UserValues> => ({
  title: 'Invite user',
  about: deliveryTexts[data.letters],
  verb: 'Send invitation',
  defaultValues: { name: '', email: '', role: data.roles.at(-1)?.role ?? 'viewer', merchantId: soleMerchant(data) },
  onConfirm: (values) => act('/people/invite', bodyOf(values), `${values.email} is invited.`),
  fields: [text('name', 'Name'), text('email', 'Email', { type: 'email' }), ...roleFields(data)],
});

const deliveryTexts: Record<UsersData['letters'], string> = {
  server: 'They get a link by email that is valid for three days.',
  outbox: 'This sandbox has no mail server: the link is in /sandbox/outbox, and is valid for three days.',
  nowhere: 'No mail server is configured: you will see a link to hand over. It is valid for three days.',
};

const roleForm = (data: UsersData, person: UserRow, act: RunAction): FormQuestion<UserValues> => ({
  title: `The role of ${person.name}`,
  verb: 'Change role',
  about: 'Their sessions end. They sign in again with the new role.',
  defaultValues: { role: person.role, merchantId: person.merchantId ?? soleMerchant(data) },
  onConfirm: (values) => act(`/people/${person.id}/role`, bodyOf(values), 'Role changed.'),
  fields: roleFields(data),
});

const roleFields = ({ roles, merchants }: UsersData) => [
  radio('role', 'Role', { options: roles.map(({ role, name, about }) => ({ value: role, label: name, help: about })) }),
  select('merchantId', 'Merchant', {
    size: 'full',
    when: ({ role }) => merchants.length > 1 && (roles.find((each) => each.role === role)?.ofMerchant ?? true),
    options: optionsOf(['', 'Choose a merchant'], ...merchants),
  }),
];

const soleMerchant = ({ merchants: [first, ...others] }: UsersData) => (first && others.length === 0 ? first.id : '');

// The server ignores the merchant of a role for every merchant.
const bodyOf = (values: UserValues) => ({ ...values, merchantId: values.merchantId || null });

const userActions = {
  disable: {
    verb: 'Deactivate',
    done: 'User deactivated.',
    text: 'Their sessions end immediately, and they cannot sign in. The name stays in the audit log. You can reactivate them.',
  },
  enable: {
    verb: 'Reactivate',
    done: 'User reactivated.',
    text: 'They can sign in again with their previous password and role.',
  },
  sessions: {
    verb: 'End sessions',
    done: 'Their sessions have ended.',
    text: 'They are signed out everywhere immediately, and can sign in again.',
  },
  second_factor: {
    verb: 'Remove 2FA',
    done: 'Two-factor authentication removed.',
    text: 'For users who have lost their devices and recovery codes. Authenticator, passkeys and recovery codes stop working. Verify their identity by other means first: until they set up a new second factor, the password alone opens the account.',
  },
};

function userQuestion(what: keyof typeof userActions, { id, name }: UserRow, act: RunAction): Question {
  const { verb, text, done } = userActions[what];
  const isWhole = what === 'disable' || what === 'enable';
  return {
    title: isWhole ? `${verb} ${name}` : `${verb} of ${name}`,
    verb,
    danger: what === 'disable' || what === 'second_factor',
    text: <p className="text-ink2">{text}</p>,
    onConfirm: async () => void (await act(`/people/${id}/${what.replace('_', '-')}`, {}, done)),
  };
}
