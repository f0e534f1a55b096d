/** What the lists of the objects have in common in the address bar. A value that means nothing is left out. */
import type { DashboardRequest } from '../guard';
import type { PageCursors } from './paging';
import { decodeCursor, readSearch, startOfDay } from './query';

/** What a list needs to know of whoever asks; a page's first rendering has it as well. */
export type ListRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'query' | 'zone' | 'now'>;

export type ListParams = PageCursors & { search: string; from: Date | null; until: Date | null };

/** Reads `q`, `from` and `to` (days in `zone`), `after` and `before` (places). */
export function readListParams(params: URLSearchParams, zone: string): ListParams {
  return {
    ...readCursors(params),
    search: readSearch(params),
    from: startOfDay(params.get('from'), zone, 0),
    until: startOfDay(params.get('to'), zone, 1),
  };
}

/** Reads `after` and `before`; the former wins. */
export function readCursors(params: URLSearchParams): PageCursors {
  const after = decodeCursor(params.get('after'));
  const before = after ? undefined : decodeCursor(params.get('before'));
  return { ...(after && { after }), ...(before && { before }) };
}

/** Those of `allowed` that a parameter names, commas between. */
export function readChoices<Choice extends string>(
  params: URLSearchParams,
  name: string,
  allowed: readonly Choice[],
): Choice[] {
  const named = new Set((params.get(name) ?? '').split(','));
  return allowed.filter((choice) => named.has(choice));
}

/** The one of `allowed` that a parameter names; null for none. */
export function readChoice<Choice extends string>(
  params: URLSearchParams,
  name: string,
  allowed: readonly Choice[],
): Choice | null {
  const given = params.get(name);
  return allowed.find((choice) => choice === given) ?? null;
}

/** A short code as `EUR` or `10.4`; null for none and for anything else. */
export function readCode(params: URLSearchParams, name: string): string | null {
  const given = params.get(name) ?? '';
  return /^[\w.-]{1,32}$/.test(given) ? given : null;
}
