/** One request of the API log with its bodies, and its row in the list. */

import { sampleOf, writeShell } from '../../docs';
import { bodyOf, findRegisteredAction } from '../../protocols';
import type { RequestPage, RequestRow } from '../developers/contract';
import type { DashboardRequest } from '../guard';
import { findRequest, type LoggedRequest, type RequestDetails } from './queries';

/** A request in the log's list. */
export function requestRow(request: LoggedRequest): RequestRow {
  const { id, createdAt, httpStatus, errorCode, refusedAt, merchantName, merchantId } = request;
  return {
    id,
    at: createdAt.toISOString(),
    protocol: request.protocol,
    action: request.action,
    status: httpStatus,
    outcome: httpStatus >= 500 ? 'failed' : refusedAt === null ? 'carried' : 'refused',
    errorCode,
    orderNumber: request.orderNumber,
    paymentId: request.paymentId,
    durationMs: request.durationMs,
    merchantName,
    explainable: refusedAt === 'signature' && merchantId !== null,
  };
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

/** One request; null if the user's scope has none with this id. */
export async function requestPage({ params, scope }: DashboardRequest): Promise<RequestPage | null> {
  const row = await findRequest(params.id ?? '', scope);
  if (!row) return null;
  const { refusedAt, path, address, mediaType, userAgent } = row;
  return {
    ...requestRow(row),
    refusedBy: refusedAt === null || row.httpStatus >= 500 ? null : (checkNames[refusedAt] ?? refusedAt),
    path,
    address,
    mediaType,
    userAgent,
    ...textsOf(row),
    curl: await curlOf(row),
  };
}

/** Both bodies formatted: JSON over several lines, a form with one field per line. */
export function textsOf({
  request,
  response,
}: Pick<RequestDetails, 'request' | 'response'>): Pick<RequestPage, 'request' | 'response'> {
  const json = indented(request);
  const asForm = json === null && isForm(request);
  const shown = json ?? (asForm ? formLines(request) : request);
  const answer = indented(response);
  return {
    request: { text: shown, language: json !== null ? 'json' : asForm ? 'form' : 'text' },
    response: { text: answer ?? response, language: answer === null ? 'text' : 'json' },
  };
}

function indented(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

const isForm = (text: string) => /^[^\s=&{]+=/.test(text);

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
