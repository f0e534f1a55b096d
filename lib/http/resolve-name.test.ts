import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from './guarded-client.ts';
import { resolveName, resolvePublicName } from './resolve-name.ts';

/** What the name servers answer: addresses, or the code of an error. */
type Answer = string[] | string;
const servers: { ipv4: Answer; ipv6: Answer } = { ipv4: [], ipv6: [] };
/** What the system's resolver knows. */
let known: LookupAddress[] = [];
let asked: string[] = [];

const answer = async (given: Answer) => {
  if (typeof given === 'string') throw Object.assign(new Error(given), { code: given, syscall: 'queryA' });
  return given;
};

/** The system's resolver as {@link dns.lookup} calls it. */
function lookUp(
  name: string,
  _options: object,
  done: (error: Error | null, addresses?: LookupAddress[]) => void,
): void {
  asked.push(name);
  if (known.length > 0) done(null, known);
  else done(Object.assign(new Error(name), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }));
}

beforeEach(() => {
  Object.assign(servers, { ipv4: ['203.0.113.7'], ipv6: 'ENODATA' });
  [known, asked] = [[], []];
  const { prototype } = dns.promises.Resolver;
  vi.spyOn(prototype, 'resolve4').mockImplementation((() => answer(servers.ipv4)) as never);
  vi.spyOn(prototype, 'resolve6').mockImplementation((() => answer(servers.ipv6)) as never);
  vi.spyOn(dns, 'lookup').mockImplementation(lookUp as never);
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const local = { address: '127.0.0.1', family: 4 };

it('has the addresses of both families', async () => {
  servers.ipv6 = ['2001:db8::7'];
  const both = [
    { address: '203.0.113.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ];
  expect(await resolvePublicName('shop.example')).toEqual(both);
  expect(await resolveName('shop.example')).toEqual(both);
  servers.ipv4 = 'ETIMEOUT';
  expect(await resolvePublicName('shop.example')).toEqual(both.slice(1));
  expect(asked).toEqual([]);
});

it('asks the system about a name that the name servers do not know, and not about one that is never answered', async () => {
  known = [local];
  for (const code of ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ECONNREFUSED']) {
    servers.ipv4 = code;
    expect(await resolveName('provider')).toEqual([local]);
  }
  asked = [];
  Object.assign(servers, { ipv4: 'ENODATA', ipv6: 'ETIMEOUT' });
  const never = { code: 'EAI_ETIMEOUT', syscall: 'getaddrinfo' };
  await expect(resolveName('silent.example')).rejects.toMatchObject(never);
  expect(asked).toEqual([]);
  for (const name of ['localhost', 'Shop.LOCALHOST.']) expect(await resolveName(name)).toEqual([local]);
});

const sendTo = (name: string, guard: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ allowPrivateTargets: false, ...guard }).post(`http://${name}/`, '', {}, 5);

it('gives merchants’ names no thread of the system’s resolver', async () => {
  for (const [answered, error] of [
    [['127.0.0.1'], 'private address'],
    ['ENOTFOUND', 'dns'],
    ['ETIMEOUT', 'dns'],
  ] as [Answer, string][]) {
    servers.ipv4 = answered;
    expect(await sendTo('shop.example')).toMatchObject({ error, timedOut: false });
  }
  expect(asked).toEqual([]);
});

it('resolves providers’ names by the name servers first', async () => {
  servers.ipv4 = 'ETIMEOUT';
  expect(await sendTo('provider.example', { networks: [] })).toMatchObject({ error: 'dns' });
  expect(asked).toEqual([]);
  servers.ipv4 = 'ENOTFOUND';
  known = [local];
  expect(await sendTo('provider.internal', { networks: [] })).toMatchObject({ error: 'private address' });
  expect(asked).toEqual(['provider.internal']);
});
