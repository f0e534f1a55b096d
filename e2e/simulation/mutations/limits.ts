// Faults planted into turnover limits, debits and the rotation of keys.
import type { Mutation } from './mutation.ts';

const limits = 'lib/routing/turnover-limits.ts';

export const limitMutations: Mutation[] = [
  {
    name: 'the turnover is not summed again under the lock',
    file: limits,
    from: '      const exceeded = await firstExceeded(limits, wanted, run);',
    to: '      const exceeded = undefined as TurnoverLimit | undefined;',
  },
  {
    name: 'an attempt without an outcome has no turnover',
    file: limits,
    from: "and t.status <> 'fail' and",
    to: "and t.status = 'success' and",
  },
  {
    name: 'a payment may exceed a limit that is not reached yet',
    file: limits,
    from: '(await usedAmount(each, wanted, run)) + wanted.amountMinor > each.maxMinor',
    to: '(await usedAmount(each, wanted, run)) > each.maxMinor',
  },
  { name: 'a limit includes what was declined', file: limits, from: "and t.status <> 'fail' and", to: 'and' },
  {
    name: 'a limit includes the day before',
    file: limits,
    from: 'return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));',
    to: 'return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 1));',
  },
  {
    name: 'the week of a limit begins on Sunday',
    file: limits,
    from: '((day.getUTCDay() + 6) % 7)',
    to: 'day.getUTCDay()',
  },
  {
    name: 'a repeated request is refused for the limit that its payment has reached',
    file: 'lib/protocols/shared/request-checks.ts',
    from: 'if (!best && query.request && (await findRepeated(caller, query.request, now)))',
    to: 'if (!best && query.request && now.getTime() === 0)',
  },
  {
    name: 'a debit is returned in part',
    file: 'lib/payments/available-actions.ts',
    from: "if (releases || operation === 'debit') return allowed(reversalOf(payment));",
    to: 'if (releases) return allowed(reversalOf(payment));',
  },
  {
    name: 'a charge of a debit is a sale',
    file: 'lib/callbacks/render.ts',
    from: "return payment.operation === 'debit' ? 'RECURRING_DEBIT' : 'RECURRING_SALE';",
    to: "return 'RECURRING_SALE';",
  },
  {
    name: 'a key is accepted after its end',
    file: 'lib/merchants/merchants.ts',
    from: 'if (!keyRow?.merchantEnabled || hasEnded(keyRow, now)) return null;',
    to: 'if (!keyRow?.merchantEnabled) return null;',
  },
  {
    name: 'a key that has ended signs no callbacks',
    file: 'lib/merchants/queries.ts',
    from: 'where k.id = :id::uuid`',
    to: 'where k.id = :id::uuid and (k.valid_until is null or k.valid_until > now())`',
  },
  {
    name: 'callbacks are signed with the newest key',
    file: 'lib/merchants/queries.ts',
    from: 'where k.id = :id::uuid`',
    to: 'where k.merchant_id = (select merchant_id from merchant_keys where id = :id::uuid) order by k.valid_until desc limit 1`',
  },
  {
    name: 'a schedule is charged with a key that has ended',
    file: 'lib/recurring/charge.ts',
    from: 'const caller = await currentCallerOf(chain.first, now);',
    to: 'const caller = await currentCallerOf(chain.first, new Date(0));',
  },
];
