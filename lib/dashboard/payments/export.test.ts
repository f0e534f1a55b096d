import { describe, expect, it } from 'vitest';
import { columnsNamed, exportColumnNames } from './export.ts';

const namesOf = (...wanted: string[]) => columnsNamed(wanted).map(([name]) => name);

describe('the columns of an export', () => {
  it('are all of them without a choice', () => {
    expect(namesOf()).toEqual(exportColumnNames);
    expect(new Set(exportColumnNames).size).toBe(exportColumnNames.length);
  });

  it('are the chosen ones, in the order of the file', () => {
    expect(namesOf('arn', 'rrn', 'payment_id')).toEqual(['payment_id', 'rrn', 'arn']);
  });

  it.each(['card_number', 'constructor', 'RRN', ' rrn'])('are refused with an unknown one: %s', (name) => {
    expect(() => namesOf('rrn', name)).toThrow('The request is not valid.');
  });
});
