// The filters of a list in the address bar, and the text of their chips.

import type { FilterDef } from '../../../lib/dashboard/lists/contract';
import { dateText } from '../times';

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
      return rangeText(dateText(first), dateText(second), ['from', 'up to']);
    case 'amount':
      return rangeText(first, second, ['from', 'up to']);
  }
}

function rangeText(from: string, to: string, [least, most]: [string, string]): string {
  if (from && to) return from === to ? from : `${from} – ${to}`;
  if (from) return `${least} ${from}`;
  return to ? `${most} ${to}` : '';
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
