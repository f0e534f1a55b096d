import { describe, expect, it } from 'vitest';
import { newSqlBuilder } from './keyset.ts';
import { bindSql, compileSql, valuesOf } from './named-parameters.ts';

describe('compileSql', () => {
  const cases: [string, string, string[]][] = [
    ['select 1', 'select 1', []],
    ['select :id', 'select $1', ['id']],
    ['select :id::uuid, now()::date', 'select $1::uuid, now()::date', ['id']],
    ['select :b, :a, :b', 'select $1, $2, $1', ['b', 'a']],
    ['select :a, :ab', 'select $1, $2', ['a', 'ab']],
    [`select ':no', 'it''s :no', :yes`, `select ':no', 'it''s :no', $1`, ['yes']],
    ['select "a:no", :yes', 'select "a:no", $1', ['yes']],
    [`select '12:30'::time, x::"Kind"[]`, `select '12:30'::time, x::"Kind"[]`, []],
    ['(:a,:b)', '($1,$2)', ['a', 'b']],
  ];
  it.each(cases)('%s', (sql, text, names) => {
    expect(compileSql(sql)).toEqual({ text, names });
  });

  it('numbers more than nine parameters', () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${'abcdefghijkl'[at]}`);
    const { text } = compileSql(names.map((name) => `:${name}`).join(' '));
    expect(text).toBe(names.map((_, at) => `$${at + 1}`).join(' '));
  });
});

describe('valuesOf', () => {
  it('orders the values by the positions; null is a value', () => {
    expect(valuesOf(['b', 'a'], { a: 1, b: null, c: 3 })).toEqual([null, 1]);
  });

  it('throws for a missing value', () => {
    expect(() => valuesOf(['a', 'b'], { a: 1 })).toThrow("the statement's parameter :b has no value");
    expect(() => valuesOf(['a'], { a: undefined })).toThrow(':a has no value');
  });
});

it('binds a composed statement to the values that its text names', () => {
  const { add, where, conditions, values } = newSqlBuilder();
  const [first, unused, last] = [add(1), add('unused'), add([2])];
  where(`a = ${first}`);
  where(`b = any(${last}) or c = ${first} or d = :now`);
  expect(unused).toBe(':v2');
  expect(bindSql(`select 1 from t ${conditions()}`, { ...values, now: 3 })).toEqual({
    text: 'select 1 from t where a = $1 and b = any($2) or c = $1 or d = $3',
    values: [1, [2], 3],
  });
});
