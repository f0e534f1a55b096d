// Faults planted into payments, refunds and what is listed as unresolved.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './mutation.ts';

const outcome = 'lib/payments/attempt/outcome.ts';
const insert = 'lib/payments/attempt/insert.ts';
const failover = 'lib/payments/attempt/failover.ts';
const call = 'lib/payments/attempt/provider-call.ts';
const sync = 'lib/payments/provider-sync.ts';
const transitions = 'lib/payments/transitions.ts';
const modifications = 'lib/payments/modifications.ts';
const chargebacks = 'lib/payments/chargebacks.ts';
const compare = 'lib/payments/compare-outcome.ts';
const resolve = 'lib/payments/resolve-unresolved.ts';
const unresolved = 'lib/payments/unresolved.ts';
const http = 'lib/connectors/http.ts';
const slots = 'lib/schedules/slot-moves.ts';

export const paymentMutations: Mutation[] = [
  // Unknown is not declined.
  {
    name: 'a broken connection counts as never sent',
    file: http,
    from: 'neverSent: isBeforeSending(error) }',
    to: 'neverSent: true }',
  },
  {
    name: 'an operation that is not found is declined without a void',
    file: sync,
    from: 'return cancelAtProvider(after, notReceived.reason, now);',
    to: "return resolveAttempt(after, { kind: 'declined', decline: notReceived, facts: {} }, null, now);",
  },
  {
    name: 'a payout that is not found is declined',
    file: sync,
    from: '  return resendRequest(after, now);',
    to: "  return resolveAttempt(after, { kind: 'declined', decline: notReceived, facts: {} }, null, now);",
  },
  {
    name: 'any answer to a void counts as approved',
    file: sync,
    from: "  const outcome = await voidOrRefund(transaction, 'void', cancelKey(transaction, 'cancel'));\n  if (outcome.kind === 'approved')",
    to: "  const outcome = await voidOrRefund(transaction, 'void', cancelKey(transaction, 'cancel'));\n  if (outcome.kind !== 'unknown')",
  },
  {
    name: 'an authorisation expires although its void was refused',
    file: sync,
    from: "if (voidOutcome.kind === 'approved') return writeExpiry",
    to: "if (voidOutcome.kind !== 'unknown') return writeExpiry",
  },
  {
    name: 'an unknown outcome goes to another account',
    file: failover,
    from: '  let answer = outcome;',
    to: "  let answer: Outcome = outcome.kind === 'unknown' ? { kind: 'declined', decline: notReceived, facts: {} } : outcome;",
  },
  // Records.
  { name: 'an attempt is not due', file: call, from: 'dueAt: firstPollAt(mid, now),', to: 'dueAt: null,' },
  {
    name: 'an outcome does not check the version',
    file: insert,
    from: 'join i on i.${paymentId} = p.id and i.version = p.version',
    to: 'join i on i.${paymentId} = p.id',
  },
  {
    name: 'an unknown outcome is not due',
    file: outcome,
    from: 'report: { type, outcome },\n    dueAt: nextPollAt({ ...transaction, status, polls: 0 }, now),',
    to: 'report: { type, outcome },',
  },
  {
    name: 'a payment stays in flight after its outcome',
    file: transitions,
    from: 'in_flight_id = case when i.final and payments.in_flight_id = t.id then null else payments.in_flight_id end,',
    to: '',
  },
  {
    name: 'an outcome leaves the version as it is',
    file: transitions,
    from: 'state = i.state, version = payments.version + 1, updated_at = i.at,',
    to: 'state = i.state, version = payments.version, updated_at = i.at,',
  },
  // Sums.
  {
    name: 'a refund reserves nothing',
    file: modifications,
    from: "const reserveMinor = kind === 'refund' ? amountMinor : 0n;",
    to: 'const reserveMinor = 0n;',
  },
  {
    name: 'a declined refund keeps its reservation',
    file: outcome,
    from: "    case 'declined':\n      return {\n        event: null,\n        status: 'fail',\n        report: { type: kind, outcome: 'fail' },\n        providerData: outcome.facts,\n        decline: outcome.decline,\n        ...reserved,",
    to: "    case 'declined':\n      return {\n        event: null,\n        status: 'fail',\n        report: { type: kind, outcome: 'fail' },\n        providerData: outcome.facts,\n        decline: outcome.decline,",
  },
  {
    name: 'a refund is booked a cent too low',
    file: outcome,
    from: "...(kind === 'refund' ? { refundedMinor: amountMinor } : {}),",
    to: "...(kind === 'refund' ? { refundedMinor: amountMinor - 1n } : {}),",
  },
  {
    name: 'a capture books the whole amount',
    file: outcome,
    from: "...(kind === 'capture' ? { settledMinor: amountMinor } : {}),",
    to: "...(kind === 'capture' ? { settledMinor: payment.amountMinor } : {}),",
  },
  {
    name: 'the amount of the answer is not compared',
    file: outcome,
    from: 'const discrepancy = findDiscrepancy({ payment, transaction }, outcome);',
    to: 'const discrepancy = null as ReturnType<typeof findDiscrepancy>;',
  },
  {
    name: 'a chargeback is booked a cent too low',
    file: chargebacks,
    from: '    amountMinor: amount.minor,',
    to: '    amountMinor: amount.minor - 1n,',
  },
  {
    name: 'a capture and a void run at the same time',
    file: modifications,
    from: 'const intent = { payment, transaction, event: null, exclusive, reserveMinor, idempotencyKey };',
    to: 'const intent = { payment, transaction, event: null, exclusive: exclusive && false, reserveMinor, idempotencyKey };',
  },
  // Keys.
  {
    name: 'a request that is sent again has another key',
    file: sync,
    from: 'const outcome = payload ? await callProvider(resent, mid, payload)',
    to: 'const outcome = payload ? await callProvider({ payment, transaction: { ...transaction, id: newId() } }, mid, payload)',
  },
  {
    name: 'a slot is charged under a new id',
    file: slots,
    from: 'return v5(`slot-${attemptSuffix(done, retry)}`, id);',
    to: 'return v5(`slot-${attemptSuffix(done, retry)}-${Math.random()}`, id);',
  },
  {
    name: 'a chargeback is booked under a new id',
    file: chargebacks,
    from: "v5(id === 'chargeback' ? id : `chargeback ${id}`, attemptId);",
    to: "v5(`${id === 'chargeback' ? id : `chargeback ${id}`}-${Math.random()}`, attemptId);",
  },
  // Differences from the provider.
  {
    name: 'differences are not listed',
    file: unresolved,
    from: '  const { payment, transaction } = both;\n  const { minor, currency } = amount ??',
    to: "  if (kind !== 'chargeback_mismatch') return false;\n  const { payment, transaction } = both;\n  const { minor, currency } = amount ??",
  },
  {
    name: 'a final outcome is not compared',
    file: compare,
    from: '  for (let round = 0; round < maxRounds; round += 1) {',
    to: '  if (transaction) return true;\n  for (let round = 0; round < maxRounds; round += 1) {',
  },
  {
    name: 'a withdrawn approval counts as undone by Florin',
    file: compare,
    from: "if (payment.state === 'declined') return true;",
    to: 'if (payment) return true;',
  },
  {
    name: 'a notification is processed once, whatever its look-up says',
    file: sync,
    from: "  if (!isCompared || reported.kind === 'unknown' || reported.kind === 'absent') return 'again';\n  return isFinalOutcome(reported) ? 'done' : 'open';",
    to: "  return isCompared || isFinalOutcome(reported) ? 'done' : 'done';",
  },
  {
    name: 'the chargebacks of a look-up are ignored',
    file: sync,
    from: "if ('facts' in reported && reported.facts.chargebacks) {",
    to: "if ('facts' in reported && reported.facts.chargebacks && transaction.status === 'sent') {",
  },
  {
    name: 'a refunded late success is listed again',
    file: compare,
    from: ' || isRefunded(transaction, items, outcome.amount)',
    to: '',
  },
  {
    name: 'an unresolved item is closed without a look-up',
    file: resolve,
    from: 'const difference = await findDifference(both, current, items);',
    to: 'const difference = null as Awaited<ReturnType<typeof findDifference>>;',
  },
  {
    name: 'an authorisation is refunded',
    file: resolve,
    from: "action === 'refund' && kind === 'authorized';",
    to: "action === 'refund' && kind === 'unknown';",
  },
  {
    name: 'a visit of the return address counts as an answer of the provider',
    file: sync,
    from: "  const both = await findLookedUp(transactionId);\n  if (both && both.transaction.status !== 'success')",
    to: "  const { statement } = await import('../db/index.ts');\n  await statement<{ id: string; at: Date }>('return', 'update transactions set heard_at = :at::timestamptz where id = :id::uuid')({ id: transactionId, at: now });\n  const both = await findLookedUp(transactionId);\n  if (both && both.transaction.status !== 'success')",
  },
];
