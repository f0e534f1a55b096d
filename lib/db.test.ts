// What this process says to a database or to a pooler in front of it, heard by a listener that speaks just enough of
// PostgreSQL's protocol: to open a connection and to say that a statement gave no rows.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const heard = { openedWith: [] as string[], statementNames: [] as string[], simple: [] as string[] };
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
const answers: Record<string, Buffer> = {
  P: message('1'),
  B: message('2'),
  D: message('n'),
  E: complete,
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
  if (type === 'Q') heard.simple.push(textAt(body));
  if (type === 'X') socket.end();
  const said = answers[type];
  if (said) socket.write(said);
}

/** Fresh modules, so that the settings of this test are read. */
async function run(pooler: string): Promise<void> {
  vi.stubEnv('DATABASE_POOLER', pooler);
  const db = await import('./db');
  // A pool of the process that somebody else has opened leads elsewhere.
  await db.closeDatabase();
  await db.query('one', 'select $1', [1]);
  await db.transaction((inner) => inner('two', 'select 2'));
  await db.closeDatabase();
}

describe('what the database hears', () => {
  it('gets named statements and limits where nothing stands between', async () => {
    await run('none');
    expect(heard.statementNames).toEqual(['one', 'two']);
    expect(heard.openedWith).toContain('statement_timeout');
    expect(heard.openedWith).toContain('idle_in_transaction_session_timeout');
  });

  it('is told nothing that a pooler in transaction mode would have to remember or refuse', async () => {
    await run('transaction');
    expect(heard.statementNames).toEqual(['']);
    expect(heard.openedWith).toContain('application_name');
    expect(heard.openedWith.filter((word) => word.includes('timeout'))).toEqual([]);
    expect(heard.simple).toEqual(['begin', 'select 2', 'commit']);
  });
});
