import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseRanges } from '../config/address-ranges.ts';
import { blockedReason, createClient, isPublicAddress, parseWebUrl } from './guarded-client.ts';

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string]);

describe('which IP addresses are public', () => {
  it.each(
    rowsOf(`
      8.8.8.8                 | public
      93.184.216.34           | public
      2606:4700::1111         | public
      2a00:1450:4001:81b::200e| public
      127.0.0.1               | refused
      127.255.255.254         | refused
      0.0.0.0                 | refused
      10.0.0.1                | refused
      172.16.0.1              | refused
      172.31.255.255          | refused
      192.168.1.1             | refused
      169.254.169.254         | refused
      100.64.0.1              | refused
      192.0.0.1               | refused
      192.0.2.1               | refused
      198.18.0.1              | refused
      224.0.0.1               | refused
      240.0.0.1               | refused
      255.255.255.255         | refused
      ::1                     | refused
      ::                      | refused
      ::7f00:1                | refused
      fe80::1                 | refused
      fe80::1%eth0            | refused
      fc00::1                 | refused
      fd12:3456::1            | refused
      fec0::1                 | refused
      ff02::1                 | refused
      ::ffff:127.0.0.1        | refused
      ::ffff:8.8.8.8          | refused
      64:ff9b::7f00:1         | refused
      64:ff9b:1::7f00:1       | refused
      2002:7f00:1::           | refused
      2001:0:7f00:1::         | refused
      2001:db8::1             | refused
      3fff::1                 | refused
      1::1                    | refused
      example.com             | refused
                              | refused`),
  )('%s | %s', (address, verdict) => {
    expect(isPublicAddress(address) ? 'public' : 'refused').toBe(verdict);
  });
});

describe('which texts are web URLs', () => {
  it.each(
    rowsOf(`
      https://shop.example/a?b=c#d     | yes
      http://localhost:4000/x          | yes
      HTTPS://SHOP.EXAMPLE             | yes
      https://shop.example/ö           | yes
      https://shop.example/a@b         | yes
      javascript:alert(1)              | no
      data:text/html,x                 | no
      ftp://shop.example/              | no
      //shop.example/                  | no
      shop.example                     | no
      https://                         | no
      https:///shop.example            | no
      https://user@shop.example/       | no
      https://user:word@shop.example/  | no
      https://@shop.example/           | no
      https://shop.example\\@evil/     | no
      https://shop example/            | no
      https://shop.example:99999/      | no`),
  )('%s | %s', (text, verdict) => {
    expect(parseWebUrl(text) ? 'yes' : 'no').toBe(verdict);
  });

  it('refuses characters that the parser would drop without an error', () => {
    for (const blank of ['\n', '\t', '\r', '\0', '\u00a0', '\u2028']) {
      expect(parseWebUrl(`https://shop.exa${blank}mple/`)).toBeNull();
    }
  });
});

describe('targets that are blocked before name resolution', () => {
  it.each(
    rowsOf(`
      https://shop.example/            | ok
      https://shop.example:8443/       | ok
      http://8.8.8.8/                  | ok
      http://127.0.0.1/                | private address
      http://0x7f.1/                   | private address
      http://2130706433/               | private address
      http://[::1]/                    | private address
      http://[::ffff:169.254.169.254]/ | private address
      http://shop.example:22/          | port not allowed
      http://shop.example:0/           | port not allowed
      http://shop.example:6379/        | port not allowed
      http://user@shop.example/        | not a web address`),
  )('%s | %s', (url, verdict) => {
    expect(blockedReason(url, { allowPrivateTargets: false }) ?? 'ok').toBe(verdict);
  });

  it('do not include addresses of the listed networks', () => {
    const guard = { allowPrivateTargets: false, networks: parseRanges('10.20.0.0/16 fd00::/64') };
    expect(blockedReason('https://10.20.3.4:81/', guard)).toBeNull();
    expect(blockedReason('https://[fd00::7]/', guard)).toBeNull();
    expect(blockedReason('https://10.21.0.1/', guard)).toBe('private address');
    expect(blockedReason('https://[fd00:0:0:1::7]/', guard)).toBe('private address');
  });

  it('include metadata services also in the listed networks', async () => {
    const guard = { allowPrivateTargets: false, networks: parseRanges('private 169.254.0.0/16 168.63.129.16') };
    const others = ['169.254.42.42', '169.254.0.23', '[fd00:42::42]', '[fd00:c1::a9fe:a9fe]', '[fd00:a9fe:a9fe::1]'];
    const usual = ['[fd00:ec2::254]', '[fd20:ce::254]', '169.254.169.254', '169.254.170.2', '168.63.129.16'];
    for (const host of [...usual, ...others])
      expect([host, blockedReason(`http://${host}/`, guard)]).toEqual([host, 'private address']);
    for (const address of ['fd00:ec2::254', 'fd20:00ce:0::254']) {
      const client = createClient({ ...guard, resolver: async () => [{ address, family: 6 }] });
      expect((await client.post('http://provider.test/', '', {}, 2)).error).toBe('private address');
    }
  });

  it('include no private targets and ports if those are allowed', () => {
    expect(blockedReason('http://127.0.0.1:81/', { allowPrivateTargets: true })).toBeNull();
    expect(blockedReason('http://user@127.0.0.1/', { allowPrivateTargets: true })).toBe('not a web address');
  });
});

describe('the client', () => {
  const open: { close(): unknown }[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });

  async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    open.push(server);
    return (server.address() as AddressInfo).port;
  }
  const serving = (listener: RequestListener) => listening(createServer(listener));
  const client = createClient({ allowPrivateTargets: true });

  it('posts and returns status and response', async () => {
    const seen: string[] = [];
    const port = await serving((request, response) => {
      request.on('data', (chunk) => seen.push(String(chunk)));
      request.on('end', () => response.writeHead(202).end('ERROR'));
    });
    const sent = await client.post(`http://127.0.0.1:${port}/`, 'a=b', { 'content-type': 'text/plain' }, 5);
    expect(sent).toMatchObject({ httpStatus: 202, answer: 'ERROR', timedOut: false });
    expect(seen.join('')).toBe('a=b');
  });

  it('follows no redirect', async () => {
    let visits = 0;
    const port = await serving((_, response) => {
      visits += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await client.post(`http://127.0.0.1:${port}/`, '', {}, 5)).httpStatus).toBe(302);
    expect(visits).toBe(1);
  });

  it('stops reading an endless response', async () => {
    const port = await serving((_, response) => {
      const more = () => response.write('x'.repeat(4096), () => setImmediate(more));
      response.on('error', () => undefined);
      more();
    });
    const sent = await client.post(`http://127.0.0.1:${port}/`, '', {}, 5);
    expect(sent.httpStatus).toBe(200);
    expect(sent.answer).toHaveLength(1024);
  });

  it('times out', async () => {
    const port = await serving(() => undefined);
    const sent = await client.post(`http://127.0.0.1:${port}/`, '', {}, 0.2);
    expect(sent).toMatchObject({ error: 'timeout', timedOut: true });
    expect(sent.durationMs).toBeLessThan(2000);
  });

  it('returns the status of a response whose body stalls', async () => {
    const port = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('OK');
    });
    const sent = await client.post(`http://127.0.0.1:${port}/`, '', {}, 0.3);
    expect(sent).toMatchObject({ httpStatus: 200, answer: 'OK', timedOut: false });
  });

  it('resolves a name once and refuses when any address is private', async () => {
    const resolved: string[] = [];
    const addresses = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.5', family: 4 },
    ];
    const strict = createClient({
      allowPrivateTargets: false,
      resolver: async (name) => {
        resolved.push(name);
        return addresses;
      },
    });
    const sent = await strict.post('http://rebinding.example/', '', {}, 5);
    expect(sent).toMatchObject({ error: 'private address', timedOut: false });
    expect(resolved).toEqual(['rebinding.example']);
  });

  it('returns a short reason of a failure', async () => {
    const port = await serving(() => undefined);
    open.splice(0)[0]?.close();
    expect((await client.post(`http://127.0.0.1:${port}/`, '', {}, 5)).error).toBe('connection refused');
    const plain = await serving((_, response) => response.end());
    expect((await client.post(`https://127.0.0.1:${plain}/`, '', {}, 5)).error).toMatch(/^(tls|connection closed)$/);
    const lost = createClient({
      allowPrivateTargets: true,
      resolver: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
    });
    expect((await lost.post('http://nowhere.example/', '', {}, 5)).error).toBe('dns');
  });

  it('counts any HTTP response as reachable, probes once per origin and minute, and repeats failures sooner', async () => {
    let visits = 0;
    let clock = 0;
    const timed = createClient({ allowPrivateTargets: true, clock: () => clock });
    const port = await serving((_, response) => {
      visits += 1;
      response.writeHead(405).end();
    });
    const url = `http://127.0.0.1:${port}/callbacks`;
    const answers = await Promise.all([timed.reachable(url), timed.reachable(`${url}/other`), timed.reachable(url)]);
    expect(answers).toEqual([true, true, true]);
    expect(visits).toBe(1);
    clock = 59_999;
    expect(await timed.reachable(url)).toBe(true);
    expect(visits).toBe(1);
    open.splice(0)[0]?.close();
    clock = 60_000;
    expect(await timed.reachable(url)).toBe(false);
    const again = createServer((_, response) => response.end());
    await new Promise<void>((done) => again.listen(port, '127.0.0.1', done));
    open.push(again);
    expect(await timed.reachable(url)).toBe(false);
    clock = 65_000;
    expect(await timed.reachable(url)).toBe(true);
  });

  it('repeats with GET if a server closes the connection on HEAD', async () => {
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (data) => {
          if (String(data).startsWith('GET')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          else socket.destroy();
        });
      }),
    );
    expect(await client.reachable(`http://127.0.0.1:${port}/`)).toBe(true);
  });
});

it('closes an unused connection in its own time, whatever the receiver names', async () => {
  const open = new Set<object>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('OK');
  });
  server.keepAliveTimeout = 600_000;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const client = createClient({ allowPrivateTargets: true, idleMilliseconds: 100 });
  const { httpStatus } = await client.post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, '', {}, 5);
  expect([httpStatus, open.size]).toEqual([200, 1]);
  await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0);
  server.close();
});
