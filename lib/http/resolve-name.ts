/**
 * Resolves host names without the threads of the process: the system's resolver occupies one until the name's server has
 * answered, and of those that never answer two would stop the lookups of all other names.
 */
import { type LookupAddress, lookup, promises } from 'node:dns';

/** Shorter than the time to connect, so that a name fails and not the connection. */
const timeouts = { timeout: 1500, tries: 2 };

/** Resolves a name; the error of one that was not resolved has `syscall` as the system's resolver sets it. */
export type Resolver = (name: string) => Promise<LookupAddress[]>;

type DnsError = Error & { code?: string };

/** The code of a name whose server does not answer. */
const silent = 'ETIMEOUT';

/** Resolves a name by the name servers of the system; IPv4 addresses come first. */
export const resolvePublicName: Resolver = async (name) => {
  // A new one reads the present configuration of the system.
  const resolver = new promises.Resolver(timeouts);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length > 0) return addresses;
  const codes = [ipv4, ipv6].map((each) => (each.status === 'rejected' ? (each.reason as DnsError).code : undefined));
  const code = codes.includes(silent) ? silent : codes[0];
  throw Object.assign(new Error(`${name} was not resolved`), { code: `EAI_${code}`, syscall: 'getaddrinfo' });
};

const isLoopback = (name: string) => /^(.+\.)?localhost\.?$/i.test(name);

/**
 * Resolves a name by the name servers, and one that they do not know as the system does: by its file of hosts and its
 * search domains.
 */
export const resolveName: Resolver = async (name) => {
  if (isLoopback(name)) return resolveBySystem(name);
  return resolvePublicName(name).catch((error: DnsError) => {
    if (error.code === `EAI_${silent}`) throw error;
    return resolveBySystem(name);
  });
};

const resolveBySystem: Resolver = (name) =>
  new Promise((done, fail) => {
    lookup(name, { all: true, verbatim: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
