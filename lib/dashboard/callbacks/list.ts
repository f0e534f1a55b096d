/** The callback log: messages to merchants' servers by time, with their responses. */
import { created, merchant, order } from '../lists/columns';
import { choice, choices, days, optionsOf, text } from '../lists/filters';
import { resource } from '../lists/resource';
import { callbackRow } from './callbacks';
import { type ListedCallback, listCallbacks } from './queries';

const states = { waiting: 'waiting', delivered: 'received', failed: 'failed', undelivered: 'no callback URL' };

export const callbacks = resource({
  name: 'callbacks',
  right: 'developers.read',
  title: 'Callbacks',
  nouns: ['callback', 'callbacks'],
  search: 'Order, payment, transaction',
  filters: [
    choices('state', 'State', optionsOf(states)),
    choices(
      'outcome',
      'Status',
      ['success', 'fail', 'waiting', 'undefined'].map((value) => ({ value, label: value })),
    ),
    text('host', 'Address', /^[\w.:/[\]-]{1,255}$/),
    choice('answer', 'Response', optionsOf({ error: 'ERROR' })),
    days('Day', 'at'),
  ],
  columns: [
    { id: 'answer', head: 'Response', kind: 'callback', width: 160 },
    order,
    { id: 'event', head: 'Type, status, order status', kind: 'event' },
    { id: 'host', head: 'Address', hideOnPhone: true, hideBelow: 'xl', hideBeside: true },
    { ...merchant, hideBeside: true },
    { id: 'tries', head: 'Attempts', none: '–', align: 'end', width: 72, hideOnPhone: true },
    { id: 'nextTry', head: 'Next attempt', kind: 'next', align: 'end', width: 86, hideOnPhone: true },
    { ...created(), widthBeside: 104 },
  ],
  rowName: '{answer}, {orderNumber}, {type} {outcome}',
  dense: true,
  empty: {
    title: 'No callback yet',
    texts: [
      'Your server gets a callback whenever the status of a payment changes. This log shows each callback with its attempts and responses.',
      'Set a URL in `notification_url` or `callback_url`, or a default URL in the protocol mapping.',
    ],
  },
  source: listCallbacks,
  toRow: (row: ListedCallback, { now }) => callbackRow(row, now),
});
