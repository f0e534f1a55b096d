// Recognises the payer's return from an address. React Native's URL lacks most members, so addresses are parsed here.

import { throwArgumentError } from './errors.ts';

/** The return addresses of the session; omit those that it does not have. */
export type ReturnAddresses = { successUrl: string; cancelUrl: string; errorUrl?: string; expiryUrl?: string };

/**
 * How the payer returned. `result` names the address and proves nothing, because any client can open it. Check the hash
 * on a server (`verifyReturn`) and request the status, or wait for the callback.
 */
export type Outcome = {
  result: 'success' | 'cancel' | 'error' | 'expired';
  paymentId: string;
  /** Absent without an attempt. */
  transId?: string;
  orderId: string;
  hash: string;
  /** The whole query, including the shop's own parameters. */
  query: Record<string, string>;
};

/** Reads an address; null unless it is one of the return addresses. */
export type OutcomeReader = (address: string) => Outcome | null;

type Address = { origin: string; path: string; query: [string, string][]; fragment: string };

const defaultPorts: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Scheme, host and port of a web address, as browsers write an origin; null for any other text. */
export function originOf(address: string): string | null {
  return parse(address)?.origin ?? null;
}

/**
 * A reader for the addresses of one session. An address matches if origin, path and fragment are equal and its query
 * contains the shop's own query and the signed one. Of several matches, the most specific one counts. `spelt` completes an address.
 */
export function readerOf(addresses: ReturnAddresses, spelt = (address: string) => address): OutcomeReader {
  const named = [
    ['success', addresses.successUrl],
    ['cancel', addresses.cancelUrl],
    ['error', addresses.errorUrl],
    ['expired', addresses.expiryUrl],
  ] as const;
  const watched = named.flatMap(([result, text]) => {
    if (text === undefined && result !== 'success' && result !== 'cancel') return [];
    const address =
      parse(text === undefined ? '' : spelt(text)) ??
      throwArgumentError(`The address of ${result} is not a web address.`);
    return [{ result, address, weight: address.query.length + (address.fragment === '' ? 0 : 1) }];
  });
  const [success, cancel] = watched.map(({ address }) => JSON.stringify(address));
  if (success === cancel) throwArgumentError('The addresses of success and cancel are the same.');
  watched.sort((a, b) => b.weight - a.weight);
  return (text) => {
    const address = parse(text);
    const match = address && watched.find((each) => isReturnAddress(address, each.address));
    return match ? outcomeOf(match.result, address.query) : null;
  };
}

function isReturnAddress(address: Address, expected: Address): boolean {
  const place = address.origin === expected.origin && address.path === expected.path;
  if (!place || (expected.fragment !== '' && address.fragment !== expected.fragment)) return false;
  return expected.query.every(([name, value]) => address.query.some((pair) => pair[0] === name && pair[1] === value));
}

// The service appends its fields, so the last value of a name is the service's.
function outcomeOf(result: Outcome['result'], pairs: [string, string][]): Outcome | null {
  const query = Object.fromEntries(pairs);
  const { payment_id: paymentId, trans_id: transId, order_id: orderId, hash } = query;
  if (!paymentId || !orderId || !hash) return null;
  return { result, paymentId, ...(transId ? { transId } : {}), orderId, hash, query };
}

// A user name before the host is rejected: it makes a foreign address look like the shop's.
function parse(text: string): Address | null {
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] =
    /^(https?):\/\/([^/?#@\\\s]+)(\/[^?#]*)?(?:\?([^#]*))?(#.*)?$/i.exec(text) ?? [];
  if (host === '') return null;
  const lower = scheme.toLowerCase();
  const port = defaultPorts[lower] ?? '';
  const bare = host.toLowerCase();
  return {
    origin: `${lower}://${bare.endsWith(port) ? bare.slice(0, -port.length) : bare}`,
    path: decoded(path === '' ? '/' : path, decodeURI),
    query: pairsOf(query),
    fragment: decoded(fragment === '#' ? '' : fragment, decodeURI),
  };
}

function pairsOf(query: string): [string, string][] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part.replace(/\+/g, ' ')) ?? [];
      return [decoded(name, decodeURIComponent), decoded(value, decodeURIComponent)];
    });
}

// Invalid percent-encoding is kept unchanged.
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
