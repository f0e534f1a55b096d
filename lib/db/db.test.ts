// Tests the messages to a database or pooler with a listener that implements just enough of PostgreSQL's protocol: it
// opens a connection and responds to every statement with the same row.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const heard = {
  openedWith: [] as string[],
  statementNames: [] as string[],
  simple: [] as string[],
  described: [] as string[],
};
let server: Server;

beforeEach(async () => {
  for (const list of Object.values(heard)) list.length = 0;
  server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  vi.resetModules();
  vi.stubEnv('DATABASE_URL', `postgresql://florin@127.0.0.1:${port}/florin`);
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('VAULT_KEY', Buffer.alloc(32, 7).toString('base64'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await new Promise((closed) => server.close(closed));
});

const message = (type: string, body = Buffer.alloc(0)) => {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const ready = message('Z', Buffer.from('I'));
const complete = message('C', Buffer.from('SELECT 0\0'));
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number) => int32(value).subarray(2);
// The OIDs of their types: int8, date and text.
const columns: [name: string, type: number, value: string | null][] = [
  ['minor', 20, '9007199254740993'],
  ['day', 1082, '2026-11-22'],
  ['reason', 25, null],
];
const description = columns.map(([name, type]) =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
);
const values = columns.map(([, , value]) =>
  value === null ? int32(-1) : Buffer.concat([int32(value.length), Buffer.from(value)]),
);
const answers: Record<string, Buffer> = {
  P: message('1'),
  B: message('2'),
  D: message('T', Buffer.concat([int16(columns.length), ...description])),
  E: Buffer.concat([message('D', Buffer.concat([int16(columns.length), ...values])), complete]),
  S: ready,
  Q: Buffer.concat([complete, ready]),
};
const textAt = (bytes: Buffer) => bytes.toString('utf8', 0, bytes.indexOf(0));

function answer(socket: Socket): void {
  let bytes = Buffer.alloc(0);
  let isOpen = false;
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      // The first message has no type.
      const head = isOpen ? 1 : 0;
      if (bytes.length < head + 4 || bytes.length < head + bytes.readInt32BE(head)) return;
      const length = head + bytes.readInt32BE(head);
      const body = bytes.subarray(head + 4, length);
      if (isOpen) hear(String.fromCharCode(bytes[0] ?? 0), body, socket);
      else {
        heard.openedWith.push(...body.subarray(4).toString('utf8').split('\0'));
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
        isOpen = true;
      }
      bytes = bytes.subarray(length);
    }
  });
}

function hear(type: string, body: Buffer, socket: Socket): void {
  if (type === 'P') heard.statementNames.push(textAt(body));
  if (type === 'D') heard.described.push(textAt(body.subarray(1)));
  if (type === 'Q') heard.simple.push(textAt(body));
  if (type === 'X') socket.end();
  const said = answers[type];
  if (said) socket.write(said);
}

/** Fresh modules, so that the settings of this test are read. */
async function run(pooler: string): Promise<void> {
  vi.stubEnv('DATABASE_POOLER', pooler);
  const db = await import('./db.ts');
  // A pool that another test opened in this process uses another address.
  await db.closeDatabase();
  await db.query('one', 'select $1', [1]);
  await db.transaction((inner) => inner('two', 'select 2'));
  await db.closeDatabase();
}

describe('the messages to the database', () => {
  it('include named statements and limits without a pooler', async () => {
    await run('none');
    expect(heard.statementNames).toEqual(['one', 'two']);
    expect(heard.openedWith).toContain('statement_timeout');
    expect(heard.openedWith).toContain('idle_in_transaction_session_timeout');
  });

  it('contain no session state for a pooler in transaction mode', async () => {
    await run('transaction');
    expect(heard.statementNames).toEqual(['']);
    expect(heard.openedWith).toContain('application_name');
    expect(heard.openedWith.filter((word) => word.includes('timeout'))).toEqual([]);
    expect(heard.simple).toEqual(['begin', 'select 2', 'commit']);
  });
});

describe('a prepared statement', () => {
  const row = { minor: 9007199254740993n, day: '2026-11-22', reason: null };

  it('has its columns described once per connection, and returns the same rows afterwards', async () => {
    vi.stubEnv('DATABASE_POOLER', 'none');
    const db = await import('./db.ts');
    await db.closeDatabase();
    for (let time = 0; time < 3; time += 1) expect(await db.query('wide', 'select $1', [time])).toEqual([row]);
    expect(heard.described).toHaveLength(1);
    expect(heard.statementNames).toEqual(['wide']);
    await db.closeDatabase();
    expect(await db.query('wide', 'select $1', [3])).toEqual([row]);
    expect(heard.described).toHaveLength(2);
    await db.closeDatabase();
  });

  it('rejects an invalid value, and a second text under its name, without other effects', async () => {
    vi.stubEnv('DATABASE_POOLER', 'none');
    const db = await import('./db.ts');
    await db.closeDatabase();
    const unsendable = { toJSON: () => JSON.parse('{') };
    await expect(db.query('wide', 'select $1', ['x', unsendable])).rejects.toThrow('JSON');
    expect(await db.query('wide', 'select $1', [1])).toEqual([row]);
    await expect(db.query('wide', 'select $1, 2', [1])).rejects.toThrow('two statements have the name wide');
    expect(await db.query('wide', 'select $1', [1])).toEqual([row]);
    await db.closeDatabase();
  });
});
