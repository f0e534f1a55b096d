// Every parameter that a page may require has a label in every language.
import { describe, expect, it } from 'vitest';
import { locales } from '../../lib/core/locales.ts';
import { translationsOf } from '../../lib/http/i18n.ts';
import { methods } from '../../lib/methods/catalog.ts';
import { type ParameterField, parametersToCollect } from '../../lib/methods/parameters.ts';
import { choiceLabel, parameterHint, parameterLabel } from './parameter-labels.ts';

/** The parameters of all methods in all countries and currencies, once for each name and choice. */
function askedAnywhere(): Map<string, ParameterField> {
  const found = new Map<string, ParameterField>();
  for (const method of methods) {
    const countries = [undefined, ...new Set([...(method.countries ?? []), 'BR', 'CO', 'MX', 'TR', 'CL', 'AR', 'IN'])];
    for (const operation of method.operations) {
      for (const country of countries) {
        for (const currency of [undefined, ...(method.currencies ?? [])]) {
          for (const field of parametersToCollect(method, {}, country, { operation, currency })) {
            found.set(`${field.name} ${field.document ?? ''} ${field.choices?.join(' ') ?? ''}`, field);
          }
        }
      }
    }
  }
  return found;
}

const parameters = [...askedAnywhere().values()];

describe.each(locales.map(({ code }) => code))('%s', (code) => {
  const words = translationsOf(code);

  it('has a label for every parameter of every method', () => {
    expect(parameters.length).toBeGreaterThan(40);
    for (const field of parameters) {
      const { name } = field;
      // These two have English labels equal to their wire names.
      if (!['Email', 'Phone'].includes(name))
        expect([name, parameterLabel(field, words) === name]).toEqual([name, false]);
      expect([name, parameterHint(field, words)?.length ?? 1]).not.toEqual([name, 0]);
    }
  });

  it('has a distinct text for every choice of a list', () => {
    for (const { name, choices = [] } of parameters) {
      const labels = choices.map((choice) => choiceLabel(name, choice, words));
      expect([name, new Set(labels).size]).toEqual([name, labels.length]);
      for (const label of labels) expect([name, label, /^[\p{Lu}\p{Lo}]/u.test(label)]).toEqual([name, label, true]);
    }
  });
});

describe('a national document', () => {
  const labelled = (document: string, code: 'en' | 'de' | 'ar') => {
    const field = { name: 'personal_id', document };
    const words = translationsOf(code);
    return [parameterLabel(field, words), parameterHint(field, words)];
  };

  it('has its own name in every language', () => {
    expect(['cpf', 'rut', 'curp', 'cuil', 'tckn'].map((document) => labelled(document, 'de')[0])).toEqual([
      'CPF',
      'RUT',
      'CURP',
      'CUIL/CUIT',
      'T.C. Kimlik No',
    ]);
  });

  it('names the alternatives with their forms', () => {
    expect(labelled('cpf-or-cnpj', 'en')).toEqual(['CPF or CNPJ', '000.000.000-00 or 00.000.000/0000-00']);
    expect(labelled('cpf-or-cnpj', 'de')).toEqual(['CPF oder CNPJ', '000.000.000-00 oder 00.000.000/0000-00']);
    expect(labelled('cpf-or-cnpj', 'ar')[0]).toBe('\u2068CPF\u2069 أو \u2068CNPJ\u2069');
  });

  it('is asked for by the usual names and forms of the country, else by the types to choose from', () => {
    const asked = (id: string, country: string) => {
      const method = methods.find((each) => each.id === id);
      if (!method) throw new Error(id);
      const words = translationsOf('en');
      return parametersToCollect(method, {}, country)
        .filter(({ name }) => name !== 'document_type')
        .map((field) => [parameterLabel(field, words), parameterHint(field, words) ?? '']);
    };
    expect(asked('axxi-cash', 'PE')).toEqual([['DNI or RUC', '12345678 or 20131312955']]);
    expect(asked('dlocal', 'AR')).toEqual([['DNI or CUIT', '12.345.678 or 20-12345678-6']]);
    expect(asked('axxi-cash', 'CO')).toEqual([['CC or NIT', '1020304050 or 900.123.456-8']]);
    expect(asked('axxi-cash', 'EC')).toEqual([['CI or RUC', '1710034065 or 1790016919001']]);
    expect(asked('axxi-cash', 'MX')).toEqual([['CURP or RFC', 'HEGG560427MVZRRL04 or GODE561231GR8']]);
    expect(asked('payok-upi', 'IN')).toEqual([['PAN', '']]);
    expect(asked('pix', 'BR')).toEqual([['CPF or CNPJ', '000.000.000-00 or 00.000.000/0000-00']]);
    const generic = ['Document number', 'Such as your CPF, DNI or RUT number.'];
    expect(asked('fairpay', 'CO')).toEqual([['CC, CE, NIT, TI or PP', '']]);
    expect(asked('axxi-cash', 'DE')).toEqual([generic]);
  });

  it('is asked for by a generic label where its format is not known', () => {
    const words = translationsOf('en');
    expect(parameterLabel({ name: 'document_number' }, words)).toBe('Document number');
    expect(parameterHint({ name: 'document_number' }, words)).toBe('Such as your CPF, DNI or RUT number.');
  });
});

describe('a parameter without a label', () => {
  it('shows its name, and the values of its choices', () => {
    expect(parameterLabel({ name: 'constructor' }, translationsOf('en'))).toBe('constructor');
    expect(choiceLabel('colour', 'toString', translationsOf('en'))).toBe('toString');
  });
});
