// The demo shop's S2S APM requests: a sale by the test wallet and its modifications. The wallet's account decides the
// outcome.
import { demoMerchant } from '../../core/demo-merchant';
import { customer, type Refused } from './checkout-requests';
import { callbackUrl, hashOf, postApm } from './florin-http';
import type { Action } from './order-model';
import { beginSale, lastSaleOf, type Order } from './orders';
import { applyAnswer, modificationAction, storeNextStep, storeSale, underWay } from './s2s-card-requests';
import type { Visit } from './visitor';

const brand = 'vcard';

/** Pays the order from a wallet account. A declined one may be repeated with a new order_id. */
export async function sellByWallet(order: Order, identifier: string, { origin, payerIp }: Visit): Promise<Refused> {
  const sale = await beginSale(order, '');
  if (!sale) return underWay;
  const { amount, currency } = order;
  const exchange = await postApm('sale', {
    action: 'SALE',
    client_key: demoMerchant.key,
    brand,
    order_id: sale.number,
    order_amount: amount,
    order_currency: currency,
    order_description: order.description,
    identifier,
    payer_email: customer.email,
    payer_ip: payerIp,
    return_url: `${origin}/shop/${order.id}?back=bank`,
    callback_url: callbackUrl(order.id),
    auth: order.authorize_only ? 'Y' : undefined,
    hash: hashOf('apmSale', { identifier, orderId: sale.number, amount, currency }),
  });
  await storeSale(order, sale, exchange);
  await storeNextStep(order.id, exchange.answer);
  return applyAnswer(order, exchange);
}

/** The identifying fields of an order's sale. CREDITVOID has its own hash. */
async function modificationFields(order: Order, action: string): Promise<Record<string, string>> {
  const transId = (await lastSaleOf(order.id))?.trans_id ?? '';
  const hash = hashOf(action === 'CREDITVOID' ? 'apmCreditVoid' : 'apmFollow', { transId });
  return { action, client_key: demoMerchant.key, trans_id: transId, hash };
}

/** Requests the status of the order's last sale. */
export async function requestWalletStatus(order: Order): Promise<Refused> {
  return applyAnswer(order, await postApm('status', await modificationFields(order, 'GET_TRANS_STATUS')));
}

/** Refunds, captures or voids the order's sale. */
export async function modifyWalletSale(order: Order, action: Action, amount: string | undefined): Promise<Refused> {
  const fields = await modificationFields(order, modificationAction(order, action));
  return applyAnswer(order, await postApm(action, { ...fields, amount: action === 'void' ? undefined : amount }));
}
