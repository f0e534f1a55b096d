/** The filters of the list of merchants as they stand in the address bar; what means nothing is left out. */
import type { MerchantFilter } from '../../merchants';
import type { PageCursors } from '../lists/paging';
import { decodeCursor, readSearch } from '../lists/query';

/** Reads `q`, `state` (`on`, `off`), `after` and `before` (places). */
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
