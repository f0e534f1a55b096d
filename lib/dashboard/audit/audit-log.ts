/** The audit log: its list and page, filters from the address bar, and the server's hash chain check. */

import {
  actionsOfKind,
  auditCountMax,
  auditKinds,
  auditReading,
  auditResults,
  countAuditRecords,
  deviceOf,
  type Json,
  type ListedAuditRecord,
  listAuditActors,
  listAuditRecords,
  merchantOf,
  type Viewer,
  verifyHashChain,
} from '../../auth/index.ts';
import type { HttpResult } from '../../http/index.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { type CsvColumn, csvPageSize, exportCsv } from '../lists/csv.ts';
import { choices, chosen, days, namedOptions, optionsOf, text } from '../lists/filters.ts';
import { readCursors, readPage } from '../lists/query.ts';
import { readFilter, resource } from '../lists/resource.ts';
import { actorNameOf, fieldsOf, hrefOf, membersOf, noteOf, sentenceOf } from './labels.ts';

/** A page of the log. `q` searches; `who`, `kind`, `what` (actions by commas), `on`, `result`,
 * `address`, `day_from` and `day_to` filter. */
export async function auditPage(request: PageContext) {
  const filter = filterOf(request);
  await auditReading(request.viewer.id, request.scope, request.now);
  const [page, total] = await Promise.all([
    readPage(
      readCursors(request.query, readId),
      ({ size, after, before }) => listAuditRecords(filter, { below: after, above: before }, size),
      ({ id }) => String(id),
    ),
    countAuditRecords(filter),
  ]);
  const rows = page.rows.map((entry) => rowOf(withoutOtherMerchants(entry, request.viewer)));
  const most = auditCountMax.toLocaleString('en');
  return { ...page, rows, total: total > auditCountMax ? `over ${most}` : total.toLocaleString('en') };
}

function filterOf(request: PageContext) {
  const { values, search, ...range } = readFilter(auditLog, request);
  const { who: [who] = [], what: [actions] = [], on: [subject] = [], address: [source] = [] } = values;
  return {
    ...range,
    kindActions: values.kind?.flatMap(actionsOfKind) ?? null,
    results: values.result ?? null,
    source: source ?? null,
    search: search || null,
    reader: merchantOf(request.viewer),
    subject: subject ?? null,
    actor: who ? `user:${who}` : null,
    actions: actions?.split(',') ?? null,
  };
}

/** The entry without the merchant from which a user came to that of the viewer, or to which they went. */
function withoutOtherMerchants(entry: ListedAuditRecord, viewer: Viewer): ListedAuditRecord {
  const own = merchantOf(viewer);
  if (own === null || entry.action !== 'person.role') return entry;
  const without = (values: Json): Json => {
    const { merchant = null, ...others } = membersOf(values);
    return values === null || merchant === null || merchant === own ? values : others;
  };
  return { ...entry, before: without(entry.before), after: without(entry.after) };
}

const json = (value: ListedAuditRecord['after']) => (value === null ? null : JSON.stringify(value));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const columns: CsvColumn<ListedAuditRecord>[] = [
  ['at', ({ at }, zone) => zone.text(at)],
  ['time_zone', (_, zone) => zone.name],
  ['entry', ({ id }) => String(id)],
  ['who', actorNameOf],
  ['what', (entry) => sentenceOf(entry)],
  ['action', ({ action }) => action],
  ['object', ({ subject }) => subject],
  ['before', ({ before }) => json(before)],
  ['after', ({ after }) => json(after)],
  ['result', ({ result }) => result],
  ['address', ({ source }) => source],
  ['browser', ({ userAgent }) => userAgent],
  ['hash', ({ hash }) => hex(hash)],
  ['previous_hash', ({ previous }) => hex(previous)],
];

/** All entries of a filter as CSV. */
export async function exportAuditLog(request: DashboardRequest): Promise<HttpResult> {
  const filter = filterOf(request);
  return exportCsv(request, { subject: 'audit_log', merchantId: request.scope }, columns, async (last) => {
    const { rows, more } = await listAuditRecords(filter, last ? { below: last.id } : {}, csvPageSize);
    return { rows: rows.map((entry) => withoutOtherMerchants(entry, request.viewer)), more };
  });
}

/** Verifies the whole chain, for users who read all of it: one merchant's entries alone cannot be verified. */
export async function verifyChain() {
  const { brokenAt, cutAt, last, ...chain } = await verifyHashChain();
  const head = last && Buffer.from(last.head, 'base64url').toString('hex');
  return {
    ...chain,
    head,
    /** The last entry as an argument of `florin audit check`. */
    anchor: last && `${last.id}:${head}`,
    cutAt: cutAt && { entry: String(cutAt.id), by: cutAt.by },
    brokenAt: brokenAt && { at: brokenAt.at, entry: String(brokenAt.id), why: brokenAt.why },
  };
}

function readId(text: string | null): bigint | undefined {
  return text !== null && /^\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

function rowOf(entry: ListedAuditRecord) {
  const { id, at, actor, action, subject, before, after, previous, hash, result, source, userAgent } = entry;
  const listed = fieldsOf(before, after);
  return {
    id: String(id),
    at,
    what: sentenceOf(entry),
    action,
    subject,
    href: hrefOf(subject),
    actor: { name: actorNameOf(entry), isUser: actor.startsWith('user:') },
    result,
    source,
    browser: userAgent && deviceOf(userAgent),
    note: noteOf(entry, listed.fields.length, listed.changes),
    /** `changes`: whether fields were changed rather than only listed. */
    ...listed,
    hash: hex(hash),
    previous: hex(previous),
  };
}

/** Groups of actions: a trailing dot means a prefix. */
const kinds = [
  { value: 'sign_in', label: 'Sign-ins' },
  { value: 'sign_in.locked', label: 'Account lockouts' },
  { value: 'sign_in.failed,proof.,passkey.counter', label: 'Wrong passwords, codes and passkeys' },
  { value: 'access.', label: 'Refused access' },
  { value: 'person.,invitation.', label: 'Users' },
  { value: 'password.,second_factor.,recovery_codes.,passkey.,session.', label: 'Own accounts' },
  { value: 'payment.,payments.', label: 'Payments' },
  { value: 'payments.export,payment.evidence,audit_log.', label: 'Exports' },
  { value: 'callback.,callbacks.', label: 'Callbacks' },
  { value: 'schedule.,token.,chain.', label: 'Schedules and tokens' },
  { value: 'merchant.,merchants.,look.,theme.,page.', label: 'Merchants' },
  { value: 'key.,keys.', label: 'Keys' },
  { value: 'mid.,mids.', label: 'MIDs' },
  { value: 'mapping.', label: 'Mappings' },
  { value: 'routing.', label: 'Routing' },
  { value: 'wallet.', label: 'Wallets' },
];

/** The list of the audit log's entries, for users who may read it. */
export const auditLog = resource({
  name: 'audit-log',
  right: 'audit.read',
  title: 'Audit log',
  nouns: ['entry', 'entries'],
  search: 'User, object, field, value',
  filters: [
    { ...days('When', 'day'), params: ['day_from', 'day_to'] },
    chosen('who', 'Who', /^[\da-f-]{36}$/i),
    choices('kind', 'Kind', optionsOf(auditKinds)),
    chosen('what', 'Action', /^[a-z_.]{1,60}(,[a-z_.]{1,60}){0,9}$/, undefined, kinds),
    text('on', 'Object', /^[a-z_]{1,20}:\S{1,300}$/),
    choices('result', 'Result', optionsOf(auditResults)),
    text('address', 'Address', /^[\da-f.:/]{2,45}$/i),
  ],
  choices: async ({ viewer }) => ({ who: namedOptions(await listAuditActors(merchantOf(viewer))) }),
  columns: [
    { id: 'at', head: 'When', width: 150 },
    { id: 'actor', head: 'Who', width: '20%' },
    { id: 'what', head: 'What' },
  ],
  empty: {
    title: 'No entries yet',
    texts: ['This log records actions in the dashboard: sign-ins, payments, settings, keys and users.'],
  },
  read: auditPage,
});
