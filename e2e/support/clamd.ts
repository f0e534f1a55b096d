// A strict stand-in for clamd: reads the command INSTREAM byte by byte as clamd(8) describes it, keeps the files, and answers
// in the chosen way.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The finding of the stand-in's signature for {@link malware}. */
export const finding = 'Stand-In.Test-Signature';
/** A text that the stand-in takes for malware. */
export const malware = 'this text counts as malware';

/**
 * `scan`: OK, or FOUND for a file with {@link malware}. The others: an error of clamd, no answer, a connection that is cut
 * instead of the answer or within it, two answers, an answer that clamd never gives, one without its end, and one
 * that does not end.
 */
export type ClamdMode = 'scan' | 'error' | 'silent' | 'cut' | 'half' | 'both' | 'unknown' | 'unended' | 'endless';

const answers: Record<Exclude<ClamdMode, 'scan' | 'silent' | 'cut'>, string> = {
  error: 'INSTREAM size limit exceeded. ERROR\0',
  half: 'stream: O',
  both: `stream: OK\0stream: ${finding} FOUND\0`,
  unknown: 'stream: FINE\0',
  unended: 'stream: OK\n',
  endless: 'x'.repeat(100_000),
};

export type Clamd = {
  port: number;
  mode: ClamdMode;
  /** The files of complete commands, in order. */
  files: Buffer[];
  /** Violations of the protocol. */
  faults: string[];
  /** Answers OK to the commands that were `silent`. */
  release(): void;
  close(): Promise<void>;
};

/** Starts the stand-in on a free port of this machine. */
export async function startClamd(): Promise<Clamd> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let bytes = Buffer.alloc(0);
    let isAnswered = false;
    socket.on('data', (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      const file = fileOf(bytes);
      if (file === null) return;
      if (typeof file === 'string' || isAnswered) {
        clamd.faults.push(typeof file === 'string' ? file : 'bytes after the command');
        socket.destroy();
        return;
      }
      isAnswered = true;
      clamd.files.push(file);
      answer(socket, clamd.mode, file);
    });
    socket.on('end', () => {
      if (!isAnswered) clamd.faults.push('the connection ended within the command');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const clamd: Clamd = {
    port: (server.address() as AddressInfo).port,
    mode: 'scan',
    files: [],
    faults: [],
    release: () => {
      for (const socket of sockets) socket.end('stream: OK\0');
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return clamd;
}

function answer(socket: Socket, mode: ClamdMode, file: Buffer): void {
  if (mode === 'silent') return;
  if (mode === 'cut') socket.resetAndDestroy();
  else if (mode === 'scan') socket.end(file.includes(malware) ? `stream: ${finding} FOUND\0` : 'stream: OK\0');
  else socket.end(answers[mode]);
}

const command = 'zINSTREAM\0';
const chunkBytesMax = 1024 * 1024;

/** The file of a complete command; null for an incomplete one, a text for one that violates the protocol. */
function fileOf(bytes: Buffer): Buffer | string | null {
  const head = bytes.subarray(0, command.length).toString('latin1');
  if (!command.startsWith(head)) return 'another command';
  const chunks: Buffer[] = [];
  for (let at = command.length; bytes.length >= at + 4; ) {
    const length = bytes.readUInt32BE(at);
    at += 4;
    if (length > chunkBytesMax) return 'a chunk that is too large';
    if (length === 0) return bytes.length === at ? Buffer.concat(chunks) : 'bytes after the end of the file';
    if (bytes.length < at + length) return null;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return null;
}
