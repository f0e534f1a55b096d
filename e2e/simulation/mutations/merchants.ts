// Faults planted into what keeps merchants apart.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './mutation.ts';

const queries = 'lib/payments/queries.ts';

export const merchantMutations: Mutation[] = [
  {
    name: 'a transaction of another merchant is found',
    file: 'lib/protocols/s2s-card/modifications.ts',
    from: 'return match?.payment.merchantId === merchant.id && match.payment.protocol === protocol',
    to: 'return match?.payment.protocol === protocol',
  },
  {
    name: 'a payment of another merchant is found',
    file: queries,
    from: "return row && (merchantId === null || row['p.merchantId'] === merchantId)",
    to: 'return row',
  },
  {
    name: 'an order of another merchant is found by its number',
    file: queries,
    from: 'where p.merchant_id = :merchantId and p.order_number = :orderNumber',
    to: "where :merchantId::text <> '' and p.order_number = :orderNumber",
  },
  {
    name: 'a schedule of another merchant is found',
    file: 'lib/schedules/schedules.ts',
    from: 'from schedules where id = :id and merchant_id = :merchantId and deleted_at is null`,',
    to: "from schedules where id = :id and :merchantId::text <> '' and deleted_at is null`,",
  },
  {
    name: 'a recurring token of another merchant is charged',
    file: 'lib/payments/attempt/pay.ts',
    from: '`${chainSql} and r.merchant_id = :merchantId and r.first_trans_id = :firstTransId`',
    to: "`${chainSql} and :merchantId::text <> '' and r.first_trans_id = :firstTransId`",
  },
  {
    name: 'an account of another merchant takes part',
    file: 'lib/merchants/queries.ts',
    from: 'where i.merchant_id = :merchantId::uuid and i.enabled order by',
    to: "where :merchantId::text <> '' and i.enabled order by",
  },
  {
    name: 'the settings of a merchant are used for the other one',
    file: 'lib/merchants/merchants.ts',
    from: 'return cached(`merchant:${merchantId}`,',
    to: "return cached('merchant',",
  },
];
