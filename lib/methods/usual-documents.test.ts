// Document numbers without a format of their own: the usual documents of the payer's country are known, others accepted.
import { expect, it } from 'vitest';
import { findMethod } from './catalog.ts';
import { checkTypedParameters, parametersToCollect } from './parameters.ts';

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

const numberOf = (id: string, country: string) => {
  const method = findMethod(id);
  if (!method) throw new Error(id);
  return parametersToCollect(method, {}, country).filter(({ name }) => name === 'document_number');
};

// A payer may have another document, so a number that looks wrong is pointed out once.
it.each(
  rowsOf(`
  dlocal    | AR | 12.345.678     |             | 12345678
  dlocal    | AR | 20-05536168-3  |             | error.document.checkDigits cuit
  dlocal    | AR | 20-05536168-3  | 20-05536168-3 | 20055361683
  dlocal    | AR | 20-05536168-3  | 20-05536168-4 | error.document.checkDigits cuit
  axxi-cash | PE | AAB123456      |             | error.document.digits dni-pe-or-ruc-pe-or-other
  axxi-cash | PE | AAB123456      | AAB123456   | AAB123456
  axxi-cash | CO | 890.903.938-8  |             | 8909039388
  axxi-cash | DE | L01X00T47      |             | L01X00T47`),
)('%s in %s: %s, pointed out: %s', (id = '', country = '', text = '', before = '', expected = '') => {
  const { values, faults } = checkTypedParameters(numberOf(id, country), { document_number: text }, before);
  const { key = '', values: about } = faults.document_number ?? {};
  expect(values.document_number ?? `${key} ${about?.document}`).toBe(expected);
});

it('a document is needed even where others are accepted', () => {
  const fields = numberOf('axxi-cash', 'PE');
  const long = '1'.repeat(41);
  const document = 'dni-pe-or-ruc-pe-or-other';
  expect(checkTypedParameters(fields, { document_number: ' ' }, ' ').faults).toEqual({
    document_number: { key: 'error.document.empty', values: { document } },
  });
  expect(checkTypedParameters(fields, { document_number: long }, long).faults).toEqual({
    document_number: { key: 'error.long', values: { count: 40 } },
  });
});
