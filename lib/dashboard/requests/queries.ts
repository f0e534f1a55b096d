/** Statements of the API log: a list by time, and one request with its bodies. */

import { isUuid } from '../../core/ids';
import type { Protocol } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest, query } from '../../db';
import { prefixPattern } from '../payments/search';

export type RequestFilter = {
  merchantId: string | null;
  /** A payment's id, or the beginning of an order number. */
  search: string;
  protocol: Protocol | null;
  action: string | null;
  /**
   * carried: processed. refused: refused for any reason. signature: refused for its hash. failed: an internal error.
   */
  outcome: 'carried' | 'refused' | 'signature' | 'failed' | null;
  errorCode: number | null;
  from: Date | null;
  until: Date | null;
};

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

type Row = { [column: string]: unknown };

const columns = `r.id, r.at, r.merchant_id, m.name as merchant_name, r.protocol::text, r.action, r.path, r.http_status,
  r.error_code, r.order_number, r.payment_id, r.duration_ms, r.refused_at`;
const from = 'api_requests r left join merchants m on m.id = r.merchant_id';

const outcomes = {
  carried: 'r.refused_at is null',
  refused: 'r.refused_at is not null',
  signature: `r.refused_at = 'signature'`,
  failed: 'r.http_status >= 500',
};

/** A page of the requests, newest first. */
export async function listRequests(filter: RequestFilter, page: PageRequest): Promise<Paged<LoggedRequest>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  if (filter.merchantId !== null) where(`r.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.protocol !== null) where(`r.protocol = ${add(filter.protocol)}::"Protocol"`);
  if (filter.action !== null) where(`r.action = ${add(filter.action)}::text`);
  if (filter.outcome !== null) where(outcomes[filter.outcome]);
  if (filter.errorCode !== null) where(`r.error_code = ${add(filter.errorCode)}::int`);
  if (filter.from) where(`r.at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`r.at < ${add(filter.until)}::timestamptz`);
  if (isUuid(filter.search)) {
    const id = add(filter.search);
    where(`(r.payment_id = ${id}::uuid or r.id = ${id}::uuid or r.order_number = ${id}::uuid::text)`);
  } else if (filter.search !== '') where(`r.order_number like ${add(prefixPattern(filter.search))}::text`);
  const list = { columns, from, at: 'r.at', id: 'r.id', keys: 'api_requests r' };
  const { rows, more } = await fetchPage<Row>(list, builder, page);
  return { rows: rows.map(toLogged), more };
}

/** One request; with `merchantId` only that merchant's. */
export async function findRequest(id: string, merchantId: string | null): Promise<RequestDetails | null> {
  if (!isUuid(id)) return null;
  const [row] = await query<Row>(
    'request-find',
    `select ${columns}, r.address, r.media_type, r.user_agent, r.request, r.response from ${from}
      where r.id = $1::uuid and ($2::uuid is null or r.merchant_id = $2::uuid)`,
    [id, merchantId],
  );
  if (!row) return null;
  return {
    ...toLogged(row),
    address: row.address as string,
    mediaType: row.media_type as string | null,
    userAgent: row.user_agent as string | null,
    request: row.request as string,
    response: row.response as string,
  };
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

function toLogged(row: Row): LoggedRequest {
  return {
    id: row.id as string,
    createdAt: row.at as Date,
    merchantId: row.merchant_id as string | null,
    merchantName: row.merchant_name as string | null,
    protocol: row.protocol as Protocol,
    action: row.action as string,
    path: row.path as string,
    httpStatus: row.http_status as number,
    errorCode: row.error_code as number | null,
    orderNumber: row.order_number as string | null,
    paymentId: row.payment_id as string | null,
    durationMs: row.duration_ms as number,
    refusedAt: row.refused_at as string | null,
  };
}
