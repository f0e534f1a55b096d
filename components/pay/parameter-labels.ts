// Labels of methods' parameters. The protocol has several names for the same thing, so several parameters share one
// label; names of operators, banks and documents are the same in every language.
import type { Translations } from '../../lib/core/translations.ts';
import { documentFacts } from '../../lib/methods/documents.ts';
import { choiceNames } from '../../lib/methods/parameters.ts';
import type { ParameterField } from '../../lib/payer/contract.ts';
import { anyOf, documentExample, documentName } from '../../lib/payer/error-text.ts';

/** Labels shared with another message, by the parameter's name. */
const labels: { [name: string]: string } = {
  accountName: 'details.beneficiary',
  accountNumber: 'details.account_number',
  account_number: 'details.account_number',
  bank: 'details.bank',
  bank_name: 'details.bank',
  beneficiary_account: 'details.account_number',
  beneficiary_name: 'details.beneficiary',
  branch_name: 'details.branch',
  customer_email: 'field.email',
  Email: 'field.email',
  mobile_number: 'field.phone',
  orgCode: 'parameter.bank_code',
  Phone: 'field.phone',
  pin: 'details.voucher',
  ToAccountName: 'details.beneficiary',
  ToAccountNumber: 'details.account_number',
  ToBranch: 'details.branch',
  ToCity: 'field.city',
};

/** Labels that are not translated. */
const properLabels: { [name: string]: string } = { upi_id: 'UPI ID' };

const hints: { [name: string]: string } = {
  document_number: 'parameter.document_number.hint',
  personal_id: 'parameter.document_number.hint',
  mobile_number: 'hint.phone',
  payee_phone: 'hint.phone',
};

/** Types of documents, by wire value. */
const properChoices: { [value: string]: string } = {
  CC: 'CC (Cédula de ciudadanía)',
  CE: 'CE (Cédula de extranjería)',
  CNPJ: 'CNPJ',
  CPF: 'CPF',
  NIT: 'NIT',
  PP: 'PP (Pasaporte)',
  TI: 'TI (Tarjeta de identidad)',
};

const own = <Value>(table: { readonly [name: string]: Value }, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

type Labelled = Pick<ParameterField, 'name' | 'document' | 'documentNames'>;

/** The field's label: the document's own name, or the bare name for a parameter without a label. */
export function parameterLabel({ name, document, documentNames }: Labelled, words: Translations): string {
  if (document !== undefined) return documentName(document, words);
  if (documentNames) return anyOf(documentNames, words);
  const proper = own(properLabels, name);
  const key = own(labels, name) ?? `parameter.${name}`;
  return proper ?? (words.has(key) ? words.t(key) : name);
}

/** The hint below the field. The placeholder of a document's field shows one form only. */
export function parameterHint({ name, document, documentNames }: Labelled, words: Translations): string | undefined {
  if (document !== undefined)
    return documentFacts(document).ids.length > 1 ? documentExample(document, words) : undefined;
  if (documentNames) return undefined;
  const key = own(hints, name);
  return key && words.t(key);
}

/** The text of a choice. */
export function choiceLabel(name: string, choice: string, words: Translations): string {
  const key = `parameter.${name}.${choice}`;
  const proper = own(own(choiceNames, name) ?? properChoices, choice);
  return proper ?? (words.has(key) ? words.t(key) : choice);
}
