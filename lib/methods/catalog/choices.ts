/** Choices that are proper names: the same in every language and therefore not translated. */
import { operators } from './mobile-operators.ts';

const banks = {
  bancolombia: 'Bancolombia',
  'banco-de-bogota': 'Banco de Bogotá',
  davivienda: 'Davivienda',
  bbva: 'BBVA',
  nequi: 'Nequi',
  daviplata: 'DaviPlata',
};

/** By the parameter's name, then by the choice's wire value. */
export const choiceNames: { readonly [parameter: string]: { readonly [choice: string]: string } } = {
  bank: banks,
  mobile_money_operator: Object.fromEntries(operators.map(({ slug, name }) => [slug, name])),
};
