/** The API log: requests of merchants' servers with their responses, as a list and one by one. */

import { env } from '../../config/index.ts';
import { sessionCurl } from '../../core/demo-request.ts';
import { isUuid } from '../../core/ids.ts';
import { protocolNames } from '../../core/mapping-options.ts';
import { pick } from '../../core/pick.ts';
import { statement } from '../../db/index.ts';
import { sampleOf, writeShell } from '../../docs/index.ts';
import type { ApiRequest } from '../../prisma/client.ts';
import { actionRegistry, bodyOf, findRegisteredAction } from '../../protocols/index.ts';
import type { PageContext } from '../guard.ts';
import { created, merchant, order } from '../lists/columns.ts';
import { choice, chosen, days, optionsOf, text } from '../lists/filters.ts';
import { findListed, resource } from '../lists/resource.ts';
import { prefixPattern } from '../payments/search.ts';

/** A request in the log's list. */
export function requestRow(request: LoggedRequest) {
  return {
    ...pick(request, 'id', 'protocol', 'action', 'errorCode', 'orderNumber', 'paymentId', 'durationMs', 'merchantName'),
    at: request.createdAt,
    status: request.httpStatus,
    outcome: outcomeOf(request),
    /** The request was refused for its signature, which the hash debugger can explain. */
    explainable: request.refusedAt === 'signature' && request.merchantId !== null,
  };
}

/** carried: processed. refused: refused by the contract. failed: an internal error. */
function outcomeOf({ httpStatus, refusedAt }: LoggedRequest): 'carried' | 'refused' | 'failed' {
  if (httpStatus >= 500) return 'failed';
  return refusedAt === null ? 'carried' : 'refused';
}

/** The pipeline's checks, for the sentence "Refused by ...". */
const checkNames: { readonly [check: string]: string } = {
  body: 'the body parser',
  action: 'the list of actions',
  environment: 'the key check',
  mapping: 'the protocol mapping',
  address: 'the IP allowlist',
  'request signature': 'the X-Florin-Signature check',
  fields: 'the field validation',
  'signed subject': 'the payment lookup',
  signature: 'the hash check',
  subject: 'the payment lookup',
  share: 'the rate limit',
  run: 'the action itself',
};

/** One request. */
export async function requestPage(request: PageContext) {
  const row = await findRequest(request);
  const { refusedAt } = row;
  return {
    ...requestRow(row),
    ...pick(row, 'path', 'address', 'mediaType', 'userAgent'),
    ...textsOf(row),
    refusedBy: refusedAt === null || row.httpStatus >= 500 ? null : (checkNames[refusedAt] ?? refusedAt),
    curl: await curlOf(row),
  };
}

/** Both bodies formatted: JSON over several lines, a form with one field per line. */
export function textsOf({ request, response }: Pick<RequestDetails, 'request' | 'response'>) {
  const [json, answer] = [indented(request), indented(response)];
  const asForm = /^[^\s=&{]+=/.test(request) ? formLines(request) : null;
  const language = json !== null ? 'json' : asForm !== null ? 'form' : 'text';
  return {
    request: { text: json ?? asForm ?? request, language: language as 'json' | 'form' | 'text' },
    response: { text: answer ?? response, language: (answer === null ? 'text' : 'json') as 'json' | 'text' },
  };
}

function indented(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** A form with one field per line: `order_id=NK-20402`. */
export function formLines(text: string): string {
  return [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).join('\n');
}

// Masked values stay masked; the script leaves them open for the reader to fill in.
async function curlOf({ protocol, action, request }: RequestDetails): Promise<string> {
  const registered = findRegisteredAction(protocol, action);
  const body = registered && (await bodyOf(registered, request));
  if (!registered || !body) return '';
  const sample = sampleOf(registered, body, null);
  return writeShell({ ...sample, body }).program;
}

/** One request, with its raw bodies. */
export type RequestDetails = Omit<ApiRequest, 'at'> & { createdAt: Date; merchantName: string | null };

export type LoggedRequest = Omit<RequestDetails, 'address' | 'mediaType' | 'userAgent' | 'request' | 'response'>;

const columns = `r.id, r.at as "createdAt", r.merchant_id as "merchantId", m.name as "merchantName",
  r.protocol::text, r.action, r.path, r.http_status as "httpStatus", r.error_code as "errorCode",
  r.order_number as "orderNumber", r.payment_id as "paymentId", r.duration_ms as "durationMs",
  r.refused_at as "refusedAt"`;
const from = 'api_requests r left join merchants m on m.id = r.merchant_id';

/** The list's source; its index has the conditions of the list. */
export const source = { columns, from, at: 'r.at', id: 'r.id', merchant: 'r.merchant_id', keys: 'api_requests r' };

const detailed = `${columns}, r.address, r.media_type as "mediaType", r.user_agent as "userAgent", r.request, r.response`;

/** The request in the address. */
export const findRequest = (request: PageContext) =>
  findListed<RequestDetails>('request', { ...source, columns: detailed }, request);

const nextRefused = (sign: '<' | '>', order: 'asc' | 'desc') =>
  `(select r.id from api_requests r
     where (r.at, r.id) ${sign} (:createdAt::timestamptz, :id::uuid)
       and (:merchantId::uuid is null or r.merchant_id = :merchantId::uuid)
       and r.refused_at = 'signature' order by r.at ${order}, r.id ${order} limit 1)`;

type Place = { createdAt: Date; id: string; merchantId: string | null };
const readNeighbours = statement<Place, { earlier: string | null; later: string | null }>(
  'request-neighbours',
  `select ${nextRefused('<', 'desc')} as earlier, ${nextRefused('>', 'asc')} as later`,
);

/** The refused signatures before and after a request. */
export async function signatureNeighbours({ id, createdAt }: LoggedRequest, merchantId: string | null) {
  const [row] = await readNeighbours({ createdAt, id, merchantId });
  return row ?? { earlier: null, later: null };
}

const outcomes: [value: string, label: string, sql: string][] = [
  ['carried', 'processed', 'r.refused_at is null'],
  ['refused', 'refused', 'r.refused_at is not null'],
  ['signature', 'invalid hash', `r.refused_at = 'signature'`],
  ['failed', 'internal error', 'r.http_status >= 500'],
];

const actions = [...new Set(actionRegistry.map(({ action }) => action))];

/** The list of API requests, without their bodies. */
export const requests = resource({
  name: 'requests',
  right: 'developers.read',
  title: 'API logs',
  nouns: ['request', 'requests'],
  search: 'Order, payment',
  find(search, add) {
    if (!isUuid(search)) return `r.order_number like ${add(prefixPattern(search))}::text`;
    const value = `${add(search)}::uuid`;
    return `(r.payment_id = ${value} or r.id = ${value} or r.order_number = ${value}::text)`;
  },
  filters: [
    choice(
      'outcome',
      'Outcome',
      outcomes.map(([value, label]) => ({ value, label })),
      (value) => outcomes.find(([name]) => name === value)?.[2] ?? 'true',
    ),
    choice('protocol', 'Protocol', optionsOf(protocolNames), (value, add) => `r.protocol = ${add(value)}::"Protocol"`),
    chosen(
      'action',
      'Action',
      /^[\w/-]{1,64}$/,
      (value, add) => `r.action = ${add(value)}::text`,
      actions.map((value) => ({ value, label: value })),
    ),
    text('code', 'Error code', /^\d{1,9}$/, (value, add) => `r.error_code = ${add(Number(value))}::int`),
    days('Day', 'at'),
  ],
  views: [
    ['Refused', 'outcome=refused'],
    ['Invalid hash', 'outcome=signature'],
  ],
  columns: [
    { id: 'status', head: 'Response', kind: 'request', width: 150 },
    { id: 'action', head: 'Action', mono: true },
    {
      id: 'protocol',
      head: 'Protocol',
      labels: protocolNames,
      width: 100,
      hideOnPhone: true,
      hideBelow: 'lg',
      hideBeside: true,
    },
    order,
    { ...merchant, none: 'unknown key', hideBeside: true },
    { id: 'durationMs', head: 'Duration', unit: 'ms', align: 'end', width: 88, hideOnPhone: true, hideBeside: true },
    { ...created('Time'), id: 'at' },
  ],
  rowName: '{status}, {action}, {orderNumber}',
  dense: true,
  newsSeconds: 10,
  empty: {
    title: 'No requests yet',
    texts: () => [
      `This log shows every request of your server for ${env.requestLogDays} days, with its response, duration and the reason of a refusal. Card numbers, security codes and passwords are never stored.`,
    ],
    sample: [
      'A first request',
      ({ now }) => sessionCurl(env.baseUrl, `first-${now.getTime().toString(36)}`, env.baseUrl, 2),
    ],
  },
  source,
  toRow: (row: LoggedRequest) => requestRow(row),
});
