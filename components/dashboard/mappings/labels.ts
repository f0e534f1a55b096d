/** Labels of a mapping's settings, on the page and in the list of changes. */
import type { FieldPlace, FieldRow, MappingProtocol } from '../../../lib/core/mapping-options';
import { rowsOf } from './form-values';

/** The columns of the matrix. */
export const columnTitles: Record<FieldPlace, string> = {
  required: 'Required',
  callback: 'In callbacks',
  status: 'In status',
};

const groups: Record<string, { name: string; aside: (count: number) => string }> = {
  threeDS: { name: '3DS attributes', aside: (count) => `${count} fields, from threeDSServerTransID to eci` },
  browser: { name: 'Browser attributes', aside: (count) => `${count} fields such as browser_language` },
};

/** The label of a row; `isContract` is whether it is a contract name. */
export function rowTitle({ id, names }: FieldRow): { name: string; isContract: boolean; aside?: string } {
  const group = groups[id];
  if (group) return { name: group.name, isContract: false, aside: group.aside(names.length) };
  return { name: names.join(', '), isContract: true };
}

const settingLabels: Record<string, string> = {
  enabled: 'Status',
  digest: 'Hash algorithm',
  orderIdReuse: 'Order ID reuse',
  maximumDeclines: 'Maximum declines',
  defaultLanguage: 'Default language',
  redirectParameters: 'Redirect parameters',
  defaultNotificationUrl: 'Default callback URL',
  uppercase: 'Upper case',
  reversalWord: 'Reversed authorisation',
  frameBySuccessUrl: 'Frame by success_url',
  ipAllowlist: 'IP allowlist',
  signedRequests: 'Signed requests (HMAC)',
  openPayouts: 'Open payouts',
  scheduleRetries: 'Schedule retries',
  scheduleRetryHours: 'Hours between retries',
  missedSlots: 'Missed charges',
  cascadeLimit: 'Cascade depth',
  dailyLimitMinor: 'Daily limit',
  weeklyLimitMinor: 'Weekly limit',
};

/** The label of every form field by its name. */
export function labelsOf(protocol: MappingProtocol): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const row of rowsOf(protocol)) {
    const { name } = rowTitle(row);
    labels[`matrix.required.${row.id}`] = `${name} required`;
    labels[`matrix.callback.${row.id}`] = `${name} in callbacks`;
    labels[`matrix.status.${row.id}`] = `${name} in status`;
  }
  return { ...labels, ...settingLabels };
}

const reuse: Record<string, string> = {
  never: 'never',
  after_failed: 'after failed payments',
  always: 'always',
};

const missed: Record<string, string> = { one: 'the latest', all: 'all', none: 'none' };

const boxText = (value: unknown) => (value === 'some' ? 'some' : value ? 'on' : 'off');

/** How values are shown in the list of changes. */
export function showOf(protocol: MappingProtocol): Record<string, (value: unknown) => string> {
  const show: Record<string, (value: unknown) => string> = {
    digest: (value) => (value === 'sha256' ? 'SHA-256' : 'MD5'),
    orderIdReuse: (value) => reuse[String(value)] ?? String(value),
    missedSlots: (value) => missed[String(value)] ?? String(value),
    uppercase: (value) => (value === 'unicode' ? 'all letters' : 'a to z'),
    enabled: (value) => (value ? 'active' : 'disabled'),
    signedRequests: (value) => (value ? 'required' : 'not required'),
    openPayouts: (value) => (value ? 'accepted with the hash alone' : 'refused with the hash alone'),
    ipAllowlist: (value) => listText(String(value ?? '')),
    defaultLanguage: (value) => (value ? languageName(String(value)) : 'browser language'),
  };
  for (const { id } of rowsOf(protocol)) {
    for (const place of ['required', 'callback', 'status']) show[`matrix.${place}.${id}`] = boxText;
  }
  return show;
}

function listText(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? 'all addresses' : lines.join(', ');
}

const tags: Record<string, string> = { sp: 'es', zh: 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** `German (de)` for a language code of the contract. */
export function languageName(code: string): string {
  return `${new Intl.DisplayNames('en', { type: 'language' }).of(tags[code] ?? code)} (${code})`;
}
