import { describe, expect, it } from 'vitest';
import {
  acceptsOthers,
  documentError,
  documentFacts,
  documentNumber,
  isNumeric,
  maskDocument,
  usualDocuments,
} from './documents.ts';

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

const errorOf = (format: string, text: string) => {
  const error = documentError(format, text);
  return error ? `${error.key.replace('error.document.', '')} ${error.values?.document}` : 'valid';
};

// The numbers are of the issuing authorities' own examples or of public generators, not of this code.
describe('the error of a document', () => {
  it.each(
    rowsOf(`
    cpf         | 529.982.247-25     | valid
    cpf         | 52998224725        | valid
    cpf         | ٥٢٩.٩٨٢.٢٤٧-٢٥     | valid
    cpf         |                    | empty cpf
    cpf         | . -                | empty cpf
    cpf         | 529.982.247-2      | digits cpf
    cpf         | 529.982.247-250    | digits cpf
    cpf         | 529.982.247-26     | checkDigits cpf
    cpf         | 111.111.111-11     | checkDigits cpf
    cpf         | 529.982.24A-25     | shape cpf
    cpf-or-cnpj | 529.982.247-25     | valid
    cpf-or-cnpj | 11.222.333/0001-81 | valid
    cpf-or-cnpj | 12.abc.345/01de-35 | valid
    cpf-or-cnpj | 529.982.247-26     | checkDigits cpf
    cpf-or-cnpj | 11.222.333/0001-82 | checkDigits cnpj
    cpf-or-cnpj | 12.ABC.345/01DE-3X | shape cnpj
    cpf-or-cnpj | 529982247251       | characters cpf-or-cnpj
    cuil        | 20-05536168-2      | valid
    cuil        | 20-05536168-3      | checkDigits cuil
    cuil        | 10-05536168-2      | shape cuil
    rut         | 12.345.678-5       | valid
    rut         | 1000005-k          | valid
    rut         | 12.345.678-4       | checkDigits rut
    rut         | 12.34              | characters rut
    rut         | 1K345678-5         | shape rut
    tckn        | 10000000146        | valid
    tckn        | 10000000147        | checkDigits tckn
    tckn        | 00000000146        | shape tckn
    curp        | hegg560427mvzrrl04 | valid
    curp        | HEGG560427MVZRRL05 | checkDigits curp
    curp        | HEGG561327MVZRRL04 | shape curp
    curp        | HEGG               | characters curp
    rfc         | SAT970701NN3       | valid
    rfc         | gode-561231-gr8    | valid
    rfc         | CFE370814QI0       | valid
    rfc         | SAT970701NN4       | checkDigits rfc
    rfc         | SAT971301NN3       | shape rfc
    dni-or-cuit | 12.345.678         | valid
    dni-or-cuit | 5.678.901          | valid
    dni-or-cuit | 02.345.678         | shape dni
    dni-or-cuit | 20-05536168-2      | valid
    dni-or-cuit | 20-05536168-3      | checkDigits cuit
    dni-or-cuit | 123456             | digits dni-or-cuit
    dni-pe-or-ruc-pe | 46779354      | valid
    dni-pe-or-ruc-pe | 20131312955   | valid
    dni-pe-or-ruc-pe | 20100070970   | valid
    dni-pe-or-ruc-pe | 20131312954   | checkDigits ruc-pe
    dni-pe-or-ruc-pe | 30131312955   | shape ruc-pe
    ci-ec-or-ruc-ec  | 1710034065    | valid
    ci-ec-or-ruc-ec  | 1790016919001 | valid
    ci-ec-or-ruc-ec  | 1790016919000 | shape ruc-ec
    ci-ec-or-ruc-ec  | 2510034065    | shape ci-ec
    cc-or-nit   | 52.123.456         | valid
    cc-or-nit   | 1.020.304.050      | valid
    cc-or-nit   | 890.903.938-8      | valid
    cc-or-nit   | 899.999.068-1      | valid
    cc-or-nit   | 890.903.938-9      | checkDigits nit
    cc-or-nit   | 2.020.304.050      | shape cc
    cc-or-nit   | 890.903.938        | digits cc-or-nit
    ci-or-rut-uy | 1.234.567-2       | valid
    ci-or-rut-uy | 1.234.567-3       | checkDigits ci
    ci-or-rut-uy | 211003420017      | valid
    pan         | abcpe1234f         | valid
    pan         | ABCPE12345         | shape pan
    pan         | ABCPE1234          | characters pan
    dni-or-cuit-or-other | 20-05536168-3 | checkDigits cuit
    dni-or-cuit-or-other | AB123456 | shape dni`),
  )('%s: %j is %s', (format = '', text = '', expected = '') => {
    expect(errorOf(format, text)).toBe(expected);
  });
});

describe('a document while it is typed', () => {
  it.each(
    rowsOf(`
    cpf         |                   |
    cpf         | 529               | 529
    cpf         | 5299              | 529.9
    cpf         | 529982247         | 529.982.247
    cpf         | 5299822472        | 529.982.247-2
    cpf         | 52998224725       | 529.982.247-25
    cpf         | CPF: 52998224725  | 529.982.247-25
    cpf         | 529982247259      | 529.982.247-25
    cpf         | ۵۲۹۹              | 529.9
    cpf-or-cnpj | 52998224725       | 529.982.247-25
    cpf-or-cnpj | 529.982.247-251   | 52.998.224/7251
    cpf-or-cnpj | 11222333000181    | 11.222.333/0001-81
    cpf-or-cnpj | 12a               | 12.A
    cpf-or-cnpj | 12abc34501de35    | 12.ABC.345/01DE-35
    cuil        | 20055361682       | 20-05536168-2
    rut         | 1234567           | 1.234.567
    rut         | 12345678          | 1.234.567-8
    rut         | 123456785         | 12.345.678-5
    rut         | 1000005k          | 1.000.005-K
    rut         | 1k3               | 1K3
    tckn        | 100 000 001 46    | 10000000146
    curp        | hegg560427mvzrrl04 | HEGG560427MVZRRL04
    curp        | peña              | PEÑA
    rfc         | gode561231gr8     | GODE561231GR8
    pan         | abcpe1234f        | ABCPE1234F
    dni-or-cuit | 1234567           | 1.234.567
    dni-or-cuit | 12345678          | 12.345.678
    dni-or-cuit | 20055361682       | 20-05536168-2
    cc-or-nit   | 890.903.938-8     | 8909039388
    ci-or-rut-uy | 12345672         | 1.234.567-2
    dni-or-cuit-or-other | 12345678 | 12.345.678
    dni-or-cuit-or-other | aab 123-456 | AAB123456
    dni-or-cuit-or-other | 123456789012 | 123456789012`),
  )('%s: %j becomes %j', (format = '', text = '', masked = '') => {
    expect(maskDocument(format, text)).toBe(masked);
    expect(maskDocument(format, masked)).toBe(masked);
  });

  it('keeps its characters', () => {
    expect(documentNumber('rut', '12.345.678-k')).toBe('12345678K');
  });
});

describe('the facts of a document', () => {
  it('include its lengths and whether it has digits only', () => {
    expect(documentFacts('cpf-or-cnpj')).toEqual({
      ids: ['cpf', 'cnpj'],
      names: ['CPF', 'CNPJ'],
      examples: ['000.000.000-00', '00.000.000/0000-00'],
      lengths: [11, 14],
      most: 18,
    });
    expect(['cpf', 'cuil', 'tckn'].every(isNumeric)).toBe(true);
    expect(['cpf-or-cnpj', 'rut', 'curp'].some(isNumeric)).toBe(false);
  });

  it('of a format that accepts others are those of its documents, each length once', () => {
    expect(documentFacts('cc-or-nit-or-other')).toMatchObject({ names: ['CC', 'NIT'], lengths: [6, 7, 8, 10] });
    expect(acceptsOthers('cc-or-nit-or-other')).toBe(true);
    expect(acceptsOthers('cc-or-nit')).toBe(false);
  });

  it('of each country tell whether its numbers have digits only', () => {
    const numeric = ['AR', 'BR', 'CL', 'CO', 'EC', 'IN', 'MX', 'PE', 'TR', 'UY'].map((country) => {
      const format = usualDocuments(country);
      return [country, format !== undefined && isNumeric(format)];
    });
    expect(numeric.flatMap(([country, isDigits]) => (isDigits ? [country] : []))).toEqual([
      'AR',
      'CO',
      'EC',
      'PE',
      'TR',
      'UY',
    ]);
    expect(['DE', undefined, 'constructor'].map(usualDocuments)).toEqual([undefined, undefined, undefined]);
  });

  it('exist for known documents only', () => {
    expect(() => documentFacts('passport')).toThrow('no such document: passport');
  });
});
