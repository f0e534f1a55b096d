// Rows of the jobs belong to one process at a time.
import type { World } from '../world.ts';

/** The statements that claim rows, by name, and their tables. */
const claims: Record<string, string> = {
  'transactions-due': 'transactions',
  'notification-claim': 'provider_notifications',
  'notifications-due': 'provider_notifications',
  'unresolved-due': 'unresolved',
  'subscriptions-due': 'subscriptions',
  'callbacks-claim': 'callbacks',
};
/** The shortest lease lasts 30 seconds. */
const leaseLeast = 30_000;

/**
 * A claimed row is not claimed again within its lease, unless another statement has written to its table meanwhile and
 * may have made it due. The times are those of the claims, so that clocks that differ do not matter.
 */
export function watchClaims({ base, statements, report }: World) {
  const counts = new Map<string, number>();
  const before = new Map<string, { at: number; others: number }>();
  statements.push((name, values) => {
    const table = claims[name];
    if (!table) return undefined;
    const count = counts.get(table) ?? 0;
    counts.set(table, count + 1);
    const at = values.find((value) => value instanceof Date)?.getTime() ?? 0;
    const others = (base.writes.get(table) ?? 0) - count;
    return ({ fields, rows }) => {
      const place = fields.findIndex((field) => /(^|\.)id$/.test(field.name));
      for (const row of rows) {
        const key = `${table} ${row[place]}`;
        const last = before.get(key);
        if (last && last.others === others && at < last.at + leaseLeast)
          report(`a row of ${table} was claimed again ${Math.round((at - last.at) / 100) / 10} s after its claim`);
        before.set(key, { at, others });
      }
    };
  });
}
