// The server side of the demo shop's hosted-fields page. It creates the order and its token and verifies the return; it
// never receives the card.
import { env } from '../../config';
import { fieldsShopUrl } from '../../core/demo-request';
import { type ClientIp, type HttpResult, httpResult, isHttpResult, type Route } from '../../http';
import { log } from '../../telemetry';
import { createSessionToken } from './checkout-requests';
import { checkoutOrigin, loopback } from './florin-http';
import { receiveReturn } from './florin-messages';
import { items } from './form-schemas';
import { type Asset, fieldsPage } from './hosted-fields-page';
import { createOrder, findOwn } from './orders';
import { answer, fail, generalError, jsonOf, tooManyOrders } from './request-bodies';
import { forVisitor, visitorOf } from './visitor';

/** GET /sandbox/shop/fields: the page; the signed query of a returning payer is verified here. */
async function showPage(request: Request): Promise<HttpResult> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const { order: id, ...returned } = query;
  const order = id === undefined ? null : await findOwn(id, visitorOf(request));
  const came = order && returned.hash !== undefined ? await receiveReturn(order, 'success', returned) : null;
  const scripts = await scriptsOf();
  if (!scripts)
    return httpResult('The scripts of this page are not built.', {
      status: 503,
      headers: { 'cache-control': 'no-store' },
    });
  const here = new URL(fieldsShopUrl(env.baseUrl)).origin;
  return fieldsPage({
    checkout: checkoutOrigin(),
    here,
    ...scripts,
    returned: order && came ? { id: order.id, genuine: came.genuine } : null,
  });
}

/** POST /sandbox/shop/fields/orders: creates an order and its token, `{id, number, token, step}`. */
async function placeOrder(request: Request, _params: Record<string, string>, clientIp: ClientIp): Promise<HttpResult> {
  const body = await jsonOf(request);
  if (isHttpResult(body)) return body;
  const [item] = items;
  if (!item) throw new Error('the demo shop sells nothing');
  const { id: sold, name: description, amount, currency } = item;
  return forVisitor(request, async (visitor) => {
    const order = await createOrder(visitor, { item: sold, description, amount, currency, way: 'fields' });
    if (!order) return tooManyOrders();
    const returnUrl = `${fieldsShopUrl(env.baseUrl)}?order=${order.id}`;
    const methods = ['card', 'applepay', 'googlepay'];
    const opened = await createSessionToken(order, { returnUrl, payerIp: clientIp.address, methods });
    if ('refused' in opened) return fail(502, generalError(opened.refused.message));
    const { token, exchange } = opened;
    return answer({ id: order.id, number: order.number, token, step: exchange.step }, 201);
  });
}

let scripts: { loader: Asset; own: Asset } | undefined;

/** Addresses and hashes of the scripts from the published manifest, as a merchant's build reads them. */
async function scriptsOf(): Promise<{ loader: Asset; own: Asset } | null> {
  if (scripts) return scripts;
  try {
    const response = await fetch(`${loopback()}/sdk/manifest.json`, { signal: AbortSignal.timeout(5000) });
    const manifest = (await response.json()) as Record<string, Asset | undefined>;
    const [loader, own] = [manifest['hosted-fields.js'], manifest['shop-fields.js']];
    scripts = loader && own && { loader, own };
  } catch (err) {
    log.warn({ err }, 'the demo shop found no scripts');
  }
  return scripts ?? null;
}

/** Routes of the page and its server. */
export const fieldsShopRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/shop/fields', run: showPage, only: 'sandbox' },
  { method: 'POST', path: '/sandbox/shop/fields/orders', run: placeOrder, only: 'sandbox' },
];
