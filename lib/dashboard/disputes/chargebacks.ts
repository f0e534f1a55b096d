/** The chargebacks list; each row links to its payment. */

import { formatAmount } from '../../core/money';
import { methodLabel, moneyText } from '../labels';
import type { ChargebackRow, ListOf } from '../lists/contract';
import { readPage } from '../lists/paging';
import { type ListRequest, readCode, readListParams } from '../lists/params';
import { payerName } from '../lists/rows';
import { type ListedChargeback, listChargebacks } from './queries';
import { reasonCodeText } from './reason-codes';

/** A page of chargebacks: `q`, `reason` (the bank's code), `currency`, `from`, `to`. */
export async function chargebackList({ query, scope, zone }: ListRequest): Promise<ListOf<ChargebackRow>> {
  const params = readListParams(query, zone);
  const filter = {
    ...params,
    merchantId: scope,
    reasonCode: readCode(query, 'reason'),
    currency: readCode(query, 'currency'),
  };
  const page = await readPage(
    params,
    (place) => listChargebacks(filter, place),
    ({ transaction }) => transaction,
  );
  return { ...page, rows: page.rows.map(rowOf) };
}

function rowOf({ payment, transaction, merchantName }: ListedChargeback): ChargebackRow {
  const reasonCode = transaction.providerData.extended?.reason_code ?? null;
  const { amountMinor, currency } = transaction;
  return {
    id: transaction.id,
    amount: formatAmount(amountMinor, currency),
    currency,
    ofAmount: amountMinor < payment.settledMinor ? moneyText(payment.settledMinor, payment.currency) : null,
    reasonCode,
    reason: reasonCode && reasonCodeText(reasonCode),
    orderNumber: payment.orderNumber,
    paymentId: payment.id,
    method: methodLabel(payment),
    payer: payerName(payment),
    merchantName,
    createdAt: transaction.createdAt.toISOString(),
  };
}
