'use client';
// Dialogs that invite users, change their roles and deactivate them.
import type { RoleName, UserAction, UserRow, UsersData } from '../../../lib/dashboard/users/contract';
import { ConfirmDialog, type Field, FormDialog } from '../ui';

type RunAction = (path: string, body: object, said: string) => Promise<void>;
type RoleChoiceValues = { role: RoleName; merchantId: string };
type InviteValues = RoleChoiceValues & { name: string; email: string };

type FormProps = {
  data: UsersData;
  act: RunAction;
  onClose: () => void;
  /** The proof of identity is asked for. */
  hidden: boolean;
};

export function InviteDialog({ data, act, onClose, hidden }: FormProps) {
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

export function RoleDialog({ data, person, act, onClose, hidden }: FormProps & { person: UserRow }) {
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

const words: Record<PersonProps['what'], { title: string; verb: string; about: string; said: string; path: string }> = {
  disable: {
    title: 'Deactivate',
    verb: 'Deactivate',
    about:
      'Their sessions end immediately, and they cannot sign in. The name stays in the audit log. You can reactivate them.',
    said: 'User deactivated.',
    path: 'disable',
  },
  enable: {
    title: 'Reactivate',
    verb: 'Reactivate',
    about: 'They can sign in again with their previous password and role.',
    said: 'User reactivated.',
    path: 'enable',
  },
  sessions: {
    title: 'End sessions of',
    verb: 'End sessions',
    about: 'They are signed out everywhere immediately, and can sign in again.',
    said: 'Their sessions have ended.',
    path: 'sessions',
  },
  second_factor: {
    title: 'Remove 2FA of',
    verb: 'Remove 2FA',
    about:
      'For users who have lost their phone and recovery codes. Verify their identity by other means first: until they set up a new authenticator, the password alone opens the account.',
    said: 'Two-factor authentication removed.',
    path: 'second-factor',
  },
};

export function UserDialog({ what, person, act, onClose }: PersonProps) {
  const { title, verb, about, said, path } = words[what];
  return (
    <ConfirmDialog
      open
      title={what === 'enable' ? `Reactivate ${person.name}` : `${title} ${person.name}`}
      verb={verb}
      danger={what === 'disable' || what === 'second_factor'}
      onClose={onClose}
      onConfirm={() => act(`/people/${person.id}/${path}`, {}, said)}
    >
      <p className="text-ink2">{about}</p>
    </ConfirmDialog>
  );
}
