/** Turns an audit log entry into one sentence, its fields and a link. */

import type { AuditResult, Json } from '../../auth/index.ts';

type Members = Record<string, Json>;
type DescribedEntry = { action: string; subject: string; subjectName: string | null; before: Json; after: Json };

/** Sentences that are more than a verb and a noun. `name` is the subject. */
const sentences: Record<string, (name: string, after: Members) => string> = {
  sign_in: (_name, { proof }) => (typeof proof === 'string' ? `Signed in with ${proof}` : 'Signed in'),
  'sign_in.failed': (name, { proof }) =>
    `${proof === 'passkey' ? 'Used an invalid passkey' : 'Entered a wrong password'} for ${accountOf(name)}`,
  'sign_in.locked': (name) => `Locked ${name} after 10 failures`,
  'proof.wrong': (_name, { proof }) => wrongProofs[String(proof)] ?? 'Entered a wrong password',
  'passkey.add': (_name, { name }) => `Added passkey ${name}`,
  'passkey.rename': (_name, { name }) => `Renamed a passkey to ${name}`,
  'passkey.remove': () => 'Removed a passkey',
  'passkey.counter': (name, { name: passkey }) =>
    `Refused passkey ${passkey} of ${name}: it may be copied, because its counter did not grow`,
  // With the word for a refused action.
  access: (_name, { target }) => `Requested ${target}`,
  'signature.refused': (name, after) =>
    `Refused ${countOf(after, 'request')} of ${merchantOf(name)} to ${after.protocol} with a wrong ${after.reason}`,
  'address.refused': (name, after) =>
    `Refused ${countOf(after, 'request')} of ${merchantOf(name)} to ${after.protocol} from an address that is not allowed`,
  'notification.refused': (name, after) =>
    `Refused ${countOf(after, 'notification')} with a wrong signature for MID ${name}`,
  'upload.infected': (_name, { field, finding }) => `Refused a file (${field}) with malware: ${finding}`,
  'upload.unscanned': (_name, { field }) => `Refused a file (${field}) that could not be scanned for viruses`,
  'sign_in.refused': (name, after) => `Refused ${countOf(after, 'sign-in')} of ${accountOf(name)}: ${after.reason}`,
  'vault.rotate': (_name, { what }) => `Rotated the ${what} of the vault`,
  'vault.find': (_name, { found }) => `Searched the vault for a card number (${found} found)`,
  'vault.replace_lost_key': () => 'Replaced the lost keys of the vault, and removed what only they decrypt',
  'audit_log.restart': (_name, { last }) => `Continued the audit log after entry ${last}, whose key was lost`,
  'audit_log.anchor': (_name, { date }) => `Anchored the audit log of ${date}`,
  'ledger.acknowledge': (_name, { day }) => `Acknowledged that the ledger of ${day} was changed`,
  'ledger.close': (_name, { day, findings }) =>
    findings === 0
      ? `Closed the ledger of ${day}`
      : `Closed the ledger of ${day}, whose check has ${findings} findings`,
  sign_out: () => 'Signed out',
  'password.change': () => 'Changed their password',
  'password.forgotten': (name) => `Requested a password reset for ${name}`,
  'password.reset': () => 'Set a new password with a reset link',
  'second_factor.set_up': () => 'Turned on two-factor authentication',
  'second_factor.replace': () => 'Replaced their authenticator',
  'second_factor.switch_off': () => 'Turned off two-factor authentication',
  'recovery_codes.renew': () => 'Generated new recovery codes',
  'session.end': () => 'Ended one of their sessions',
  'session.unlock': () => 'Unlocked their session',
  'session.end_others': () => 'Ended their other sessions',
  'invitation.send': (name, { role }) => `Invited ${name} as ${roleText(role)}`,
  'invitation.resend': (name) => `Resent the invitation of ${name}`,
  'invitation.withdraw': (name) => `Withdrew the invitation of ${name}`,
  'invitation.accept': () => 'Accepted the invitation',
  'person.role': (name, { role }) => `Changed the role of ${name} to ${roleText(role)}`,
  'person.disable': (name) => `Deactivated ${name}`,
  'person.enable': (name) => `Reactivated ${name}`,
  'person.end_sessions': (name) => `Ended the sessions of ${name}`,
  'person.reset_second_factor': (name) => `Removed the two-factor authentication of ${name}`,
  'payment.capture': (name, after) => `Captured ${moneyOf(after)} of payment ${name}`,
  'payment.refund': (name, after) => `Refunded ${moneyOf(after)} of payment ${name}`,
  'payment.void': (name) => `Voided payment ${name}`,
  'payment.release': (name) => `Voided the authorisation of payment ${name}`,
  'theme.create': (name, { name: theme }) => `Created theme ${theme} of ${name}`,
  'theme.delete': (name, { name: theme }) => `Deleted theme ${theme} of ${name}`,
  'routing.draft.save': (name) => `Saved a draft of the rules of ${name}`,
  'routing.draft.rebase': (name) => `Rebased the draft of the rules of ${name}`,
  'routing.draft.discard': (name) => `Discarded the draft of the rules of ${name}`,
  'unresolved.close': (name, { decision }) =>
    `Closed an unresolved item of payment ${name}${decision === 'closed' ? '' : ` as ${decision}`}`,
  'settlement_report.import': (name, { name: file }) => `Imported settlement report ${file} of ${name}`,
  'settlement_difference.explain': () => 'Explained a difference of a settlement report',
  'settlement_difference.adjust': () => 'Adjusted a difference of a settlement report',
  'settlement_difference.accept': () => 'Accepted a difference of a settlement report',
  'settlement_difference.approve': () => 'Approved the decision about a difference of a settlement report',
  'settlement_difference.reject': () => 'Rejected the decision about a difference of a settlement report',
  'settlement_mapping.change': (name) => `Changed the mapping of settlement reports of ${name}`,
  'settlement_limits.change': (name) => `Changed the limits of differences of ${name}`,
  'payment.ask': (name) => `Synced payment ${name} with the provider`,
  'payment.evidence': (name) => `Downloaded the evidence of payment ${name}`,
  'payments.nightly_export': (_name, { nightly }) =>
    nightly === null ? 'Ended a nightly export' : 'Set up a nightly export',
  'payments.export': (_name, { rows }) => (rows === undefined ? 'Exported payments' : `Exported ${rows} payments`),
  'payments.archive': (_name, { payments }) => `Archived ${payments} payments`,
  'audit_log.read': () => 'Read the audit log',
  'audit_log.export': () => 'Exported the audit log',
  'request.send': (name, { action }) =>
    `Sent a test request${typeof action === 'string' ? ` ${action}` : ''} as ${name}`,
  'callback.resend': (name, { type }) => `Resent callback ${type ?? ''} of payment ${name}`.replace('  ', ' '),
};

const accountOf = (name: string) => (name === 'unknown' ? 'an unknown account' : name);
const merchantOf = (name: string) => (name === 'unknown' ? 'an unknown merchant' : name);
const countOf = ({ count }: Members, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const wrongProofs: Record<string, string> = { code: 'Entered a wrong code', passkey: 'Used an invalid passkey' };

// Entries of earlier releases have no currency.
const moneyOf = ({ amount, currency }: Members) => (currency === undefined ? amount : `${amount} ${currency}`);

const nouns: Record<string, string> = {
  mid: 'MID',
  key: 'key',
  page: 'payment page',
  look: 'payment page of',
  user: 'person',
};

const verbs: Record<string, string> = {
  add: 'Added',
  change: 'Changed',
  check: 'Checked',
  create: 'Created',
  delete: 'Deleted',
  domain: 'Set the domains of',
  domain_check: 'Checked a domain of',
  end: 'Revoked',
  hold: 'Paused',
  publish: 'Published',
  remove: 'Removed',
  resend: 'Resent',
  reveal: 'Revealed',
  rotate: 'Rotated',
  revoke: 'Revoked',
  save: 'Saved',
  stop: 'Stopped',
  switch_off: 'Disabled',
  switch_on: 'Enabled',
};

/** One sentence: `Changed MID Acquira EU`. */
export function sentenceOf({ action, subject, subjectName, after }: DescribedEntry): string {
  const called = subjectName ?? plainName(subject);
  const own = sentences[action]?.(called, membersOf(after));
  if (own !== undefined) return own;
  const refused = action.endsWith('.refused');
  const name = refused ? action.slice(0, -'.refused'.length) : action;
  const sentence = sentences[name]?.(called, membersOf(after)) ?? defaultSentence(name, called);
  return refused ? `${sentence} (refused)` : sentence;
}

// Actions without a verb in the table, such as `wallet.domain_remove`, use their own name.
function defaultSentence(action: string, called: string): string {
  const [kind = '', act = ''] = action.split('.');
  const noun = nouns[kind] ?? spaced(kind);
  const verb = verbs[act];
  if (verb) return `${verb} ${noun} ${called}`.trim();
  const words = spaced(act);
  return `${capital(noun)} ${called}: ${words === '' ? 'done' : words}`.replace(/ +/g, ' ');
}

function plainName(subject: string): string {
  const [kind = '', ...rest] = subject.split(':');
  const id = rest.join(':');
  if (kind === 'email') return id;
  return id.length > 13 ? `${id.slice(0, 8)}…` : id;
}

/** The fields of an entry, and whether the entry changed them. */
export function fieldsOf(before: Json, after: Json) {
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  const fields = names.map((name) => ({ name, before: valueText(old[name]), after: valueText(fresh[name]) }));
  return { fields, changes: before !== null };
}

// Earlier releases stored another name, and hashed entries cannot be changed.
const actorNames: Record<string, string> = {
  unauthenticated: 'Unauthenticated',
  nobody: 'Unauthenticated',
  command: 'Command line',
};

/** The actor of an entry for display, by the user's name if the actor is an existing user. */
export function actorNameOf({ actor, actorName }: { actor: string; actorName: string | null }): string {
  return actorName ?? (actor.startsWith('user:') ? 'Deleted user' : (actorNames[actor] ?? 'Florin'));
}

const kindsWithPages = new Set(['payment', 'merchant', 'mid', 'mapping', 'wallet', 'schedule']);

/** Link to the subject's page in the dashboard; null if it has none. */
export function hrefOf(subject: string): string | null {
  const [kind = '', id = ''] = subject.split(':');
  return kindsWithPages.has(kind) && id !== '' ? `/dashboard/${kind}s/${id}` : null;
}

type NotedEntry = { action: string; after: Json; result: AuditResult; source: string | null };

/** The note at the right of an entry. */
export function noteOf(entry: NotedEntry, fields: number, changes: boolean): string | null {
  const { reason } = membersOf(entry.after);
  // Who signed in, or was refused, matters less than from where.
  if (entry.source !== null && (entry.result !== 'success' || entry.action === 'sign_in')) return entry.source;
  if (changes) return fields === 1 ? '1 field' : `${fields} fields`;
  return typeof reason === 'string' && reason !== '' ? `“${reason}”` : null;
}

/** The members of a value in the log; none if it is not an object. */
export function membersOf(value: Json): Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function valueText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function roleText(role: Json | undefined): string {
  return typeof role === 'string' ? spaced(role) : 'another role';
}

const spaced = (text: string) => text.replaceAll('_', ' ');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
