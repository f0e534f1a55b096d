/** The API log: requests of merchants' servers by time, with their responses. */

import { env } from '../../config';
import { sessionCurl } from '../../core/demo-request';
import { isUuid } from '../../core/ids';
import { protocolNames } from '../../core/mapping-options';
import { actionRegistry } from '../../protocols';
import { created, merchant, order } from '../lists/columns';
import { choice, chosen, days, optionsOf, text } from '../lists/filters';
import { resource } from '../lists/resource';
import { prefixPattern } from '../payments/search';
import { type LoggedRequest, requestRow, source } from './requests';

const outcomes: Readonly<Record<string, string>> = {
  carried: 'r.refused_at is null',
  refused: 'r.refused_at is not null',
  signature: `r.refused_at = 'signature'`,
  failed: 'r.http_status >= 500',
};

const actions = [...new Set(actionRegistry.map(({ action }) => action))];

export const requests = resource({
  name: 'requests',
  right: 'developers.read',
  title: 'API logs',
  nouns: ['request', 'requests'],
  search: 'Order, payment',
  async find(search, { add, where }) {
    const value = add(isUuid(search) ? search : prefixPattern(search));
    if (isUuid(search))
      where(`(r.payment_id = ${value}::uuid or r.id = ${value}::uuid or r.order_number = ${value}::uuid::text)`);
    else where(`r.order_number like ${value}::text`);
    return true;
  },
  filters: [
    choice(
      'outcome',
      'Outcome',
      optionsOf({ carried: 'processed', refused: 'refused', signature: 'invalid hash', failed: 'internal error' }),
      (value) => outcomes[value] ?? 'true',
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
      ...{ id: 'protocol', head: 'Protocol', labels: protocolNames, width: 100 },
      ...{ hideOnPhone: true, hideBelow: 'lg', hideBeside: true },
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
