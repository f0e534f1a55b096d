import { describe, expect, it } from 'vitest';
import { parseAmount } from '../core/money.ts';
import { methods } from './catalog.ts';
import { exampleOf } from './examples.ts';
import { checkMethodParameters, requestFieldErrors } from './parameters.ts';
import { methodAmountErrors, supportsPayment } from './payment-support.ts';

const cases = methods.flatMap((method) => method.operations.map((operation) => ({ method, operation })));

describe('the example of a method', () => {
  it.each(cases)('$method.id $operation fits its row', ({ method, operation }) => {
    const { currency, country, amount, parameters, fields } = exampleOf(method, operation, true);
    const scope = { path: 'p', operation, currency, country, demandCollected: true };
    expect(checkMethodParameters(method, parameters, scope).faults).toEqual([]);
    expect(requestFieldErrors(method, fields, true)).toEqual([]);
    const read = parseAmount(amount, currency);
    if (!read.ok) throw new Error(`${amount} ${currency}: ${read.fault}`);
    expect(methodAmountErrors(method, operation, { minor: read.minor, currency }, parameters, 'amount')).toEqual([]);
    expect(supportsPayment(method, { operation, authorizeOnly: false, currency })).toBe(true);
  });
});
