// Web addresses in settings.

/** The URL of a text with this protocol and without a fragment; undefined for any other text. */
export function urlOf(text: string, protocol: RegExp): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && protocol.test(url.protocol) && !url.hash ? url : undefined;
}

/** A web address without a user, as it was written; undefined for any other text. */
export function parseWebAddress(text: string): string | undefined {
  return urlOf(text, /^https?:$/)?.username === '' ? text : undefined;
}

/** Whether payers reach this address encrypted (PCI DSS 4.0.1, 4.2.1), or only from this machine. */
export const isSecure = (baseUrl: string) => baseUrl.startsWith('https:') || isOwnHost(new URL(baseUrl).hostname);

/** Whether a host is this machine. */
export const isOwnHost = (host: string) => /^(localhost|127\.0\.0\.1|\[?::1\]?)$/.test(host);
