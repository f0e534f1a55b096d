// Faults planted into callbacks.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './mutation.ts';

const queue = 'lib/callbacks/queue.ts';
const deliver = 'lib/callbacks/deliver.ts';
const render = 'lib/callbacks/render.ts';
const storedBody = 'lib/callbacks/stored-body.ts';
const outcome = 'lib/payments/attempt/outcome.ts';

export const callbackMutations: Mutation[] = [
  {
    name: 'a callback does not wait for an older one',
    file: queue,
    from: "where e.state = 'waiting'\n              and",
    to: "where e.state = 'waiting' and false\n              and",
  },
  {
    name: 'a capture is not reported',
    file: outcome,
    from: "        status: 'success',\n        report: { type: kind, outcome: 'success' },",
    to: "        status: 'success',\n        report: kind === 'capture' ? null : { type: kind, outcome: 'success' },",
  },
  {
    name: 'a decline is reported as a success',
    file: outcome,
    from: "        event: 'decline',\n        status: 'fail',\n        report: { type, outcome: 'fail' },",
    to: "        event: 'decline',\n        status: 'fail',\n        report: { type, outcome: 'success' },",
  },
  {
    name: 'a callback counts as delivered without an answer',
    file: deliver,
    from: 'await queue.recordAttempt(callback, attempt,',
    to: 'await queue.recordAttempt(callback, { ...attempt, httpStatus: 200, error: undefined },',
  },
  {
    name: 'a callback of a form protocol reports one cent',
    file: render,
    from: '  const amount = formatAmount(callback.amountMinor, payment.currency);',
    to: '  const amount = formatAmount(callback.amountMinor === 0n ? 0n : 1n, payment.currency);',
  },
  {
    name: 'a callback of Checkout reports the whole amount',
    file: render,
    from: '  return formatAmount(callback.amountMinor, payment.currency);',
    to: '  return payment.orderAmount;',
  },
  {
    name: 'the hash of a callback is wrong',
    file: storedBody,
    from: 'const hash = sign(recipe, { ...values, password: caller.key.password }',
    to: 'const hash = sign(recipe, { ...values, password: `${caller.key.password} ` }',
  },
  {
    name: 'the signature in the headers of a callback is wrong',
    file: render,
    from: 'callback.id, at, body)',
    to: 'callback.id, at, `${body}&`)',
  },
  {
    name: 'a callback is signed with the time at which it was queued',
    file: render,
    from: 'callback.id, at, body)',
    to: 'callback.id, callback.createdAt, body)',
  },
  {
    name: 'a callback reports the current state instead of the one it was queued with',
    file: render,
    from: 'status: wire.s2sStatus[callback.orderState]',
    to: 'status: wire.s2sStatus[payment.state]',
  },
  {
    name: 'a callback has the number of its tries as its sequence',
    file: render,
    from: "'florin-sequence': String(callback.sequence)",
    to: "'florin-sequence': String(callback.attempts + 1)",
  },
  {
    name: 'a repeated callback has another body',
    file: deliver,
    from: 'const message = await saveMessage(callback, subject);',
    to: 'const message = { body: callbackBody({ ...subject, callback: { ...callback, createdAt: now } }), differs: false };',
  },
  {
    name: 'a callback is stored with its hash',
    file: storedBody,
    from: "body.replace(hashField, '$1hash=')",
    to: 'body',
  },
  {
    name: 'the whole hash of a callback is stored with its attempt',
    file: queue,
    from: 'attempt.signature && hashStart(attempt.signature)',
    to: 'attempt.signature',
  },
  {
    name: 'a callback goes to the default address',
    file: 'lib/payments/transitions.ts',
    from: 'payment.notificationUrl ?? caller.mapping.defaultNotificationUrl',
    to: 'caller.mapping.defaultNotificationUrl',
  },
  {
    name: 'an older callback holds newer ones back for ever',
    file: queue,
    from: 'or least(e.refused_at, c.created_at) >',
    to: 'or true or least(e.refused_at, c.created_at) >',
  },
  {
    name: 'callbacks are claimed without a lease',
    file: queue,
    from: "set due_at = :now::timestamptz + interval '${leaseSeconds} seconds', claimed_at",
    to: 'set due_at = :now::timestamptz, claimed_at',
  },
  {
    name: 'the lease of a callback is shorter than a try',
    file: queue,
    from: 'const leaseSeconds = 40;',
    to: 'const leaseSeconds = 5;',
  },
  {
    name: 'a failed callback is repeated every five seconds',
    file: queue,
    from: 'const seconds = retrySeconds[made];',
    to: 'const seconds = retrySeconds[made] && retrySeconds[1];',
  },
  {
    name: 'a failed callback is repeated after an hour',
    file: queue,
    from: 'const seconds = retrySeconds[made];',
    to: 'const seconds = retrySeconds[made] && Math.max(3600, retrySeconds[made]);',
  },
  {
    name: 'a decline is not reported',
    file: outcome,
    from: "        event: 'decline',\n        status: 'fail',\n        report: { type, outcome: 'fail' },",
    to: "        event: 'decline',\n        status: 'fail',\n        report: null,",
  },
  {
    name: 'a failed refund is not reported',
    file: outcome,
    from: "        report: { type: kind, outcome: 'fail' },",
    to: "        report: kind === 'refund' ? null : { type: kind, outcome: 'fail' },",
  },
  {
    name: 'a success is reported twice',
    file: outcome,
    from: '    const updated = await commitTransition(transition, now);',
    to: `    const updated = await commitTransition(transition, now);
    if (updated && transition.event === 'settle') {
      const again = { ...transition, payment: updated, event: null, settledMinor: 0n, subscription: undefined };
      const callback = await newCallback(updated);
      await commitTransition({ ...again, transaction: { ...transaction, status: 'success' }, callback }, now);
    }`,
  },
  {
    name: 'an outcome is reported as unknown as well',
    file: 'lib/payments/unresolved.ts',
    from: 'const isReported = reported && !isNotFinal(transaction) &&',
    to: 'const isReported = reported &&',
  },
  {
    name: 'a card number is written to the log',
    file: 'lib/protocols/s2s-card/charge.ts',
    from: '    return { number, expMonth, expYear, cvv, holder };',
    to: '    process.stdout.write(`card ${number}\\n`);\n    return { number, expMonth, expYear, cvv, holder };',
  },
  {
    name: 'the security code is written to the request log',
    file: 'lib/telemetry/log.ts',
    from: '/cardnumber|cvv|',
    to: '/cardnumber|',
  },
  {
    name: 'card numbers are stored as they are',
    file: 'lib/vault/seal.ts',
    from: "sealed: keep ? await seal(card.number, 'card', { id, owner: merchantId }) : null,",
    to: "sealed: keep ? Buffer.concat([await seal(card.number, 'card', { id, owner: merchantId }), Buffer.from(card.number)]) : null,",
  },
  {
    name: 'the API key of an account is written to the log',
    file: 'lib/connectors/http.ts',
    from: '  const { settings } = target;\n  const headers',
    to: "  const { settings } = target;\n  log.info({ sent: settings.apiKey }, 'provider call');\n  const headers",
  },
];
