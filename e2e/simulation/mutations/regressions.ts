// Faults that simulated histories have found in the service, planted again: the reverse of each correction.
import type { Mutation } from './mutation.ts';

const sync = 'lib/payments/provider-sync.ts';
const compare = 'lib/payments/compare-outcome.ts';
const modifications = 'lib/payments/modifications.ts';
const resolve = 'lib/payments/resolve-unresolved.ts';
const unresolved = 'lib/payments/unresolved.ts';

export const regressionMutations: Mutation[] = [
  {
    name: 'a refusal of a repeat decides a void',
    file: 'lib/payments/provider-requests.ts',
    from: 'unknownIfUnavailable(await sentTo.connector.modify(sentTo.target, request))',
    to: 'await sentTo.connector.modify(sentTo.target, request)',
  },
  {
    name: 'a set has two rows of one callback',
    file: 'lib/db/statement.ts',
    from: 'encode([...first] as never[])',
    to: 'encode(rows as never[])',
  },
  {
    name: 'a set has two rows of one payment',
    file: 'lib/payments/attempt/insert.ts',
    from: '!ids.has(idOf(item)) && ids.add(idOf(item))',
    to: 'ids.add(idOf(item))',
  },
  {
    name: 'amounts of captures and refunds are not compared',
    file: compare,
    from: 'if (!amount || isRelease(payment, transaction)) return null;',
    to: 'if (!amount || !isAttempt(transaction)) return null;',
  },
  {
    name: 'a difference that has replaced another one is not listed',
    file: compare,
    from: "  if (known && known.closedBy !== 'florin') return false;",
    to: '  if (known?.closedAt !== null) return false;',
  },
  {
    name: 'an outcome closes an item that was found after its request',
    file: compare,
    from: 'const isOpen = items.some(({ closedAt }) => closedAt === null);',
    to: "const { closeUnresolved } = await import('./unresolved.ts');\n      for (const item of kind === null ? items.filter(({ closedAt }) => closedAt === null) : [])\n        await closeUnresolved(both, item, { by: 'florin', resolution: 'The provider and the payment agree', reported: false }, now);\n      const isOpen = kind !== null && items.some(({ closedAt }) => closedAt === null);",
  },
  {
    name: 'the end of a late success is reported that was not reported',
    file: unresolved,
    from: 'return decidesPayment(both) && (await endsReport({ id, paymentId })).length > 0;',
    to: 'return decidesPayment(both) && id !== paymentId;',
  },
  {
    name: 'a poll from before an authorisation expires it',
    file: sync,
    from: 'if (!both?.transaction.dueAt || both.transaction.dueAt > leasedUntil) return;',
    to: 'if (!both?.transaction.dueAt) return;',
  },
  {
    name: 'an authorisation that is taken back waits for its capture',
    file: compare,
    from: "if (kind !== 'declined') return true;",
    to: "if (kind !== 'authorized') return true;",
  },
  {
    name: 'a look-up from before an outcome completes its notification',
    file: compare,
    from: 'if (!isFinalOutcome(current)) return false;',
    to: 'if (!isFinalOutcome(current)) return true;',
    also: [{ file: sync, from: "return isFinalOutcome(reported) ? 'done' : 'open';", to: "return 'done';" }],
  },
  {
    name: 'what is reported of an attempt that is being cancelled is not compared',
    file: sync,
    from: '? isApplied(transaction, after.transaction)',
    to: '? true',
  },
  {
    name: 'a refund that was sent is forgotten when the payment is settled',
    file: resolve,
    from: "if (item.refundSentAt !== null && both.transaction.status === 'success')",
    to: 'if (item.refundSentAt === undefined)',
  },
  {
    name: 'a refund of another amount is forgotten when the payment is settled',
    file: resolve,
    from: "return scheduleItem(item, 'task', now, isNothingRefunded(outcome));",
    to: "return scheduleItem(item, 'task', now, true);",
  },
  {
    name: 'the rest of a refunded attempt is not compared',
    file: resolve,
    from: 'const isLookedUpAgain = done === returnedResolutions.refund;',
    to: 'const isLookedUpAgain = false;',
  },
  {
    name: 'an item keeps the amount that was reported first',
    file: unresolved,
    from: 'await updateAmount(transaction.id, kind, { minor, currency }, subject);',
    to: '',
  },
  {
    name: 'a look-up without an outcome is repeated for ever',
    file: compare,
    from: 'if (!isFinalOutcome(outcome) || (await',
    to: 'if ((await',
  },
  {
    name: 'a chargeback is looked up and sent',
    file: sync,
    from: "return both?.transaction.kind === 'chargeback' ? null : both;",
    to: 'return both;',
    also: [
      {
        file: modifications,
        from: "if (kind !== 'reversal') throw",
        to: "if (kind !== 'reversal') return 'void';\n  if (kind === 'sale') throw",
      },
    ],
  },
  {
    name: 'an authorisation that was captured is listed as not released',
    file: resolve,
    from: 'if (isReplaced && !isHeld)',
    to: "if (isReplaced && item.kind !== 'not_released')",
  },
  {
    name: 'another amount of a declined attempt is not listed as a late success',
    file: resolve,
    from: '(isSuccess || item.refundSentAt === null) &&',
    to: 'isSuccess &&',
  },
  {
    name: 'a missed slot is begun for the time that was announced',
    file: 'lib/recurring/charge.ts',
    from: 'const { planned, shift } = decision;',
    to: 'const { at: planned, shift } = decision;',
  },
  {
    name: 'a call that could not be made ends the request that was sent again',
    file: 'lib/payments/attempt/outcome.ts',
    from: '|| !isResent) return outcome;',
    to: '|| isResent !== undefined) return outcome;',
  },
  {
    name: 'a transaction goes to the account that this process has read',
    file: 'lib/merchants/merchants.ts',
    from: 'if (mid && mid.settingsVersion < settingsVersion) {',
    to: 'if (mid === undefined) {',
  },
];
