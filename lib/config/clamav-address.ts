// The address of clamd, the daemon of ClamAV (CLAMAV_URL).
import { isOwnHost, urlOf } from './web-addresses.ts';

/** Where clamd listens: a host and a port, or the path of a Unix socket. */
export type ClamavAddress = { host: string; port: number } | { path: string };

/** Reads `tcp://host:port` or `unix:/path`; undefined for any other text. */
export function parseClamavAddress(text: string): ClamavAddress | undefined {
  const url = urlOf(text, /^(tcp|unix):$/);
  if (url?.username !== '' || url.search !== '') return undefined;
  if (url.protocol === 'unix:') return /^unix:\/[^/]/.test(text) ? { path: text.slice('unix:'.length) } : undefined;
  // Without the brackets of IPv6, as sockets take it.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isComplete = host !== '' && url.port !== '' && /^\/?$/.test(url.pathname);
  return isComplete ? { host, port: Number(url.port) } : undefined;
}

/** Whether files, among them private keys, would leave this machine: clamd has no encryption. */
export const leavesMachine = (address: ClamavAddress | null) =>
  address !== null && 'host' in address && !isOwnHost(address.host);
