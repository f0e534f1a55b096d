// Faults planted into what the protocols do with requests, and what they answer.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './mutation.ts';

const modifications = 'lib/payments/modifications.ts';
const cardModifications = 'lib/protocols/s2s-card/modifications.ts';

export const requestMutations: Mutation[] = [
  {
    name: 'a refund is accepted and not sent',
    file: modifications,
    from: "if (!isRepeat(inserted)) runInBackground('refund', () => executeModification(inserted, now));",
    to: '',
  },
  {
    name: 'a refund is accepted and not recorded',
    file: cardModifications,
    from: "acceptedResponse('CREDITVOID', (await modifyAmount(context, refund)).payment),",
    to: "acceptedResponse('CREDITVOID', context.subject),",
  },
  {
    name: 'a Checkout refund is accepted and not recorded',
    file: 'lib/protocols/checkout/modifications.ts',
    from: 'const { transaction } = await modifyAmount(context, refund);',
    to: 'const transaction = { id: context.subject.id };',
  },
  {
    name: 'a refund moves a cent less than asked for',
    file: 'lib/protocols/shared/modifications.ts',
    from: "return positiveMinorOf(input.amount, currency, 'amount');",
    to: "return positiveMinorOf(input.amount, currency, 'amount') - 1n;",
  },
  {
    name: 'a retry is accepted and not attempted',
    file: modifications,
    from: "  const prepared = await prepareAttempt(input);\n  if ('refused' in prepared)\n    return throwApiError(prepared.refused === 'busy' ? 'duplicateRequest' : 'actionNotSupported');\n  runInBackground('retry', () => executeAttempt(prepared, input));\n  return prepared.payment;",
    to: '  void [prepareAttempt, executeAttempt, input];\n  return payment;',
  },
  {
    name: 'the idempotency key is ignored',
    file: modifications,
    from: 'const repeat = idempotencyKey && (await findRepeat(payment.id, idempotencyKey));',
    to: 'const repeat = null as Transaction | null;',
    also: [
      {
        file: modifications,
        from: 'const intent = { payment, transaction, event: null, exclusive, reserveMinor, idempotencyKey };',
        to: 'const intent = { payment, transaction, event: null, exclusive, reserveMinor };\n    void findRepeat;',
      },
    ],
  },
  {
    name: 'a sale charges a cent less than asked for',
    file: 'lib/protocols/s2s-card/charge.ts',
    from: '  const amountMinor = minorOf(input.order_amount, currency);\n  const order = { currency, amountMinor };',
    to: '  const amountMinor = minorOf(input.order_amount, currency) - 1n;\n  const order = { currency, amountMinor };',
  },
  {
    name: 'a recurring sale charges a cent less than asked for',
    file: 'lib/protocols/s2s-card/charge.ts',
    from: "const amountMinor = positiveMinorOf(input.order_amount, currency, 'order_amount');",
    to: "const amountMinor = positiveMinorOf(input.order_amount, currency, 'order_amount') - 1n;",
  },
  {
    name: 'the status of every payment is answered as declined',
    file: cardModifications,
    from: "    result: 'SUCCESS',\n    status: s2sStatus[payment.state],",
    to: "    result: 'SUCCESS',\n    status: s2sStatus.declined,",
  },
  {
    name: 'the status of every Checkout payment is answered as settled',
    file: 'lib/protocols/checkout/status.ts',
    from: 'status: checkoutWireName(checkoutStatus[payment.state], payment, caller.mapping),',
    to: 'status: checkoutWireName(checkoutStatus.settled, payment, caller.mapping),',
  },
  {
    name: 'every void is answered as successful',
    file: cardModifications,
    from: "run: async (context) => modificationResponse('VOID', await modify(context, voidPayment)),",
    to: "run: async (context) => ({ ...modificationResponse('VOID', await modify(context, voidPayment)), result: 'SUCCESS' }),",
  },
  {
    name: 'a decline is answered as a success',
    file: 'lib/protocols/shared/s2s-responses.ts',
    from: "    case 'fail':\n      return 'DECLINED';",
    to: "    case 'fail':\n      return 'SUCCESS';",
  },
  {
    name: 'every sale is rejected',
    file: 'lib/protocols/s2s-card/charge.ts',
    from: '  const amountMinor = minorOf(input.order_amount, currency);\n  const order = { currency, amountMinor };',
    to: '  const amountMinor = minorOf(`${input.order_amount}x`, currency);\n  const order = { currency, amountMinor };',
  },
  {
    name: 'the payment page is not found',
    file: 'lib/payer/routes.ts',
    from: "  { method: 'GET', path: '/pay/:token', run: page },\n",
    to: '',
  },
  {
    name: 'every approved payment is listed as overpaid',
    file: 'lib/payments/attempt/outcome.ts',
    from: 'if (isExpected && amount.currency === currency) return null;',
    to: "if (isExpected && amount.currency === currency) return { kind: 'overpaid', amount };",
  },
  {
    name: 'a disabled account takes part',
    file: 'lib/routing/candidates.ts',
    from: "enabled: ({ enabled }) => (enabled ? null : 'switched off'),",
    to: "enabled: ({ enabled }) => (enabled || !enabled ? null : 'switched off'),",
    also: [
      {
        file: 'lib/merchants/queries.ts',
        from: 'where i.merchant_id = :merchantId::uuid and i.enabled order by',
        to: 'where i.merchant_id = :merchantId::uuid order by',
      },
    ],
  },
];
