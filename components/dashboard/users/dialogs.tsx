'use client';
// Inviting somebody, giving another role, and what else becomes of a person.
import { useFormContext, useWatch } from 'react-hook-form';
import type { RoleName, UserAction, UserRow, UsersData } from '../../../lib/dashboard/users/contract';
import { ConfirmDialog } from '../ui/dialog';
import { RadioList, Select, TextInput } from '../ui/fields';
import { FormRow } from '../ui/form';
import { FormDialog } from '../ui/form-dialog';

type RunAction = (path: string, body: object, said: string) => Promise<void>;
type RoleChoiceValues = { role: RoleName; merchantId: string };

export function InviteDialog({ data, act, onClose }: { data: UsersData; act: RunAction; onClose: () => void }) {
  const role = data.roles.at(-1)?.role ?? 'viewer';
  const defaultValues = { name: '', email: '', role, merchantId: soleMerchant(data) };
  return (
    <FormDialog
      title="Invite somebody"
      about={deliveryTexts[data.letters]}
      verb="Send the invitation"
      defaultValues={defaultValues}
      onClose={onClose}
      onSend={(values) => act('/people/invite', roleValues(data, values), `${values.email} is invited.`)}
    >
      {({ register }) => (
        <>
          <FormRow stacked label="Name" name="name">
            <TextInput autoComplete="off" {...register('name')} />
          </FormRow>
          <FormRow stacked label="E-mail" name="email">
            <TextInput type="email" autoComplete="off" {...register('email')} />
          </FormRow>
          <RoleFields data={data} />
        </>
      )}
    </FormDialog>
  );
}

const deliveryTexts: Record<UsersData['letters'], string> = {
  server: 'They get a link by e-mail that holds for three days.',
  outbox: 'This sandbox has no mail server: the link stands in /sandbox/outbox, and holds for three days.',
  nowhere: 'No mail server is set: you are shown a link to hand over. It holds for three days.',
};

type RoleProps = { data: UsersData; person: UserRow; act: RunAction; onClose: () => void };

export function RoleDialog({ data, person, act, onClose }: RoleProps) {
  return (
    <FormDialog
      title={`The role of ${person.name}`}
      about="Their sessions end. They sign in again with the new role."
      verb="Change the role"
      defaultValues={{ role: person.role, merchantId: person.merchantId ?? soleMerchant(data) }}
      onClose={onClose}
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

// A role at every merchant names none, whatever was chosen before.
function roleValues<Values extends RoleChoiceValues>({ roles }: UsersData, values: Values): object {
  const ofMerchant = roles.find(({ role }) => role === values.role)?.ofMerchant ?? true;
  return { ...values, merchantId: ofMerchant && values.merchantId !== '' ? values.merchantId : null };
}

type PersonProps = { what: Exclude<UserAction, 'role'>; person: UserRow; act: RunAction; onClose: () => void };

const words: Record<PersonProps['what'], { title: string; verb: string; about: string; said: string; path: string }> = {
  disable: {
    title: 'Switch off',
    verb: 'Switch off',
    about:
      'Their sessions end at once, and they cannot sign in. The name stays in the audit log. You can let them in again.',
    said: 'Switched off.',
    path: 'disable',
  },
  enable: {
    title: 'Let in again',
    verb: 'Let in again',
    about: 'They can sign in again with the password and the role that they had.',
    said: 'They can sign in again.',
    path: 'enable',
  },
  sessions: {
    title: 'End the sessions of',
    verb: 'End the sessions',
    about: 'They are signed out everywhere at once, and can sign in again.',
    said: 'Their sessions have ended.',
    path: 'sessions',
  },
  second_factor: {
    title: 'Take away the second factor of',
    verb: 'Take it away',
    about:
      'For somebody who has lost the phone and the recovery codes. Make sure by another way that it is them: their password alone opens the account until they set up a new one.',
    said: 'The second factor is gone.',
    path: 'second-factor',
  },
};

export function UserDialog({ what, person, act, onClose }: PersonProps) {
  const { title, verb, about, said, path } = words[what];
  return (
    <ConfirmDialog
      open
      title={what === 'enable' ? `Let ${person.name} in again` : `${title} ${person.name}`}
      verb={verb}
      danger={what === 'disable' || what === 'second_factor'}
      onClose={onClose}
      onConfirm={() => act(`/people/${person.id}/${path}`, {}, said)}
    >
      <p className="text-ink2">{about}</p>
    </ConfirmDialog>
  );
}
