import { describe, expect, it } from 'vitest';
import { parameterError } from './checks.ts';

const digits = { isDigits: true, isChoice: false, least: 11, most: 14 };
const text = { isDigits: false, isChoice: false, least: 2, most: 5 };
const cpf = { isDigits: true, isChoice: false, least: 11, most: 14, document: 'cpf' };
const dni = { isDigits: true, isChoice: false, least: 1, most: 40, document: 'dni-pe-or-ruc-pe-or-other' };
const choice = { isDigits: false, isChoice: true };

// Input, and the message's key with its count; '-' for no error.
describe('a typed parameter', () => {
  it.each([
    ['digits', '12345678901', digits, '-'],
    ['digits grouped by a person', '123.456.789-01', digits, '-'],
    ['digits of another script', '١٢٣٤٥٦٧٨٩٠١', digits, '-'],
    ['too few digits', '123.456', digits, 'error.short 11'],
    ['too many digits', '123456789012345', digits, 'error.long 14'],
    ['letters among digits', '1234567890a', digits, 'error.parameter.wrong'],
    ['nothing where digits are wanted', ' . ', digits, 'error.parameter.empty'],
    ['text', ' Mia ', text, '-'],
    ['letters of two code units', '𠮷𠮷𠮷𠮷𠮷', text, '-'],
    ['too short a text', 'M', text, 'error.short 2'],
    ['too long a text', 'Johanna', text, 'error.long 5'],
    ['nothing', '  ', text, 'error.parameter.empty'],
    ['a document', '529.982.247-25', cpf, '-'],
    ['a part of a document', '529.982', cpf, 'error.document.digits cpf'],
    ['a mistyped document', '529.982.247-26', cpf, 'error.document.checkDigits cpf'],
    // The server points it out once.
    ['a document that may be another', 'AAB123456', dni, '-'],
    ['no document where others are accepted', ' ', dni, 'error.document.empty dni-pe-or-ruc-pe-or-other'],
    ['a choice', 'CPF', choice, '-'],
    ['no choice', '', choice, 'error.parameter.choose'],
  ] as const)('%s', (_, typed, field, expected) => {
    const fieldError = parameterError(typed, field);
    expect(
      fieldError ? [fieldError.key, fieldError.values?.count ?? fieldError.values?.document].join(' ').trim() : '-',
    ).toBe(expected);
  });
});
