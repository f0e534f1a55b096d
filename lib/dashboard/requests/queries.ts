/** Statements of the API log: one request with its bodies, and its neighbours. */

import { isUuid } from '../../core/ids';
import type { Protocol } from '../../core/payment';
import { query } from '../../db';

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

/** The columns of a {@link LoggedRequest}, and where they are read. */
export const requestColumns = `r.id, r.at as "createdAt", r.merchant_id as "merchantId", m.name as "merchantName",
  r.protocol::text, r.action, r.path, r.http_status as "httpStatus", r.error_code as "errorCode",
  r.order_number as "orderNumber", r.payment_id as "paymentId", r.duration_ms as "durationMs",
  r.refused_at as "refusedAt"`;
export const requestTables = 'api_requests r left join merchants m on m.id = r.merchant_id';

/** One request; with `merchantId` only that merchant's. */
export async function findRequest(id: string, merchantId: string | null): Promise<RequestDetails | null> {
  if (!isUuid(id)) return null;
  const [row] = await query<RequestDetails>(
    'request-find',
    `select ${requestColumns}, r.address, r.media_type as "mediaType", r.user_agent as "userAgent", r.request, r.response
       from ${requestTables} where r.id = $1::uuid and ($2::uuid is null or r.merchant_id = $2::uuid)`,
    [id, merchantId],
  );
  return row ?? null;
}

/** The refused signatures before and after a request. */
export async function signatureNeighbours(
  { id, createdAt }: LoggedRequest,
  merchantId: string | null,
): Promise<{ earlier: string | null; later: string | null }> {
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
