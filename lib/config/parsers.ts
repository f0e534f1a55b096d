// The parsers of single settings: each returns the value of a text, or `undefined` for an invalid one.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export function parsedFile<T>(path: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function wholeNumber(least: number, most: number) {
  return (text: string): number | undefined => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
  };
}

export function parseSwitch(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  return /^(off|false|0|no)$/i.test(text) ? false : undefined;
}

export function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) return undefined;
  return url.pathname === '/' ? url.origin : undefined;
}

export function parseHost(text: string): string | undefined {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(text) ? text.toLowerCase() : undefined;
}

/** Returns an IP address or host name to listen on. */
export function parseListenAddress(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined;
}

export function parseSmtpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search || url.hash) return undefined;
  return url.pathname === '' || url.pathname === '/' ? text : undefined;
}

export function parseWebAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.hash ? text : undefined;
}

export function parseSender(text: string): string | undefined {
  const address = '[^\\s@<>,;"]+@[^\\s@<>,;"]+';
  return new RegExp(`^(${address}|[^<>"\\r\\n]+<${address}>)$`).test(text) ? text : undefined;
}

export function parseDatabaseUrl(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}

export function parseVaultKey(text: string): Uint8Array | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return bytes.length === 32 ? new Uint8Array(bytes) : undefined;
}
