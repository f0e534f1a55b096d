/** The list of sessions: the links that servers requested, and their outcome. */
import { methods } from '../../methods/catalog';
import { amount, created, merchant, order, payer } from '../lists/columns';
import { choice, choices, days, optionsOf } from '../lists/filters';
import { resource } from '../lists/resource';
import { samples } from '../lists/samples';
import { listSessions, sessionStates } from './queries';
import { sessionRow } from './sessions';

export const sessions = resource({
  name: 'sessions',
  title: 'Checkout sessions',
  nouns: ['session', 'sessions'],
  search: 'Payment, order, email, last four',
  filters: [
    choices('state', 'State', optionsOf(sessionStates)),
    days('Created'),
    choice(
      'method',
      'Methods',
      methods.map(({ id, name }) => ({ value: id, label: name })),
    ),
    choice('for', 'Used for', optionsOf({ page: 'Payment page', fields: 'Hosted fields' })),
  ],
  views: [
    ['Open', 'state=open,trying'],
    ['Expired unpaid', 'state=expired'],
    ['Cancelled', 'state=cancelled'],
  ],
  columns: [
    amount,
    { id: 'state', head: 'State', kind: 'session', width: '22%' },
    order,
    payer,
    { id: 'methods', head: 'Methods', kind: 'few', none: 'all methods', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'attempts', head: 'Attempts', align: 'end', width: 64, hideOnPhone: true },
    ...[merchant, created()],
  ],
  href: '/dashboard/sessions/{id}',
  rowName: 'Session of {orderNumber}',
  empty: {
    title: 'No sessions yet',
    texts: ['A session is one link for one payment. All sessions of your servers are listed here.'],
    steps: ['Your server creates a session', 'The payer opens the link', 'The payment settles, or the link expires'],
    shop: true,
    sample: ['Create a session', samples.session],
  },
  source: (filter, page, { now }) => listSessions(filter, page, now),
  placeOf: ({ payment }) => payment,
  toRow: sessionRow,
});
