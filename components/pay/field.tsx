// One field with label, hint and error. The element for the error is always present, so that the script can fill it and
// every browser announces it; the icon beside it is hidden from assistive technology.
import type { InputHTMLAttributes, ReactNode } from 'react';
import type { Translations } from '../../lib/core/translations.ts';
import type { TypedFieldName } from '../../lib/methods/fields.ts';
import type { FieldName, ParameterField } from '../../lib/payer/contract.ts';
import { Icon, SecurityCodeIcon } from './icons.tsx';

export type Kind = {
  type?: string;
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  autoComplete: string;
  /** The most characters that the browser accepts; includes room for pasted spaces and dashes. */
  maxLength: number;
  /** Digits and Latin letters keep their direction in every language. */
  ltr?: boolean;
  autoCapitalize?: string;
  spellCheck?: boolean;
  /** For the script's check of a method's parameter. */
  least?: number;
  most?: number;
  /** The format of a national document's number. */
  document?: string;
};

const kinds: Record<Exclude<TypedFieldName, 'country' | 'state'> | 'code', Kind> = {
  card_number: { inputMode: 'numeric', autoComplete: 'cc-number', maxLength: 40, ltr: true },
  payee_card_number: { inputMode: 'numeric', autoComplete: 'off', maxLength: 40, ltr: true },
  card_expiry: { inputMode: 'numeric', autoComplete: 'cc-exp', maxLength: 12, ltr: true },
  card_cvv: { inputMode: 'numeric', autoComplete: 'cc-csc', maxLength: 6, ltr: true },
  card_holder: { autoComplete: 'cc-name', maxLength: 64, ltr: true, autoCapitalize: 'words', spellCheck: false },
  name: { autoComplete: 'billing name', maxLength: 64, autoCapitalize: 'words', spellCheck: false },
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', maxLength: 255, ltr: true },
  phone: { type: 'tel', inputMode: 'tel', autoComplete: 'tel', maxLength: 32, ltr: true },
  birth_date: { type: 'date', autoComplete: 'bday', maxLength: 10 },
  city: { autoComplete: 'billing address-level2', maxLength: 64 },
  district: { autoComplete: 'billing address-level3', maxLength: 64 },
  address: { autoComplete: 'billing address-line1', maxLength: 64 },
  house_number: { autoComplete: 'off', maxLength: 16 },
  zip: { autoComplete: 'billing postal-code', maxLength: 16, autoCapitalize: 'characters' },
  code: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 16, ltr: true },
};

/** The input attributes of a parameter. The browser accepts more than the limit: pasted text has spaces. */
export function parameterKind({ input, least, most, document }: ParameterField): Kind | undefined {
  const common = { autoComplete: 'off', maxLength: 2 * most + 8, least, most, document };
  switch (input) {
    case 'choice':
      return undefined;
    case 'digits':
      return { ...common, inputMode: 'numeric', ltr: true };
    case 'email':
      return { ...kinds.email, least, most };
    case 'phone':
      return { ...kinds.phone, least, most };
    case 'secret':
      return { ...common, type: 'password', ltr: true, spellCheck: false };
    case 'text':
      return { ...common, spellCheck: false, ...(document && { ltr: true, autoCapitalize: 'characters' }) };
  }
}

export type FieldProps = {
  name: FieldName | 'code';
  kind?: Kind;
  /** Makes ids unique if several forms of a page have the same field. */
  prefix: string;
  words: Translations;
  value?: string;
  error?: string;
  optional?: boolean;
  placeholder?: string;
  hint?: string;
  label?: string;
  autoFocus?: boolean;
  /** Content at the end of the box: a card logo. */
  inside?: ReactNode;
  /** Choices make the field a list. */
  choices?: { value: string; name: string }[];
  /** Shown only if the country requires it. */
  hidden?: boolean;
  /** For the script: the brand of a saved card. */
  brand?: string;
};

/** The line under a box: the error, else the hint, else empty and without height. */
export function Below({ id, error, hint }: { id: string; error?: string; hint?: string }) {
  return (
    <p className="below" id={id} data-hint={hint} data-error={error ? '' : undefined}>
      <Icon name="error" />
      <span>{error ?? hint}</span>
    </p>
  );
}

const listTokens: { [name: string]: string } = { country: 'billing country', state: 'billing address-level1' };

function List({ field, id, attributes }: { field: FieldProps; id: string; attributes: Record<string, unknown> }) {
  return (
    <>
      <select
        {...attributes}
        id={id}
        name={field.name}
        autoComplete={listTokens[field.name] ?? 'off'}
        defaultValue={field.value ?? ''}
        disabled={field.hidden}
      >
        <option value="">{field.words.t('field.choose')}</option>
        {field.choices?.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </>
  );
}

/** A labelled field. */
export function Field(field: FieldProps) {
  const { name, words, error } = field;
  const { t } = words;
  const id = `${field.prefix}-${name}`;
  const below = `${id}-below`;
  const attributes = {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': below,
    required: !field.optional,
    autoFocus: field.autoFocus,
  };
  const kind = field.choices ? undefined : (field.kind ?? kinds[name as keyof typeof kinds]);
  return (
    <div className="field" data-field={name} hidden={field.hidden}>
      <label htmlFor={id}>
        <span>{field.label ?? t(`field.${name}`)}</span>
        {field.optional ? <small>{t('field.optional')}</small> : null}
      </label>
      <div className="box" dir={kind?.ltr ? 'ltr' : undefined}>
        {kind ? (
          <input
            {...attributes}
            id={id}
            name={name}
            type={kind.type ?? 'text'}
            inputMode={kind.inputMode}
            autoComplete={kind.autoComplete}
            autoCapitalize={kind.autoCapitalize}
            spellCheck={kind.spellCheck}
            maxLength={kind.type === 'date' ? undefined : kind.maxLength}
            dir={kind.ltr || kind.type === 'date' ? undefined : 'auto'}
            placeholder={field.placeholder}
            defaultValue={kind.type === 'password' ? undefined : field.value}
            data-brand={field.brand}
            data-least={kind.least}
            data-most={kind.most}
            data-document={kind.document}
          />
        ) : (
          <List field={field} id={id} attributes={attributes} />
        )}
        {field.inside}
        {name === 'card_cvv' ? <SecurityCodeIcon /> : null}
      </div>
      <Below id={below} error={error} hint={field.hint} />
    </div>
  );
}
