// A shop's server that uses S2S APM, signed as the contract says.
import { signApm, signApmFields } from './apm-signatures.ts';
import { type Changes, changed } from './merchant.ts';
import type { Credentials } from './merchants.ts';
import { formClient, orderNumberOf, textOf } from './s2s-merchant.ts';
import type { ShopServer } from './shop-server.ts';

export type ApmMerchant = ReturnType<typeof apmMerchant>;

/** A valid payout by kora. */
export const koraPayout: Changes = {
  brand: 'kora',
  order_amount: '2000',
  order_currency: 'XOF',
  order_description: undefined,
  parameters: { mobile_money_operator: 'mtn-ci', mobile_number: '2250700000000', customer_email: 'awa@example.com' },
  payee_first_name: 'Awa',
  payee_last_name: 'Traore',
  payee_email: 'awa@example.com',
};

/** Acts as the merchant with these credentials at the server at `baseUrl`. */
export function apmMerchant(baseUrl: string, credentials: Credentials, shopServer: ShopServer) {
  const { key } = credentials;
  const { send, post, accepted } = formClient(baseUrl, '/s2s/apm/post');

  /** SALE and the two debits, without the hash. By default the test wallet settles the payment. */
  function chargeBody(action: string, changes: Changes = {}): Changes {
    const orderId = orderNumberOf(changes);
    const base = {
      action,
      client_key: key,
      brand: 'vcard',
      order_id: orderId,
      order_amount: '84.50',
      order_currency: 'EUR',
      order_description: 'Two stoneware bowls',
      identifier: 'success@gmail.com',
      payer_ip: '203.0.113.7',
      [action === 'SALE' ? 'return_url' : 'payer_return_url']: `${shopServer.url}/back`,
      callback_url: shopServer.addressFor(orderId),
    };
    return changed(base, changes);
  }

  const orderValues = (body: Changes) => ({
    orderId: textOf(body.order_id),
    amount: textOf(body.order_amount),
    currency: textOf(body.order_currency),
  });

  /** Signs the body with the correct hash. */
  function signed(body: Changes): Changes {
    const values = { identifier: textOf(body.identifier), ...orderValues(body) };
    return { ...body, hash: signApm('sale', values, credentials) };
  }

  /** CREDIT2VIRTUAL and CREDIT2CRYPTO with the correct hash. By default a payout by the test wallet. */
  function creditBody(changes: Changes = {}, action = 'CREDIT2VIRTUAL'): Changes {
    const orderId = orderNumberOf(changes);
    const base = {
      action,
      client_key: key,
      brand: 'vcard',
      order_id: orderId,
      order_amount: '40.00',
      order_currency: 'EUR',
      order_description: 'Refund of a deposit',
      callback_url: shopServer.addressFor(orderId),
    };
    const body = changed(base, changes);
    return { ...body, hash: signApm('credit', orderValues(body), credentials) };
  }

  /** CAPTURE, CREDITVOID, VOID, GET_TRANS_STATUS, DEBIT2VIRTUAL_COMPLETE. */
  function followBody(action: string, { transId }: { transId: string }, more: Changes = {}): Changes {
    const hash = signApm(action === 'CREDITVOID' ? 'creditVoid' : 'follow', { transId }, credentials);
    return { action, client_key: key, trans_id: transId, hash, ...more };
  }

  return {
    protocol: 's2s-apm' as const,
    credentials,
    baseUrl,
    shopServer,
    send,
    post,
    chargeBody,
    signed,
    charge: (action: string, changes?: Changes, path?: string) => post(signed(chargeBody(action, changes)), path),
    sell: (changes?: Changes, action = 'SALE') => accepted(signed(chargeBody(action, changes))),
    creditBody,
    credit: (changes?: Changes, action?: string) => post(creditBody(changes, action)),
    payOut: (changes?: Changes, action?: string) => accepted(creditBody(changes, action)),
    followBody,
    isSigned: (fields: Record<string, string>, sold: { email?: string; crypto?: boolean }) =>
      isSignedApmCallback(fields, sold, credentials),
    follow: (action: string, sold: { transId: string }, more?: Changes, headers?: Record<string, string>) =>
      post(followBody(action, sold, more), undefined, headers),
  };
}

const payoutActions = ['CREDIT2VIRTUAL', 'CREDIT2CRYPTO'];

/** Whether a callback has the correct hash; `crypto` for a callback of a SALE that is paid in coins. */
export function isSignedApmCallback(
  fields: Record<string, string>,
  { email, crypto = false }: { email?: string; crypto?: boolean },
  by: Credentials,
): boolean {
  const { action = '', trans_id: transId, order_id: orderId, status, hash } = fields;
  if (payoutActions.includes(action)) return hash === signApm('creditCallback', { transId, orderId, status }, by);
  if (crypto && action === 'SALE') return hash === signApm('cryptoCallback', { email, transId }, by);
  return hash === signApmFields(fields, by);
}
