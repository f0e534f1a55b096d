/** How choices are called that have a proper name: the same in every language, so that no message translates them. */
import { operators } from './operators';

const banks = {
  bancolombia: 'Bancolombia',
  'banco-de-bogota': 'Banco de Bogotá',
  davivienda: 'Davivienda',
  bbva: 'BBVA',
  nequi: 'Nequi',
  daviplata: 'DaviPlata',
};

/** By the parameter's name, then by the choice as it goes over the wire. */
export const choiceNames: { readonly [parameter: string]: { readonly [choice: string]: string } } = {
  bank: banks,
  mobile_money_operator: Object.fromEntries(operators.map(({ slug, name }) => [slug, name])),
};
