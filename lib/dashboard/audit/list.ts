/** The audit log, newest first; its page draws the entries with their place in the hash chain. */
import { choice, chosen, days, text } from '../lists/filters';
import { resource } from '../lists/resource';
import { auditChoices, auditPage } from './audit-log';

/** Groups of actions: a trailing dot means a prefix. */
const kinds = [
  { value: 'sign_in', label: 'Sign-ins' },
  { value: 'sign_in.locked', label: 'Locks' },
  { value: 'proof.', label: 'Wrong passwords and codes' },
  { value: 'person.,invitation.', label: 'Users' },
  { value: 'password.,second_factor.,recovery_codes.,session.', label: 'Own accounts' },
  { value: 'payment.,payments.', label: 'Payments' },
  { value: 'callback.,callbacks.', label: 'Callbacks' },
  { value: 'schedule.,token.,chain.', label: 'Schedules and tokens' },
  { value: 'merchant.,merchants.,look.,page.', label: 'Merchants' },
  { value: 'key.,keys.', label: 'Keys' },
  { value: 'mid.,mids.', label: 'MIDs' },
  { value: 'mapping.', label: 'Mappings' },
  { value: 'routing.', label: 'Routing' },
  { value: 'wallet.', label: 'Wallets' },
];

export const auditLog = resource({
  name: 'audit-log',
  right: 'audit.read',
  title: 'Audit log',
  nouns: ['entry', 'entries'],
  search: 'User, object, field, value',
  filters: [
    { ...days('When', 'day'), params: ['day_from', 'day_to'] },
    chosen('who', 'Who', /./),
    choice('what', 'Action', kinds),
    text('on', 'Object', /./),
  ],
  choices: async ({ viewer }) => ({ who: await auditChoices(viewer) }),
  columns: [
    { id: 'at', head: 'When', width: 150 },
    { id: 'actor', head: 'Who', width: '20%' },
    { id: 'what', head: 'What' },
  ],
  empty: {
    title: 'No entries yet',
    texts: ['This log records all actions in the dashboard: sign-ins, payments, settings, keys and users.'],
  },
  read: auditPage,
});
