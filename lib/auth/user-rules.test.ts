import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../e2e/support/text-table.ts';
import {
  assignableRoles,
  mayAssignRole,
  mayManageUser,
  type Role,
  removesLastAdministrator,
  type Subject,
  type UserAction,
} from './roles.ts';

const short: Record<string, Role> = {
  administrator: 'administrator',
  manager: 'account_manager',
  owner: 'merchant_owner',
  operator: 'operator',
  viewer: 'viewer',
};

/** `owner of a` is another user; `owner of a, themselves` is the same user as both. */
function person(text: string, id: string): Subject {
  const [role = '', merchantId] = text.split(' of ');
  return { id, role: short[role] as Role, merchantId: merchantId ?? null };
}

describe('who may assign which role', () => {
  const table = rowsOf(`
    actor         | administrator | manager | owner of a | operator of a | viewer of a | owner of b | operator | administrator of a
    administrator | yes           | yes     | yes        | yes           | yes         | yes        | no       | no
    manager       | no            | no      | yes        | yes           | yes         | yes        | no       | no
    owner of a    | no            | no      | yes        | yes           | yes         | no         | no       | no
    operator of a | no            | no      | no         | no            | no          | no         | no       | no
    viewer of a   | no            | no      | no         | no            | no          | no         | no       | no
  `);
  const [[, ...input] = [], ...rows] = table;
  it.each(rows)('%s', (actor = '', ...wanted) => {
    const matches = input.map((text) => {
      const { role, merchantId } = person(text, 'x');
      return mayAssignRole(person(actor, 'actor'), role, merchantId) ? 'yes' : 'no';
    });
    expect(matches).toEqual(wanted);
  });

  it.each([
    ['administrator', 'administrator account_manager merchant_owner operator viewer'],
    ['manager', 'merchant_owner operator viewer'],
    ['owner of a', 'merchant_owner operator viewer'],
    ['viewer of a', ''],
  ])('%s can assign %s', (actor, wanted) => {
    expect(assignableRoles(person(actor, 'actor')).join(' ')).toBe(wanted);
  });
});

describe('who may change which user', () => {
  const table = rowsOf(`
    actor         | act           | administrator | manager | owner of a | viewer of a | viewer of b
    administrator | role          | yes           | yes     | yes        | yes         | yes
    administrator | second_factor | yes           | yes     | yes        | yes         | yes
    manager       | role          | no            | no      | yes        | yes         | yes
    manager       | disable       | no            | no      | yes        | yes         | yes
    manager       | second_factor | no            | no      | no         | no          | no
    owner of a    | role          | no            | no      | yes        | yes         | no
    owner of a    | sessions      | no            | no      | yes        | yes         | no
    owner of a    | second_factor | no            | no      | no         | no          | no
    operator of a | disable       | no            | no      | no         | no          | no
  `);
  const [[, , ...subjects] = [], ...rows] = table;
  it.each(rows)('%s, %s', (actor = '', act = '', ...wanted) => {
    const matches = subjects.map((text) =>
      mayManageUser(person(actor, 'actor'), person(text, 'subject'), act as UserAction) ? 'yes' : 'no',
    );
    expect(matches).toEqual(wanted);
  });

  it.each(['role', 'disable', 'enable', 'sessions', 'second_factor'] as const)('not allowed on oneself: %s', (act) => {
    const own = person('administrator', 'one');
    expect(mayManageUser(own, own, act)).toBe(false);
  });
});

describe('the last administrator', () => {
  it.each([
    ['administrator', 'account_manager', 0, true],
    ['administrator', null, 0, true],
    ['administrator', 'administrator', 0, false],
    ['administrator', null, 1, false],
    ['viewer', null, 0, false],
  ] as const)('%s to %s with %s others: %s', (role, next, others, wanted) => {
    expect(removesLastAdministrator({ role }, next, others)).toBe(wanted);
  });
});
