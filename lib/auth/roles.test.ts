import { describe, expect, it } from 'vitest';
import { may, merchantOf, type Right, type Role, roleNames } from './roles.ts';

const roles = Object.keys(roleNames) as Role[];

// administrator, account manager, merchant owner, operator, viewer
const table: [Right, string][] = [
  ['payments.read', 'yes yes yes yes yes'],
  ['own.change', 'yes yes yes yes yes'],
  ['payments.export', 'yes yes yes yes no'],
  ['payments.capture', 'yes yes yes yes no'],
  ['payments.refund', 'yes yes yes yes no'],
  ['payments.void', 'yes yes yes yes no'],
  ['unresolved.close', 'yes yes yes yes no'],
  ['reconciliation.read', 'yes yes yes yes no'],
  ['reconciliation.write', 'yes yes yes no no'],
  ['payments.sync', 'yes yes yes yes no'],
  ['schedules.change', 'yes yes yes yes no'],
  ['tokens.remove', 'yes yes yes yes no'],
  ['callbacks.resend', 'yes yes yes yes no'],
  ['developers.read', 'yes yes yes yes no'],
  ['callbacks.hold', 'yes yes yes no no'],
  ['developers.send', 'yes yes yes no no'],
  ['settings.read', 'yes yes yes no no'],
  ['keys.read', 'yes yes yes no no'],
  ['keys.change', 'yes yes yes no no'],
  ['branding.change', 'yes yes yes no no'],
  ['users.read', 'yes yes yes no no'],
  ['users.change', 'yes yes yes no no'],
  ['audit.read', 'yes yes yes no no'],
  ['settings.change', 'yes yes no no no'],
  ['merchants.create', 'yes yes no no no'],
  ['audit.verify', 'yes yes no no no'],
];

describe('rights', () => {
  it.each(table)('%s: %s', (right, wanted) => {
    expect(roles.map((role) => (may(role, right) ? 'yes' : 'no')).join(' ')).toBe(wanted);
  });
});

describe('the merchant of a user', () => {
  const id = 'u';
  const merchantId = 'm';

  it('is null for roles that manage all merchants', () => {
    expect(merchantOf({ id, role: 'administrator', merchantId: null })).toBeNull();
    expect(merchantOf({ id, role: 'account_manager', merchantId: null })).toBeNull();
  });

  it.each(['merchant_owner', 'operator', 'viewer'] as const)('is required for a %s', (role) => {
    expect(merchantOf({ id, role, merchantId })).toBe(merchantId);
    expect(() => merchantOf({ id, role, merchantId: null })).toThrow('no merchant');
  });
});
