// The guarded client against URLs of private targets: notations of addresses of this machine, its network and cloud
// metadata services, names that resolve to them, and DNS rebinding. A canary server on this machine must get no
// request.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRanges } from '../config/address-ranges.ts';
import { createClient } from './guarded-client.ts';

let canary: Server;
let port = 0;
let knocks = 0;

beforeAll(async () => {
  canary = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => canary.listen(0, '::', listening));
  ({ port } = canary.address() as { port: number });
});

afterAll(() => {
  canary.close();
});

/** Notations of an IPv4 address that some parsers accept. */
function spellings(a: number, b: number, c: number, d: number): string[] {
  const hex = (value: number) => value.toString(16);
  const octal = (value: number) => `0${value.toString(8)}`;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const pair = `${hex((a << 8) | b)}:${hex((c << 8) | d)}`;
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${whole}`,
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `${octal(a)}.${octal(b)}.${octal(c)}.${octal(d)}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}%2e${b}%2e${c}%2e${d}`,
    `${a}。${b}。${c}。${d}`,
    [...`${a}.${b}.${c}.${d}`]
      .map((each) => (each === '.' ? each : String.fromCodePoint(0xff10 + Number(each))))
      .join(''),
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${pair}]`,
    `[0:0:0:0:0:ffff:${pair}]`,
    `[::${pair}]`,
    `[64:ff9b::${pair}]`,
    `[2002:${pair}::]`,
  ];
}

const hosts = [
  ...spellings(127, 0, 0, 1),
  ...spellings(169, 254, 169, 254),
  ...spellings(10, 0, 0, 1),
  ...spellings(192, 168, 1, 1),
  ...spellings(172, 16, 0, 1),
  ...spellings(100, 64, 0, 1),
  ...spellings(0, 0, 0, 0),
  ...'127.1 127.0.1 0 0x7f.1 017700000001 2130706433 127.255.255.254 255.255.255.255 224.0.0.1 198.18.0.1'.split(' '),
  ...'192.0.0.192 168.63.129.16 fd00:ec2::254'.split(' ').map((each) => (each.includes(':') ? `[${each}]` : each)),
  ...'[::1] [::] [0:0:0:0:0:0:0:1] [fe80::1] [fe80::1%25lo] [fc00::1] [fd12::1] [ff02::1] [fec0::1] [2001:db8::1]'.split(
    ' ',
  ),
  ...'[2001:0:7f00:1::] [64:ff9b:1::7f00:1] [::ffff:0:127.0.0.1]'.split(' '),
];

const client = () => createClient({ allowPrivateTargets: false });

describe('IP literals', () => {
  it('are many', () => {
    expect(new Set(hosts).size).toBeGreaterThanOrEqual(120);
  });

  it.each(hosts)('%s', async (host) => {
    for (const scheme of ['http', 'https']) {
      const sent = await client().post(`${scheme}://${host}:${port}/`, '{}', {}, 2);
      expect(sent.httpStatus).toBeUndefined();
      expect(knocks).toBe(0);
      expect(sent.error).toMatch(/^(private address|not a web address|port not allowed|dns)$/);
    }
  });
});

describe('names', () => {
  const publicAddress = { address: '192.0.3.1', family: 4 };
  const own = { address: '127.0.0.1', family: 4 };

  it.each([
    ['a name of this machine', [own]],
    ['one private address among public ones', [publicAddress, own]],
    ['this machine in the newer notation', [{ address: '::1', family: 6 }]],
    ['this machine in disguise', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['a neighbour', [{ address: '192.168.0.7', family: 4 }]],
    ['the metadata of a cloud', [{ address: '169.254.169.254', family: 4 }]],
    ['nobody', []],
  ])('%s', async (_what, addresses) => {
    const guarded = createClient({ allowPrivateTargets: false, resolver: async () => addresses });
    const sent = await guarded.post(`http://shop.example:${port}/`, '{}', {}, 2);
    expect(sent.error).toBe('private address');
    expect(await guarded.reachable(`http://shop.example:${port}/`)).toBe(false);
    expect(knocks).toBe(0);
  });

  it('that change their address are resolved once per connection, which uses the checked address', async () => {
    let lookups = 0;
    // The first result is public, every later one is private.
    const resolver = async () => (lookups++ === 0 ? [publicAddress] : [own]);
    const guarded = createClient({ allowPrivateTargets: false, resolver });
    const first = await guarded.post(`http://rebind.example:${port}/`, '{}', {}, 1);
    expect(first.httpStatus).toBeUndefined();
    expect(lookups).toBe(1);
    const second = await guarded.post(`http://rebind.example:${port}/`, '{}', {}, 1);
    expect(second.error).toBe('private address');
    expect(knocks).toBe(0);
  });
});

it('the canary is reachable if private targets are allowed', async () => {
  await createClient({ allowPrivateTargets: true }).post(`http://127.0.0.1:${port}/`, '{}', {}, 2);
  expect(knocks).toBe(1);
});

it('the canary is reachable in a listed network, and a name that has another address too is not', async () => {
  const before = knocks;
  const networks = parseRanges('127.0.0.1');
  const addresses = [{ address: '127.0.0.1', family: 4 }];
  const guarded = createClient({ allowPrivateTargets: false, networks, resolver: async () => addresses });
  const send = () => guarded.post(`http://adapter.example:${port}/`, '{}', {}, 2);
  addresses.push({ address: '10.0.0.5', family: 4 });
  expect((await send()).error).toBe('private address');
  expect(knocks).toBe(before);
  addresses.pop();
  await send();
  expect(knocks).toBe(before + 1);
});
