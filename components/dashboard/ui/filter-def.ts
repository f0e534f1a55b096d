// The filters of a list in the address bar, and the text of their chips.
import type { FilterDef } from '../../../lib/dashboard/lists/contract';

/** The parameters of a filter. */
export function paramsOf({ name, kind, params }: FilterDef): readonly string[] {
  if (kind !== 'day' && kind !== 'amount') return [name];
  return params ?? [`${name}_from`, `${name}_to`];
}

/** The text of a filter's chip; empty if it is not set. */
export function filterText(filter: FilterDef, query: URLSearchParams): string {
  const [first = '', second = ''] = paramsOf(filter).map((name) => query.get(name) ?? '');
  switch (filter.kind) {
    case 'choice':
    case 'choices':
      return first
        .split(',')
        .filter((value) => value !== '')
        .map((value) => filter.options?.find((option) => option.value === value)?.label ?? value)
        .join(', ');
    case 'text':
      return first;
    case 'day':
      return rangeText(dayLabels(first), dayLabels(second), ['from', 'up to']);
    case 'amount':
      return rangeText(first, second, ['from', 'up to']);
  }
}

function rangeText(from: string, to: string, [least, most]: [string, string]): string {
  if (from && to) return from === to ? from : `${from} – ${to}`;
  if (from) return `${least} ${from}`;
  return to ? `${most} ${to}` : '';
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `20 Nov 2026` for `2026-11-20`; an invalid day is returned unchanged. */
export function dayLabels(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined ? day : `${Number(date)} ${name} ${year}`;
}

/** The query with changed parameters (null removes one), from its first page on. */
export function changedQuery(query: URLSearchParams, change: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of ['after', 'before', 'open']) next.delete(name);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
