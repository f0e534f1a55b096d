/** The filters of the merchants list in the address bar. Invalid values are ignored. */
import type { MerchantFilter } from '../../merchants';
import type { PageCursors } from '../lists/paging';
import { decodeCursor, readSearch } from '../lists/query';

/** Reads `q`, `state` (`on`, `off`), `after` and `before` (cursors). */
export function readMerchantQuery(
  params: URLSearchParams,
): PageCursors & { filter: Omit<MerchantFilter, 'merchantId'> } {
  const after = decodeCursor(params.get('after'));
  const before = after ? undefined : decodeCursor(params.get('before'));
  return { filter: { search: readSearch(params), enabled: readSwitch(params) }, after, before };
}

/** `state=on` or `state=off`; null for anything else. */
export function readSwitch(params: URLSearchParams): boolean | null {
  const state = params.get('state');
  return state === 'on' || state === 'off' ? state === 'on' : null;
}
