'use client';
// The user's time zone. The browser stores it in a cookie, so that the server renders the same times; on the first
// visit times are in UTC for a moment.
import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { dateTimeText, dayText, timeText } from './times.ts';

const Zone = createContext('UTC');

const yearSeconds = 365 * 86_400;

/** Stores a preference of this browser for the pages of the dashboard; null removes it. */
export function setPreference(name: string, value: string | null): void {
  const age = value === null ? 0 : yearSeconds;
  // The name is that of cookieName (lib/http/route.ts).
  const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; secure'] : ['', ''];
  const cookie = `${prefix}${name}=${encodeURIComponent(value ?? '')}`;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store, and this is not a secret
  document.cookie = `${cookie}; path=/; max-age=${age}; samesite=lax${secure}`;
}

export function ZoneProvider({ zone, children }: { zone: string; children: ReactNode }) {
  const router = useRouter();
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!own || own === zone) return;
    setPreference('florin_zone', own);
    router.refresh();
  }, [zone, router]);
  return <Zone value={zone}>{children}</Zone>;
}

export function useZone(): string {
  return useContext(Zone);
}

/** A time with the full UTC time as a tooltip. */
export function Time({ at, as = 'time' }: { at: string; as?: 'time' | 'day and time' | 'date and time' }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 23)} UTC`} className="figures">
      {as === 'date and time' ? dateTimeText(at, zone) : null}
      {as === 'time' ? timeText(at, zone) : null}
      {as === 'day and time' ? (
        <>
          <span className="quiet">{dayText(at, zone)}</span> {timeText(at, zone)}
        </>
      ) : null}
    </time>
  );
}
