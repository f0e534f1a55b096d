// The command line: what it lists, and how it ends for wrong arguments.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { root } from '../project.ts';
import { printable } from './config.ts';
import { findCommand, help } from './florin.ts';
import { isSigned } from './listen.ts';
import { groups, rows } from './table.ts';

const entry = join(root, 'scripts', 'florin.mjs');

const florin = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
};

describe('the table of commands', () => {
  test.each(rows)('$name is in the help, with a summary of one line', ({ name, summary }) => {
    expect(help(groups)).toContain(`  ${name} `);
    expect(summary).toMatch(/^[A-Z].{10,75}[^.]$/);
  });

  test.each(rows.filter((row) => 'load' in row))('$name loads and describes itself', async (row) => {
    const { usage } = await row.load();
    expect(usage).toContain(row.name);
  });

  test.each(rows.filter((row) => 'file' in row))('$name is a program that describes itself', ({ file }) => {
    expect(readFileSync(join(root, file), 'utf8')).toMatch(/^\/\/ /);
  });

  it('names each command once', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  it('has every command of the folder', () => {
    const parts = ['command.ts', 'deployment.ts', 'florin.ts', 'table.ts'];
    const table = parts.map((name) => readFileSync(join(root, 'scripts', 'commands', name), 'utf8')).join('\n');
    const commands = readdirSync(join(root, 'scripts', 'commands')).filter(
      (name) => !parts.includes(name) && !name.includes('.test.'),
    );
    expect(commands.filter((name) => !table.includes(`import('./${name}')`))).toEqual([]);
  });

  it('has every command that a script of package.json runs', () => {
    const { scripts, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(existsSync(join(root, bin.florin))).toBe(true);
    const named = Object.values<string>(scripts).flatMap((text) => /florin\.mjs ([a-z]+)/.exec(text)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(5);
    const first = rows.map(({ name }) => name.split(' ')[0]);
    expect(named.filter((name) => !first.includes(name))).toEqual([]);
  });
});

test.each([
  [['backup', '/tmp/x'], 'backup', ['/tmp/x']],
  [['migrate'], 'migrate', []],
  [['migrate', 'new', 'a_name'], 'migrate new', ['a_name']],
  [['bench', '--only', 'api'], 'bench', ['--only', 'api']],
  [['bench', 'api', '--built'], 'bench api', ['--built']],
])('%j is found', (args, name, rest) => {
  const found = findCommand(args, groups);
  expect({ name: found.row.name, rest: found.rest }).toEqual({ name, rest });
});

test.each([
  [['nonsense'], /There is no command nonsense; florin --help lists all/],
  [['vault'], /The command is incomplete: florin vault rotate, florin vault replace-lost-key, florin vault find/],
  [['vault', 'nonsense'], /There is no command vault nonsense: florin vault rotate/],
  [['backup', '--nonsense'], /Unknown option '--nonsense'[\s\S]*florin backup/],
  [['openapi'], /An argument is missing[\s\S]*florin openapi/],
  [['catalog', 'more'], /this command takes none/],
  [['chaos', 'crash', '--nonsense'], /Unknown option '--nonsense'/],
  [['bench', 'api', '--nonsense'], /Unknown option '--nonsense'/],
])('%j is rejected with 2', (args, message) => {
  const { status, stderr } = florin(...args);
  expect(stderr).toMatch(message);
  expect(status).toBe(2);
});

it('prints the help', () => {
  for (const args of [[], ['--help'], ['help']]) {
    expect(florin(...args)).toMatchObject({ status: 0, stdout: `${help(groups)}\n` });
  }
  expect(florin('backup', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('florin backup') });
  expect(florin('chaos', 'crash', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--seed') });
});

test.each([
  ['vaultKey', new Uint8Array(32), 'set, not shown'],
  ['metricsToken', 'a-secret-of-16-letters', 'set, not shown'],
  ['metricsToken', null, 'not set'],
  ['databaseUrl', 'postgresql://florin:secret@db:5432/florin', 'postgresql://***@db:5432/florin'],
  ['smtpUrl', 'smtps://user:p%40ss@mail.example.com', 'smtps://***@mail.example.com'],
  ['baseUrl', 'https://pay.example.com', 'https://pay.example.com'],
  [
    'databaseReplicaUrl',
    'postgresql://db/florin?user=florin&password=secret&sslmode=require',
    'postgresql://db/florin?user=***&password=***&sslmode=require',
  ],
  ['databaseUrl', 'postgresql://u:secret@db/florin?SSLMODE=require&x', 'postgresql://***@db/florin?SSLMODE=***&***'],
  ['databaseUrl', 'postgresql://db/florin?a=b?sslmode=secret#secret', 'postgresql://db/florin?a=***'],
  ['eventsUrl', 'https://siem.example.com/in?token=secret', 'https://siem.example.com/in?token=***'],
  ['otlpEndpoint', 'https://otlp.example.com/v1?api_key=secret=', 'https://otlp.example.com/v1?api_key=***'],
  ['port', 3000, '3000'],
])('config print shows %s %j as %j', (name, value, text) => {
  expect(printable(name, value)).toBe(text);
});

describe('listen', () => {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    // Computed with openssl from the password "f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e".
    'webhook-signature': 'v1,FwyLOzurpKRYL28FOavPIIaSes1Qf9G0Ty29zr+OhiI=',
  };
  const body = Buffer.from('status=success');
  const password = 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e';

  it('verifies the signature of a callback', () => {
    expect(isSigned(headers, body, password)).toBe(true);
    expect(isSigned(headers, Buffer.from('status=fail'), password)).toBe(false);
    expect(isSigned(headers, body, 'another')).toBe(false);
    expect(isSigned({}, body, password)).toBe(false);
  });

  it('forwards a callback and answers with the status of the receiver', async () => {
    const received: string[] = [];
    const receiver = createServer((incoming, response) => {
      received.push(`${incoming.method} ${incoming.headers['webhook-id']}`);
      response.writeHead(503).end('later');
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
    const child = spawn(process.execPath, [entry, 'listen', '--port', '0', '--forward', to]);
    let shown = '';
    child.stdout.on('data', (chunk) => {
      shown += chunk;
    });
    const [, port] = await new Promise<string[]>((done) => {
      child.stdout.on(
        'data',
        (chunk) => /localhost:(\d+)/.test(String(chunk)) && done(/localhost:(\d+)/.exec(chunk) ?? []),
      );
    });
    const sent = new Uint8Array(Buffer.from('status=success&note=%1B%5B2J%E2%80%AE'));
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent });
    expect(answer.status).toBe(503);
    child.kill();
    expect(received).toEqual(['POST msg_1']);
    // Control characters of a callback do not change the terminal.
    expect(shown).toContain('note = \\u{1b}[2J\\u{202e}\n');
    receiver.close();
  });
});
