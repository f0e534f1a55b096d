'use client';
// Dialogs that invite users, change their roles and deactivate them.
import { useFormContext, useWatch } from 'react-hook-form';
import type { RoleName, UserAction, UserRow, UsersData } from '../../../lib/dashboard/users/contract';
import { ConfirmDialog } from '../ui/dialog';
import { RadioList, Select, TextInput } from '../ui/fields';
import { FormRow } from '../ui/form';
import { FormDialog } from '../ui/form-dialog';

type RunAction = (path: string, body: object, said: string) => Promise<void>;
type RoleChoiceValues = { role: RoleName; merchantId: string };

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
    <FormDialog
      title="Invite user"
      about={deliveryTexts[data.letters]}
      verb="Send invitation"
      defaultValues={defaultValues}
      onClose={onClose}
      hidden={hidden}
      onSend={(values) => act('/people/invite', roleValues(data, values), `${values.email} is invited.`)}
    >
      {({ register }) => (
        <>
          <FormRow stacked label="Name" name="name">
            <TextInput autoComplete="off" {...register('name')} />
          </FormRow>
          <FormRow stacked label="Email" name="email">
            <TextInput type="email" autoComplete="off" {...register('email')} />
          </FormRow>
          <RoleFields data={data} />
        </>
      )}
    </FormDialog>
  );
}

const deliveryTexts: Record<UsersData['letters'], string> = {
  server: 'They get a link by email that is valid for three days.',
  outbox: 'This sandbox has no mail server: the link is in /sandbox/outbox, and is valid for three days.',
  nowhere: 'No mail server is configured: you will see a link to hand over. It is valid for three days.',
};

export function RoleDialog({ data, person, act, onClose, hidden }: FormProps & { person: UserRow }) {
  return (
    <FormDialog
      title={`The role of ${person.name}`}
      about="Their sessions end. They sign in again with the new role."
      verb="Change role"
      defaultValues={{ role: person.role, merchantId: person.merchantId ?? soleMerchant(data) }}
      onClose={onClose}
      hidden={hidden}
      onSend={(values) => act(`/people/${person.id}/role`, roleValues(data, values), 'Role changed.')}
    >
      {() => <RoleFields data={data} />}
    </FormDialog>
  );
}

function RoleFields({ data }: { data: UsersData }) {
  const { register, control } = useFormContext<RoleChoiceValues>();
  const role = useWatch({ control, name: 'role' });
  const ofMerchant = data.roles.find((each) => each.role === role)?.ofMerchant ?? true;
  return (
    <>
      <FormRow stacked group label="Role" name="role">
        <RadioList
          {...register('role')}
          options={data.roles.map(({ role: value, name, about }) => ({ value, label: name, help: about }))}
        />
      </FormRow>
      {ofMerchant && data.merchants.length > 1 ? (
        <FormRow stacked label="Merchant" name="merchantId">
          <Select
            size="full"
            {...register('merchantId')}
            options={[
              { value: '', label: 'Choose a merchant' },
              ...data.merchants.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </FormRow>
      ) : null}
    </>
  );
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
