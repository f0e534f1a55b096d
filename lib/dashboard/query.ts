/**
 * The list's filters as they stand in the address bar. A value that means nothing is left out rather than refused,
 * because addresses are typed, shortened and passed on.
 */
import { Temporal } from 'temporal-polyfill';
import type { State } from '../core/states';
import { states } from '../core/states';
import { isUuid } from '../payments/ids';
import type { ListFilter, Place } from '../payments/list';
import { checkoutStatus } from '../protocols/record';

const searchMax = 255;

export type ListQuery = { filter: Omit<ListFilter, 'merchantId'>; after?: Place; before?: Place };

/** Reads `q`, `state` (statuses, commas between), `from` and `to` (days in `zone`), `after` and `before` (places). */
export function readListQuery(params: URLSearchParams, zone: string): ListQuery {
  const named = new Set((params.get('state') ?? '').split(','));
  const after = readPlace(params.get('after'));
  const before = after ? undefined : readPlace(params.get('before'));
  return {
    filter: {
      // The database has no place for NUL or for half a surrogate pair.
      search: (params.get('q') ?? '')
        .slice(0, searchMax)
        .replace(/\0|\p{Surrogate}/gu, '')
        .trim(),
      states: states.filter((state: State) => named.has(checkoutStatus[state])),
      from: startOfDay(params.get('from'), zone, 0),
      until: startOfDay(params.get('to'), zone, 1),
    },
    ...(after && { after }),
    ...(before && { before }),
  };
}

/** A place as it is written into the address bar: milliseconds since 1970, a dot and the id. */
export function writePlace({ createdAt, id }: Place): string {
  return `${createdAt.getTime()}.${id}`;
}

function readPlace(text: string | null): Place | undefined {
  const [, milliseconds = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(text ?? '') ?? [];
  if (!isUuid(id) || Number(milliseconds) > 8.64e15) return undefined;
  return { createdAt: new Date(Number(milliseconds)), id };
}

// The first instant of a day, or of one some days later: `to` includes its day.
function startOfDay(text: string | null, zone: string, daysLater: number): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text ?? '')) return null;
  try {
    const day = Temporal.PlainDate.from(text as string, { overflow: 'reject' }).add({ days: daysLater });
    return new Date(day.toZonedDateTime(zone).epochMilliseconds);
  } catch {
    return null;
  }
}

/** The time zone of a browser as it names it in its cookie; UTC where it names none or one that does not exist. */
export function readZone(name: string | undefined): string {
  if (name === undefined || name === '' || name.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
