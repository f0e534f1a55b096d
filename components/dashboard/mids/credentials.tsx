'use client';
// Credentials that single methods need in addition to the connector's: fields for each, from the catalogue.
import { useFormContext, useWatch } from 'react-hook-form';
import type { CredentialField, MidChoices, MidValues, StoredSecrets } from '../../../lib/dashboard/mids/contract.ts';
import { type Field, Fields, fieldsOf, optionsOf } from '../ui/index.ts';

export function Credentials({ choices, stored }: { choices: MidChoices; stored: StoredSecrets }) {
  const { control } = useFormContext<MidValues>();
  const methods = useWatch({ control, name: 'methods' });
  return methods.map((method) => {
    const fields = choices.credentials[method];
    return fields ? (
      <fieldset key={method} className="grid gap-3 border-0 p-0 pt-1">
        <legend className="mb-2.5 p-0 font-medium">
          <code className="mono">{method}</code>{' '}
          <span className="text-ink3">{choices.methods.find(({ value }) => value === method)?.label}</span>
        </legend>
        <Fields of={fields.map((field) => credential(method, field, stored))} />
      </fieldset>
    ) : null;
  });
}

const { text, select, secret: secretField } = fieldsOf<MidValues>();

function credential(method: string, field: CredentialField, stored: StoredSecrets): Field<MidValues> {
  const { name, secret, required, about, choices } = field;
  const path = fieldOf(method, name);
  const help = `${about.charAt(0).toUpperCase()}${about.slice(1)}${required ? '. Required.' : '. Optional.'}`;
  if (choices) {
    return select(path, name, { code: true, help, mono: true, options: optionsOf(['', 'not set'], ...choices) });
  }
  if (!secret) return text(path, name, { code: true, help, mono: true });
  const isStored = stored.credentials[method]?.includes(name);
  return secretField(path, name, { code: true, help, size: 'middle', stored: isStored ? 'Stored' : undefined });
}

const fieldOf = (method: string, name: string) => `credentials.${method}.${name}` as const;

/** The values to send: without credentials of methods that are not selected. */
export function toSend<Values extends MidValues>(values: Values): Values {
  const selected = Object.entries(values.credentials).filter(([method]) => values.methods.includes(method));
  return { ...values, credentials: Object.fromEntries(selected) };
}

/** The texts of the list of changes for the methods' credentials. */
export function credentialWords(credentials: MidChoices['credentials']) {
  const own = Object.entries(credentials).flatMap(([method, fields]) =>
    fields.map(({ name, secret }) => ({ field: fieldOf(method, name), label: `${method} ${name}`, secret })),
  );
  return {
    labels: Object.fromEntries(own.map(({ field, label }) => [field, label])),
    secrets: own.filter(({ secret }) => secret).map(({ field }) => field),
  };
}
