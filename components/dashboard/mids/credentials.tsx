'use client';
// Credentials that single methods need in addition to the connector's: a form for each, from the catalogue.
import { useFormContext, useWatch } from 'react-hook-form';
import type { CredentialField, MidChoices, MidValues, StoredSecrets } from '../../../lib/dashboard/mids/contract';
import { FormRow, FormSection, SecretInput, Select, TextInput } from '../ui';
import { fieldOf } from './labels';

type Props = { choices: MidChoices; stored: StoredSecrets };

export function Credentials({ choices, stored }: Props) {
  const { control } = useFormContext<MidValues>();
  const methods = useWatch({ control, name: 'methods' });
  const asking = methods.flatMap((method) => {
    const fields = choices.credentials[method];
    return fields ? [{ method, fields }] : [];
  });
  return (
    <FormSection
      id="credentials"
      title="Method credentials"
      about={
        asking.length === 0
          ? 'None of the selected methods needs additional credentials.'
          : 'Additional credentials of single methods. They are sent to the provider with payments of their method only.'
      }
    >
      {asking.map(({ method, fields }) => (
        <fieldset key={method} className="grid gap-3 border-0 p-0 pt-1">
          <legend className="mb-2.5 p-0 font-medium">
            <code className="mono">{method}</code>{' '}
            <span className="text-ink3">{choices.methods.find(({ value }) => value === method)?.label}</span>
          </legend>
          {fields.map((field) => (
            <Credential
              key={field.name}
              method={method}
              field={field}
              stored={stored.credentials[method]?.includes(field.name) ?? false}
            />
          ))}
        </fieldset>
      ))}
    </FormSection>
  );
}

type CredentialProps = { method: string; field: CredentialField; stored: boolean };

function Credential({ method, field, stored }: CredentialProps) {
  const { register } = useFormContext<MidValues>();
  const { name, secret, required, about, choices } = field;
  const path = fieldOf(method, name);
  const help = `${about.charAt(0).toUpperCase()}${about.slice(1)}${required ? '. Required.' : '. Optional.'}`;
  const options = [{ value: '', label: 'not set' }, ...(choices ?? []).map((value) => ({ value, label: value }))];
  return (
    <FormRow label={<code className="mono">{name}</code>} name={path} help={help}>
      {choices ? (
        <Select mono options={options} {...register(path)} />
      ) : secret ? (
        <SecretInput stored={stored ? 'Stored' : undefined} size="middle" {...register(path)} />
      ) : (
        <TextInput mono {...register(path)} />
      )}
    </FormRow>
  );
}
