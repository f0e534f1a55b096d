/** Query parameters that the object lists share. Invalid values are ignored. */
import type { DashboardRequest } from '../guard';
import type { PageCursors } from './paging';
import { decodeCursor, readSearch, startOfDay } from './query';

/** The part of the request context that a list needs; a page's first rendering has it too. */
export type ListRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'query' | 'zone' | 'now'>;

export type ListParams = PageCursors & { search: string; from: Date | null; until: Date | null };

/** Reads `q`, `from` and `to` (days in `zone`), `after` and `before` (cursors). */
export function readListParams(params: URLSearchParams, zone: string): ListParams {
  return {
    ...readCursors(params),
    search: readSearch(params),
    from: startOfDay(params.get('from'), zone, 0),
    until: startOfDay(params.get('to'), zone, 1),
  };
}

/** Reads `after` and `before`; `after` takes precedence. */
export function readCursors(params: URLSearchParams): PageCursors {
  const after = decodeCursor(params.get('after'));
  const before = after ? undefined : decodeCursor(params.get('before'));
  return { ...(after && { after }), ...(before && { before }) };
}

/** The allowed values of a comma-separated parameter. */
export function readChoices<Choice extends string>(
  params: URLSearchParams,
  name: string,
  allowed: readonly Choice[],
): Choice[] {
  const named = new Set((params.get(name) ?? '').split(','));
  return allowed.filter((choice) => named.has(choice));
}

/** The allowed value of a parameter; null for none. */
export function readChoice<Choice extends string>(
  params: URLSearchParams,
  name: string,
  allowed: readonly Choice[],
): Choice | null {
  const input = params.get(name);
  return allowed.find((choice) => choice === input) ?? null;
}

/** A short code such as `EUR` or `10.4`; null for none or an invalid one. */
export function readCode(params: URLSearchParams, name: string): string | null {
  const input = params.get(name) ?? '';
  return /^[\w.-]{1,32}$/.test(input) ? input : null;
}
