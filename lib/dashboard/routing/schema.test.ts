import { describe, expect, test } from 'vitest';
import { rulesSchema } from './schema.ts';

const midId = '7e570004-0000-4000-8000-000000000001';
const schema = rulesSchema(new Set([midId]));
const rule = (changes: object = {}) => ({
  id: '7e570010-0000-4000-8000-000000000001',
  name: 'Japan',
  enabled: true,
  conditions: {},
  targets: [{ midId, weight: 1 }],
  ...changes,
});

// A change of a good rule, and the error with its place.
const faulty = `
  {"name":" "}                                  | 0.name | Give the rule a name.
  {"enabled":"Y"}                               | 0.enabled | Choose on or off.
  {"targets":[]}                                | 0.targets | Choose at least one MID with a weight above 0.
  {"targets":[{"midId":"MID","weight":0}]}      | 0.targets | Choose at least one MID with a weight above 0.
  {"targets":[{"midId":"x","weight":1}]}        | 0.targets.0.midId | This is not a MID of the merchant.
  {"targets":[{"midId":"MID","weight":1.5}]}    | 0.targets.0.weight | A weight is a whole number.
  {"targets":[{"midId":"MID","weight":1000001}]} | 0.targets.0.weight | A weight is at most 1000000.
  {"targets":[{"midId":"MID","weight":1},{"midId":"MID","weight":2}]} | 0.targets | A rule can contain each MID only once.
  {"conditions":{"currencies":["EURO"]}}        | 0.conditions.currencies | EURO is not a supported currency.
  {"conditions":{"currencies":[]}}              | 0.conditions.currencies | Choose at least one value or remove the condition.
  {"conditions":{"methods":["cards"]}}          | 0.conditions.methods | cards is not a method.
  {"conditions":{"brands":["monopoly"]}}        | 0.conditions.brands | monopoly is not a card brand.
  {"conditions":{"bins":["4"]}}                 | 0.conditions.bins | 4 is not a BIN. Enter 2 to 8 digits.
  {"conditions":{"binCountries":["de"]}}        | 0.conditions.binCountries | de is not a country. Enter two letters such as DE.
  {"conditions":{"amountFrom":"10.00"}}         | 0.conditions.amountFrom | Enter the amount in digits, in minor units.
  {"conditions":{"amountFrom":"2","amountTo":"1"}} | 0.conditions.amountTo | The upper bound is below the lower one.
`;
const rows = faulty
  .trim()
  .split('\n')
  .map((row) => row.split(' | ').map((cell) => cell.trim()) as [string, string, string]);

describe('rules of a draft', () => {
  test.each(rows)('%s at %s', (changes, place, message) => {
    const read = schema.safeParse([rule(JSON.parse(changes.replaceAll('MID', midId)))]);
    expect(read.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([[place, message]]);
  });

  test('are read as sent, with names trimmed and duplicates removed', () => {
    const conditions = { currencies: ['EUR', 'EUR'], bins: ['411111'], amountFrom: '0', amountTo: '999' };
    const read = schema.parse([rule({ name: ' Japan ', conditions })]);
    expect(read).toEqual([rule({ conditions: { ...conditions, currencies: ['EUR'] } })]);
  });

  test('have names and ids of their own', () => {
    const read = schema.safeParse([rule(), rule({ name: 'JAPAN' })]);
    expect(read.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['1.name', 'Rule 1 has this name already. Hits are counted by name.'],
      ['1.id', 'Two rules have the same ID.'],
    ]);
  });

  test('have no other members', () => {
    expect(schema.safeParse([rule({ position: 1 })]).success).toBe(false);
    expect(schema.safeParse([rule({ conditions: { currency: ['EUR'] } })]).success).toBe(false);
  });
});
