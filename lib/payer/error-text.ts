/** The texts of fields that name a national document. Names of documents are not translated. */
import { isolate } from '../core/bidi.ts';
import type { Message, Translations } from '../core/translations.ts';
import { documentFacts } from '../methods/documents.ts';

/** "A", "A or B", in the payer's language. */
export function anyOf(texts: readonly (string | number)[], words: Translations): string {
  const list = new Intl.ListFormat(words.intl, { type: 'disjunction' });
  return list.format(texts.map((text) => isolate(String(text), words)));
}

/** "CPF or CNPJ" for the format `cpf-or-cnpj`. */
export const documentName = (format: string, words: Translations) => anyOf(documentFacts(format).names, words);

/** "000.000.000-00 or 00.000.000/0000-00". */
export const documentExample = (format: string, words: Translations) => anyOf(documentFacts(format).examples, words);

/** The text of a field's error. */
export function errorText({ key, values }: Message, words: Translations): string {
  const format = values?.document;
  if (typeof format !== 'string') return words.t(key, values);
  const document = documentName(format, words);
  const count = anyOf(documentFacts(format).lengths, words);
  return words.t(key, { document, example: documentExample(format, words), count });
}
