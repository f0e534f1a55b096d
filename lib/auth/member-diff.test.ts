import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../e2e/support/text-table.ts';
import { diffMembers } from './audit.ts';

const table = rowsOf(`
  {"a": 1}                        | {"a": 1}                        | {}                   | {}
  {"a": 1, "b": 2}                | {"b": 2, "a": 3}                | {"a": 1}             | {"a": 3}
  {"a": null}                     | {}                              | {}                   | {}
  {}                              | {"a": "x"}                      | {"a": null}          | {"a": "x"}
  {"a": "x"}                      | {}                              | {"a": "x"}           | {"a": null}
  {"a": ["x"]}                    | {"a": ["x", "y"]}               | {"a": ["x"]}         | {"a": ["x", "y"]}
  {"a": {"b": 1, "c": 2}}         | {"a": {"c": 3, "b": 1}}         | {"a.c": 2}           | {"a.c": 3}
  {"a": {"b": {"c": true}}}       | {"a": {"b": {"c": false}}}      | {"a.b.c": true}      | {"a.b.c": false}
  {"a": {"b": 1}}                 | {"a": null}                     | {"a.b": 1}           | {"a.b": null}
  {"a": "1"}                      | {"a": 1}                        | {"a": "1"}           | {"a": 1}
  {"a": [{"x": 1, "y": 2}]}       | {"a": [{"y": 2, "x": 1}]}       | {}                   | {}
`);

describe('the fields that differ', () => {
  it.each(table)('%s and %s', (before = '', after = '', was = '', is = '') => {
    const matches = diffMembers(JSON.parse(before), JSON.parse(after));
    expect(matches).toEqual({ before: JSON.parse(was), after: JSON.parse(is) });
  });
});
