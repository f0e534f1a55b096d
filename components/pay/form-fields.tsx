// The fields in a row's form: the card's own four, then the required fields that the request lacks. Values and errors
// of the last attempt appear only in the row that was used.

import { inLatinField, isolate } from '../../lib/core/bidi.ts';
import { brandById, brandOf, cvvLength } from '../../lib/core/cards.ts';
import { countryNames } from '../../lib/core/countries.ts';
import type { AddressForm } from '../../lib/core/page-data.ts';
import { acceptsOthers, documentFacts } from '../../lib/methods/documents.ts';
import { agreementText } from '../../lib/payer/agreement-text.ts';
import type {
  CardForm,
  FieldName,
  FormPage,
  OtherMethod,
  ParameterField,
  PayerFormField,
  SavedCard,
} from '../../lib/payer/contract.ts';
import { alertContext, alertText } from '../../lib/payer/decline-alert.ts';
import { errorText } from '../../lib/payer/error-text.ts';
import { CardLogo } from './card-logos.tsx';
import { Below, Field, parameterKind } from './field.tsx';
import { choiceLabel, parameterHint, parameterLabel } from './parameter-labels.ts';
import type { PartProps } from './shell.tsx';

type Props = PartProps<FormPage> & { live: boolean /** The row of the last attempt. */ };

type FieldStateOf = (name: FieldName) => { value?: string; error?: string; autoFocus?: boolean };

/** Value, error and focus of a field; a decline that names a field becomes that field's error. */
function fieldStates({ page, words, live }: Props, codeDigits: number): FieldStateOf {
  if (!live) return () => ({});
  const errors: Partial<Record<FieldName, string>> = page.alert
    ? { ...alertText(page.alert, { ...alertContext(page), codeDigits }, words).errors }
    : {};
  for (const [name, message] of Object.entries(page.errors ?? {})) {
    if (!message) continue;
    const own = page.address?.errors[message.key.replace(/^error\./, '')];
    errors[name as FieldName] = own ?? errorText(message, words);
  }
  const first = Object.keys(errors)[0];
  return (name) => ({ value: page.values?.[name], error: errors[name], autoFocus: name === first });
}

const choicesOf = (places: readonly { code: string; name: string }[]) =>
  places.map(({ code, name }) => ({ value: code, name }));

type FieldsContext = { prefix: string; props: Props; show: FieldStateOf };

type AddressProps = FieldsContext & { address: AddressForm; fields: PayerFormField[] };

/** The address as on an envelope of its country; the script lays it out again for another country. */
function AddressFields({ address, fields, prefix, props, show }: AddressProps) {
  const { words } = props;
  const { rows, states, labels } = address;
  const propsOf = ({ name, optional }: PayerFormField) => {
    const own = { prefix, words, name, optional, label: labels[name], ...show(name) };
    return name === 'state' ? { ...own, choices: choicesOf(states), hidden: states.length === 0 } : own;
  };
  const shown = rows.map((row) => row.flatMap((name) => fields.filter((field) => field.name === name)));
  const shownNames = shown.flat().map(({ name }) => name);
  const hidden = fields.filter(({ name }) => !shownNames.includes(name));
  return (
    <div className="postal fields">
      {shown
        .filter((row) => row.length > 0)
        .map((row) => {
          const parts = row.map((field) => <Field key={field.name} {...propsOf(field)} />);
          return row.length === 1 ? (
            parts
          ) : (
            <div key={row[0]?.name} className="pair">
              {parts}
            </div>
          );
        })}
      {hidden.map((field) => (
        <Field key={field.name} {...propsOf(field)} />
      ))}
      {shownNames.includes('zip') ? <input type="hidden" name="zip_checked" value={show('zip').value ?? ''} /> : null}
    </div>
  );
}

function PayerFields({ fields, prefix, props, show }: FieldsContext & { fields: PayerFormField[] }) {
  const { page, words } = props;
  const { address } = page;
  const isOfAddress = ({ name }: PayerFormField) => address !== undefined && name in address.labels;
  const own = fields.filter((field) => !isOfAddress(field));
  const parts = { fields: fields.filter(isOfAddress), prefix, props, show };
  return (
    <>
      {own.map(({ name, optional }) => {
        const common = { prefix, words, name, optional, ...show(name) };
        if (name !== 'country') {
          return <Field key={name} {...common} hint={name === 'phone' ? words.t('hint.phone') : undefined} />;
        }
        const choices = choicesOf(countryNames(words.code));
        return <Field key={name} {...common} value={common.value ?? page.country} choices={choices} />;
      })}
      {address && parts.fields.length > 0 ? <AddressFields address={address} {...parts} /> : null}
    </>
  );
}

const numberPlaceholder = '1234 1234 1234 1234';

/** The card's fields; for a saved card, those that are required again. */
export function CardFields(props: Props & { card: CardForm; saved?: SavedCard }) {
  const { card, saved, page, words } = props;
  const { t } = words;
  const prefix = saved ? saved.id : 'card';
  const number = props.live ? page.values?.card_number : undefined;
  const typedBrand = brandOf(number ?? '');
  const digits = (saved ? brandById(saved.brand)?.code.length : cvvLength(number ?? '')) ?? 3;
  const show = fieldStates(props, digits);
  const propsOf = (name: FieldName) => ({ name, prefix, words, ...show(name) });
  const required = new Set(saved ? saved.cardFields : card.cardFields);
  // The name on the card is not asked for twice.
  const fields = card.fields.filter(({ name }) => name !== 'name' || !required.has('card_holder'));
  return (
    <div className="fields">
      {saved ? null : (
        <Field
          {...propsOf('card_number')}
          placeholder={numberPlaceholder}
          inside={<span className="found">{typedBrand ? <CardLogo brand={typedBrand.id} /> : null}</span>}
        />
      )}
      <div className="pair">
        {required.has('card_expiry') ? (
          <Field {...propsOf('card_expiry')} placeholder={inLatinField(t('hint.expiry'), words)} />
        ) : null}
        {required.has('card_cvv') ? (
          <Field
            {...propsOf('card_cvv')}
            placeholder={inLatinField(t('hint.cvv', { count: digits }), words)}
            brand={saved?.brand}
          />
        ) : null}
      </div>
      {!saved && required.has('card_holder') ? <Field {...propsOf('card_holder')} /> : null}
      {required.has('payee_card_number') ? (
        <Field {...propsOf('payee_card_number')} placeholder={numberPlaceholder} />
      ) : null}
      {fields.length > 2 ? <h3>{t('pay.yourDetails')}</h3> : null}
      <PayerFields fields={fields} prefix={prefix} props={props} show={show} />
      {card.offerSaving && !saved ? (
        <label className="check-line">
          <input type="checkbox" name="save_card" value="1" />
          <span>{t('pay.save')}</span>
        </label>
      ) : null}
    </div>
  );
}

/** What the payer agrees to by paying with a card, besides the payment. */
export function Agreement({ page, words }: Pick<Props, 'page' | 'words'>) {
  if (!page.agreement) return null;
  const { rows, text } = agreementText(page.agreement, page, words);
  return (
    <div className="agreement">
      {rows.length > 0 ? (
        <dl>
          {rows.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p>{text}</p>
    </div>
  );
}

/** The required checkbox that consents to later charges. */
export function Consent({ page, words, live, prefix }: Props & { prefix: string }) {
  if (!page.consent) return null;
  const { value, error, autoFocus } = fieldStates({ page, words, live }, 3)('consent');
  const id = `${prefix}-consent`;
  const below = `${id}-below`;
  return (
    <div className="field" data-field="consent">
      <label className="check-line" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          name="consent"
          value="1"
          defaultChecked={value === '1'}
          {...{ autoFocus, required: true, 'aria-invalid': error ? true : undefined, 'aria-describedby': below }}
        />
        <span>{words.t('pay.consent', { merchant: isolate(page.merchant.name, words) })}</span>
      </label>
      <Below id={below} error={error} />
    </div>
  );
}

function Parameter({ field, prefix, props, show }: FieldsContext & { field: ParameterField }) {
  const { words } = props;
  const { name, optional, choices, document } = field;
  const shown = show(`parameter_${name}`);
  return (
    <>
      <Field
        name={`parameter_${name}`}
        prefix={prefix}
        words={words}
        optional={optional}
        label={parameterLabel(field, words)}
        hint={parameterHint(field, words)}
        placeholder={document && documentFacts(document).examples[0]}
        kind={parameterKind(field)}
        choices={choices?.map((value) => ({ value, name: choiceLabel(name, value, words) }))}
        {...shown}
      />
      {document && acceptsOthers(document) ? (
        <input type="hidden" name="document_checked" value={shown.value ?? ''} />
      ) : null}
    </>
  );
}

/** The fields of another method, its own parameters first; often none. */
export function OtherFields(props: Props & { method: OtherMethod }) {
  const { method } = props;
  if (method.fields.length + method.parameters.length === 0) return null;
  const show = fieldStates(props, 3);
  return (
    <div className="fields">
      {method.parameters.map((field) => (
        <Parameter key={field.name} field={field} prefix={method.id} props={props} show={show} />
      ))}
      <PayerFields fields={method.fields} prefix={method.id} props={props} show={show} />
    </div>
  );
}
