import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../project.ts';
import { deleteSql, planTables, type Reference, rowsSql } from './tables.ts';

const reference = (text: string): Reference => {
  const [child = '', column = '', parent = '', key = ''] = text.split(/ -> |\./);
  return { child, column, parent, key };
};

const foreignKeys = [
  'transactions.payment_id -> payments.id',
  'unresolved.transaction_id -> transactions.id',
  'unresolved.payment_id -> payments.id',
  'callbacks.payment_id -> payments.id',
  'callback_attempts.callback_id -> callbacks.id',
  'sim_notifications.operation_id -> sim_operations.id',
  'payments.merchant_id -> merchants.id',
  'archived_payments.merchant_id -> merchants.id',
].map(reference);

const order = [
  ...['merchants', 'archived_payments', 'messages', 'payments', 'sim_operations', 'used_wallet_tokens'],
  ...['callbacks', 'sim_notifications', 'transactions', 'callback_attempts', 'unresolved'],
];
const plan = planTables(foreignKeys, ['unresolved.payment_id', 'messages.payment_id'], order);
const named = (name: string) => plan.tables.find((table) => table.name === name);

describe('the plan of the archive', () => {
  it('has the tables that refer to a payment, referenced ones first', () => {
    expect(plan.tables.map(({ name }) => name)).toEqual(
      order.filter((name) => !['merchants', 'archived_payments'].includes(name)),
    );
  });

  it('deletes rows before those that they lead to', () => {
    const names = plan.deletion.map(({ name }) => name);
    const references = [...foreignKeys, reference('sim_operations.key -> transactions.id')];
    for (const { child, parent } of references.filter((each) => names.includes(each.parent))) {
      expect(names.indexOf(child), `${child} before ${parent}`).toBeLessThan(names.indexOf(parent));
    }
  });

  it('takes the shortest way to the payment', () => {
    expect(named('payments')).toMatchObject({ joins: '', payment: 't.id' });
    expect(named('unresolved')).toMatchObject({ joins: '', payment: 't."payment_id"' });
    expect(named('callback_attempts')).toMatchObject({
      joins: 'join "callbacks" u1 on u1.id = t."callback_id"',
      payment: 'u1."payment_id"',
    });
    expect(named('sim_notifications')).toMatchObject({
      joins: 'join "sim_operations" u1 on u1.id = t."operation_id" join "transactions" u2 on u2.id::text = u1."key"',
      payment: 'u2."payment_id"',
    });
  });

  it('reads and deletes the same rows', () => {
    const attempts = named('callback_attempts');
    if (!attempts) throw new Error('no callback_attempts');
    const from = `"callback_attempts" t ${attempts.joins}`;
    expect(rowsSql(attempts, false)).toContain(from);
    expect(rowsSql(attempts, true)).toMatch(/ for update of t$/);
    expect(deleteSql(attempts)).toContain(from);
  });

  it('refuses a column of a payment that it does not know', () => {
    expect(() => planTables(foreignKeys, ['receipts.payment_id'], order)).toThrow('receipts.payment_id');
  });

  it('knows every column of the schema', () => {
    const folder = join(root, 'prisma', 'schema');
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const columns: string[] = [];
    const keys: Reference[] = [];
    for (const [, body = ''] of text.matchAll(/^model \w+ \{(.*?)^\}/gms)) {
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
      for (const [, column = ''] of body.matchAll(/@map\("(payment_id|transaction_id)"\)/g))
        columns.push(`${table}.${column}`);
      for (const [, field] of body.matchAll(/@relation\(fields: \[(paymentId|transactionId)\]/g)) {
        const [parent, column] =
          field === 'paymentId' ? ['payments', 'payment_id'] : ['transactions', 'transaction_id'];
        keys.push({ child: table, column, parent, key: 'id' });
      }
    }
    expect([columns.length > 10, keys.length > 4]).toEqual([true, true]);
    expect(() => planTables(keys, columns, order)).not.toThrow();
  });
});
