// The settings of security events (lib/events): where they go.
import type { Reader } from './reader.ts';
import { isOwnHost, isSecure, parseWebAddress, urlOf } from './web-addresses.ts';

/** The sinks. */
export function eventSettings({ flag, matching, optional }: Pick<Reader, 'flag' | 'matching' | 'optional'>) {
  return {
    /** Whether the log has security events. */
    eventsLog: flag('EVENTS_LOG', true),
    /** The address that gets security events by signed callbacks, and its secret. */
    eventsUrl: optional('EVENTS_URL', 'an http or https address', parseWebAddress),
    eventsSecret: matching(
      'EVENTS_SECRET',
      'whsec_ and 24 to 64 bytes in base64, e.g. from echo whsec_$(openssl rand -base64 32)',
      /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    ),
    /** The syslog server that gets security events. */
    eventsSyslog: optional('EVENTS_SYSLOG', 'tls:// or tcp:// with a host and a port', parseSyslogAddress),
  };
}

/** Missing values, and connections that production does not allow. */
export function eventProblems({ appEnv, ...events }: { appEnv: string } & ReturnType<typeof eventSettings>): string[] {
  const { eventsUrl, eventsSecret, eventsSyslog } = events;
  const problems: string[] = [];
  if (eventsUrl !== null && eventsSecret === null) problems.push('EVENTS_SECRET is missing: EVENTS_URL needs it.');
  if (appEnv !== 'production') return problems;
  if (eventsUrl !== null && !isSecure(eventsUrl)) problems.push('EVENTS_URL should begin with https:// in production.');
  if (eventsSyslog !== null && !eventsSyslog.tls && !isOwnHost(eventsSyslog.host)) {
    problems.push('EVENTS_SYSLOG should begin with tls:// in production, except on this machine.');
  }
  return problems;
}

/** A syslog server. */
export type SyslogAddress = { tls: boolean; host: string; port: number };

function parseSyslogAddress(text: string): SyslogAddress | undefined {
  const url = urlOf(text, /^(tls|tcp):$/);
  if (url?.username !== '' || url.search !== '' || !/^\/?$/.test(url.pathname)) return undefined;
  // Without the brackets of IPv6, as sockets take it.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return host !== '' && url.port !== '' ? { tls: url.protocol === 'tls:', host, port: Number(url.port) } : undefined;
}
