/** The request log: the list, and one request with what went over the wire. */

import type { Protocol } from '../../core/payment';
import { sampleOf, writeShell } from '../../docs';
import { bodyOf, findRegisteredAction } from '../../protocols';
import type { RequestPage, RequestRow } from '../developers/contract';
import type { DashboardRequest } from '../guard';
import { type Page, readPage } from '../lists/paging';
import { readChoice, readListParams } from '../lists/params';
import { findRequest, type LoggedRequest, listRequests, type RequestDetails } from './queries';

const protocols: readonly Protocol[] = ['checkout', 's2s_card', 's2s_apm'];
const outcomes = ['carried', 'refused', 'signature', 'failed'] as const;

/** A page of the requests: `q`, `protocol`, `action`, `outcome`, `code`, `from`, `to`. */
export async function requestList({
  query,
  scope,
  zone,
}: Pick<DashboardRequest, 'query' | 'scope' | 'zone'>): Promise<Page<RequestRow>> {
  const asked = readListParams(query, zone);
  const action = query.get('action') ?? '';
  const code = query.get('code') ?? '';
  const filter = {
    ...asked,
    merchantId: scope,
    protocol: readChoice(query, 'protocol', protocols),
    action: /^[\w/-]{1,64}$/.test(action) ? action : null,
    outcome: readChoice(query, 'outcome', outcomes),
    errorCode: /^\d{1,9}$/.test(code) ? Number(code) : null,
  };
  const page = await readPage(
    asked,
    (place) => listRequests(filter, place),
    (row) => row,
  );
  return { ...page, rows: page.rows.map(rowOf) };
}

export function rowOf(request: LoggedRequest): RequestRow {
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

/** What a check looks at, for a sentence: "Refused by ...". */
const checkNames: { readonly [check: string]: string } = {
  body: 'the reading of its body',
  action: 'the list of actions',
  environment: 'the check of its key',
  mapping: 'the protocol mapping',
  address: 'the IP allowlist',
  'request signature': 'the check of its header X-Florin-Signature',
  fields: 'the check of its fields',
  'signed subject': 'the search for its payment',
  signature: 'the check of its signature',
  subject: 'the search for its payment',
  share: 'the limit of requests a minute',
  run: 'the action itself',
};

/** One request; null where this person has none of this id. */
export async function requestPage({ params, scope }: DashboardRequest): Promise<RequestPage | null> {
  const found = await findRequest(params.id ?? '', scope);
  if (!found) return null;
  const { refusedAt, path, address, mediaType, userAgent } = found;
  return {
    ...rowOf(found),
    refusedBy: refusedAt === null || found.httpStatus >= 500 ? null : (checkNames[refusedAt] ?? refusedAt),
    path,
    address,
    mediaType,
    userAgent,
    ...textsOf(found),
    curl: await curlOf(found),
  };
}

/** Both bodies as they are read: JSON over lines, a form with a line for each field. */
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

/** A form's fields, a line each: `order_id=NK-20402`. */
export function formLines(text: string): string {
  return [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).join('\n');
}

// What is masked stays masked: the script says what to fill in by what it leaves open.
async function curlOf({ protocol, action, request }: RequestDetails): Promise<string> {
  const spoken = findRegisteredAction(protocol, action);
  const body = spoken && (await bodyOf(spoken, request));
  if (!spoken || !body) return '';
  const sample = sampleOf(spoken, body, null);
  return writeShell({ ...sample, body }).program;
}
