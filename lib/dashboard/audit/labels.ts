/** What an entry of the audit log says, in words: one sentence, the fields that it names, and where to look. */

import type { Json } from '../../auth';
import type { AuditField } from './contract';

type Members = Record<string, Json>;
type DescribedEntry = { action: string; subject: string; subjectName: string | null; before: Json; after: Json };

/** Sentences that are more than a verb and a noun. `name` is what it was done to. */
const sentences: Record<string, (name: string, after: Members) => string> = {
  sign_in: (_name, { proof }) => (typeof proof === 'string' ? `Signed in with ${proof}` : 'Signed in'),
  'sign_in.locked': (name) => `Locked ${name} after 10 failures`,
  'proof.wrong': (_name, { proof }) => (proof === 'code' ? 'Gave a wrong code' : 'Gave a wrong password'),
  sign_out: () => 'Signed out',
  'password.change': () => 'Changed the own password',
  'password.forgotten': (name) => `Asked for a new password for ${name}`,
  'password.reset': () => 'Set a new password by a link',
  'second_factor.set_up': () => 'Set up a second factor',
  'second_factor.replace': () => 'Replaced the second factor',
  'second_factor.switch_off': () => 'Switched the second factor off',
  'recovery_codes.renew': () => 'Made new recovery codes',
  'session.end': () => 'Ended one of the own sessions',
  'session.end_others': () => 'Ended the other sessions',
  'invitation.send': (name, { role }) => `Invited ${name} as ${roleText(role)}`,
  'invitation.resend': (name) => `Sent the invitation of ${name} again`,
  'invitation.withdraw': (name) => `Withdrew the invitation of ${name}`,
  'invitation.accept': () => 'Accepted the invitation',
  'person.role': (name, { role }) => `Made ${name} ${roleText(role)}`,
  'person.disable': (name) => `Switched off ${name}`,
  'person.enable': (name) => `Let ${name} in again`,
  'person.end_sessions': (name) => `Ended the sessions of ${name}`,
  'person.reset_second_factor': (name) => `Took away the second factor of ${name}`,
  'payment.capture': (name, { amount }) => `Captured ${amount} of payment ${name}`,
  'payment.refund': (name, { amount }) => `Refunded ${amount} of payment ${name}`,
  'payment.void': (name) => `Voided payment ${name}`,
  'payment.release': (name) => `Released payment ${name}`,
  'unresolved.close': (name, { decision }) =>
    `Closed an unresolved item of payment ${name}${decision === 'closed' ? '' : ` as ${decision}`}`,
  'payment.ask': (name) => `Asked the provider about payment ${name}`,
  'payments.export': (_name, { rows }) => (rows === undefined ? 'Exported payments' : `Exported ${rows} payments`),
  'callback.resend': (name, { type }) => `Sent callback ${type ?? ''} of payment ${name} again`.replace('  ', ' '),
};

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
  create: 'Created',
  delete: 'Deleted',
  domain: 'Set the domains of',
  end: 'Ended',
  hold: 'Held back',
  publish: 'Published',
  remove: 'Removed',
  resend: 'Sent again',
  reveal: 'Revealed',
  rotate: 'Rotated',
  revoke: 'Revoked',
  save: 'Saved',
  stop: 'Stopped',
  switch_off: 'Switched off',
  switch_on: 'Switched on',
};

/** One sentence: `Changed MID Acquira EU`. */
export function sentenceOf({ action, subject, subjectName, after }: DescribedEntry): string {
  const refused = action.endsWith('.refused');
  const name = refused ? action.slice(0, -'.refused'.length) : action;
  const called = subjectName ?? plainName(subject);
  const sentence = sentences[name]?.(called, membersOf(after)) ?? defaultSentence(name, called);
  return refused ? `${sentence}, and it was refused` : sentence;
}

// `wallet.domain_remove` on somebody's wallet: the verb where there is one, otherwise the action's own words.
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

/** The fields that an entry names, and whether they were changed by it. */
export function fieldsOf(before: Json, after: Json): { fields: AuditField[]; changes: boolean } {
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  const fields = names.map((name) => ({ name, before: valueText(old[name]), after: valueText(fresh[name]) }));
  return { fields, changes: before !== null };
}

/** Where the subject of an entry can be seen in the dashboard; null for what has no page. */
export function hrefOf(subject: string): string | null {
  const [kind = '', id = ''] = subject.split(':');
  const pages: Record<string, string> = {
    payment: 'payments',
    merchant: 'merchants',
    mid: 'mids',
    mapping: 'mappings',
    wallet: 'wallets',
    schedule: 'schedules',
  };
  return pages[kind] && id !== '' ? `/dashboard/${pages[kind]}/${id}` : null;
}

/** What stands at the right of an entry. */
export function noteOf(action: string, after: Json, fields: number, changes: boolean): string | null {
  const { address, reason } = membersOf(after);
  if (action === 'sign_in' && typeof address === 'string') return address;
  if (changes) return fields === 1 ? '1 field' : `${fields} fields`;
  return typeof reason === 'string' && reason !== '' ? `“${reason}”` : null;
}

function membersOf(value: Json): Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function valueText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function roleText(role: Json | undefined): string {
  return typeof role === 'string' ? spaced(role) : 'somebody else';
}

const spaced = (text: string) => text.replaceAll('_', ' ');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
