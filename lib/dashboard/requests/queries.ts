/** Statements of the API log: one request with its bodies, and its neighbours. */

import type { Protocol } from '../../core/payment';
import { query } from '../../db';
import type { PageContext } from '../guard';
import { findListed } from '../lists/resource';

export type LoggedRequest = {
  id: string;
  createdAt: Date;
  merchantId: string | null;
  merchantName: string | null;
  protocol: Protocol;
  action: string;
  path: string;
  httpStatus: number;
  errorCode: number | null;
  orderNumber: string | null;
  paymentId: string | null;
  durationMs: number;
  refusedAt: string | null;
};

/** One request, with its raw bodies. */
export type RequestDetails = LoggedRequest & {
  address: string;
  mediaType: string | null;
  userAgent: string | null;
  request: string;
  response: string;
};

const columns = `r.id, r.at as "createdAt", r.merchant_id as "merchantId", m.name as "merchantName",
  r.protocol::text, r.action, r.path, r.http_status as "httpStatus", r.error_code as "errorCode",
  r.order_number as "orderNumber", r.payment_id as "paymentId", r.duration_ms as "durationMs",
  r.refused_at as "refusedAt"`;
const from = 'api_requests r left join merchants m on m.id = r.merchant_id';

/** The list's source; its index has the conditions of the list. */
export const source = { columns, from, at: 'r.at', id: 'r.id', merchant: 'r.merchant_id', keys: 'api_requests r' };

const detailed = `${columns}, r.address, r.media_type as "mediaType", r.user_agent as "userAgent", r.request, r.response`;

/** The request in the address; null if this user cannot see it. */
export const findRequest = (request: Pick<PageContext, 'params' | 'scope' | 'now'>) =>
  findListed<RequestDetails>('request', { ...source, columns: detailed }, request);

/** The refused signatures before and after a request. */
export async function signatureNeighbours({ id, createdAt }: LoggedRequest, merchantId: string | null) {
  const next = (direction: 'earlier' | 'later') => {
    const [sign, order] = direction === 'earlier' ? ['<', 'desc'] : ['>', 'asc'];
    return `(select r.id from api_requests r
              where (r.at, r.id) ${sign} ($1::timestamptz, $2::uuid) and ($3::uuid is null or r.merchant_id = $3::uuid)
                and r.refused_at = 'signature' order by r.at ${order}, r.id ${order} limit 1) as ${direction}`;
  };
  const [row] = await query<{ earlier: string | null; later: string | null }>(
    'request-neighbours',
    `select ${next('earlier')}, ${next('later')}`,
    [createdAt, id, merchantId],
  );
  return row ?? { earlier: null, later: null };
}
