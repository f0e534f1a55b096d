/**
 * An example payment or payout of each method: its currency and country, an amount within its limits, and a value for
 * every required parameter. The documentation shows it, and its test runs it through the request checks.
 */
import { exponentOf } from '../core/currencies.ts';
import { parameterLines } from './catalog/lines.ts';
import { operators } from './catalog/mobile-operators.ts';
import { formatOf } from './formats.ts';
import type { Method, MethodOperation } from './method.ts';
import { parameterLinesOf } from './parameters.ts';

export type MethodExample = {
  operation: MethodOperation;
  currency: string;
  /** Alpha-2; absent if the method does not need the payer's country. */
  country?: string;
  amount: string;
  parameters: { [name: string]: unknown };
  /** The request fields that the row requires, by their S2S names. */
  fields: { [name: string]: string };
};

/** Values that depend on another parameter or must exist. */
const tied: { readonly [name: string]: string } = {
  identity: '12345678',
  payer_email: 'ana@example.com',
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  mobile_number: '2250701020304',
  mobile_money_operator: 'mtn-ci',
};

/** With `whole` also the parameters that a payment page would collect. */
export function exampleOf(method: Method, operation: MethodOperation, whole: boolean): MethodExample {
  const currency = currencyOf(method, operation);
  const country = countryOf(method);
  const wanted = parameterLinesOf(method, { operation, currency, country }).filter(
    ({ need }) => need === 'R' || (whole && need === 'C'),
  );
  const parameters: { [name: string]: unknown } = {};
  for (const { name, format } of wanted) {
    const [list = '', member] = name.split('[].');
    const value = tied[member ?? name] ?? formatOf(format).sample;
    if (member === undefined) parameters[name] = value;
    else parameters[list] = [{ ...(parameters[list] as object[] | undefined)?.[0], [member]: value }];
  }
  const demanded = parameterLines(method.fields).filter(({ need }) => need === 'R');
  const fields = Object.fromEntries(demanded.map(({ name, format }) => [name, tied[name] ?? formatOf(format).sample]));
  return { operation, currency, country, amount: amountOf(method, operation, currency), parameters, fields };
}

/** The default operation: a purchase if the method supports it. */
export function defaultOperation({ operations }: Method): MethodOperation {
  return operations.find((operation) => operation === 'purchase') ?? operations[0] ?? 'purchase';
}

const isKora = ({ id }: Method, operation: MethodOperation) => id === 'kora' && operation === 'credit';

function currencyOf(method: Method, operation: MethodOperation): string {
  if (isKora(method, operation))
    return operators.find(({ slug }) => slug === tied.mobile_money_operator)?.currency ?? 'XOF';
  return method.currencies?.[0] ?? 'EUR';
}

function countryOf({ countries, parameters }: Method): string | undefined {
  if (countries?.[0]) return countries[0];
  const places = parameterLines(parameters).flatMap(({ where }) => (where.startsWith('not') ? [] : where.split(' ')));
  return places.find((word) => /^[A-Z]{2}$/.test(word));
}

function amountOf({ amounts, ...method }: Method, operation: MethodOperation, currency: string): string {
  if (isKora({ ...method, amounts }, operation)) return '2000';
  const { least, most } = amounts?.[currency] ?? {};
  const usual = exponentOf(currency) === 0 ? '12000' : '84.50';
  if (least !== undefined && Number(usual) < Number(least)) return least;
  return most !== undefined && Number(usual) > Number(most) ? most : usual;
}
