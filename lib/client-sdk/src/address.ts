// Tells from an address whether the payer has come back, and how. React Native's URL lacks most of what a URL is asked
// for, so addresses are taken apart here.

import { throwArgumentError } from './errors';

/** The addresses of the session. Those that it does not have are left out. */
export type ReturnAddresses = { successUrl: string; cancelUrl: string; errorUrl?: string; expiryUrl?: string };

/**
 * How the payer came back. `result` names the address and proves nothing: anybody can open it. Let a server check the
 * hash (`verifyReturn`) and ask for the status, or wait for the callback.
 */
export type Outcome = {
  result: 'success' | 'cancel' | 'error' | 'expired';
  paymentId: string;
  /** Absent where nothing was tried. */
  transId?: string;
  orderId: string;
  hash: string;
  /** The whole query, the shop's own members included. */
  query: Record<string, string>;
};

/** Reads an address; null unless it is the payer's way back. */
export type OutcomeReader = (address: string) => Outcome | null;

type Address = { origin: string; path: string; query: [string, string][]; fragment: string };

const defaultPorts: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Scheme, host and port of a web address, as browsers write an origin; null for anything else. */
export function originOf(address: string): string | null {
  return parse(address)?.origin ?? null;
}

/**
 * A reader for the addresses of one session. An address matches when origin, path and fragment are the same, the
 * shop's own query is in it and the signed query too. Of several that match, the one that says most counts.
 */
export function readerOf(addresses: ReturnAddresses): OutcomeReader {
  const named = [
    ['success', addresses.successUrl],
    ['cancel', addresses.cancelUrl],
    ['error', addresses.errorUrl],
    ['expired', addresses.expiryUrl],
  ] as const;
  const watched = named.flatMap(([result, text]) => {
    if (text === undefined && result !== 'success' && result !== 'cancel') return [];
    const address = parse(text ?? '') ?? throwArgumentError(`The address of ${result} is no web address.`);
    return [{ result, address, weight: address.query.length + (address.fragment === '' ? 0 : 1) }];
  });
  const [success, cancel] = watched.map(({ address }) => JSON.stringify(address));
  if (success === cancel) throwArgumentError('The addresses of success and cancel are the same.');
  watched.sort((a, b) => b.weight - a.weight);
  return (text) => {
    const address = parse(text);
    const found = address && watched.find((each) => isReturnAddress(address, each.address));
    return found ? outcomeOf(found.result, address.query) : null;
  };
}

function isReturnAddress(address: Address, wanted: Address): boolean {
  const place = address.origin === wanted.origin && address.path === wanted.path;
  if (!place || (wanted.fragment !== '' && address.fragment !== wanted.fragment)) return false;
  return wanted.query.every(([name, value]) => address.query.some((pair) => pair[0] === name && pair[1] === value));
}

// The service appends its fields, so the last of a name is the service's.
function outcomeOf(result: Outcome['result'], pairs: [string, string][]): Outcome | null {
  const query = Object.fromEntries(pairs);
  const { payment_id: paymentId, trans_id: transId, order_id: orderId, hash } = query;
  if (!paymentId || !orderId || !hash) return null;
  return { result, paymentId, ...(transId ? { transId } : {}), orderId, hash, query };
}

// A user name before the host makes it no address: what stands before the @ is what people read.
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

// What is no valid percent-encoding stays as it stands.
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
