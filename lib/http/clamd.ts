/**
 * Scans files of users, and of addresses that users enter, by clamd, the daemon of ClamAV: the command INSTREAM of clamd(8)
 * on a connection of its own. Only one complete answer is believed; silence, errors and anything else leave the file
 * unscanned.
 */
import { connect } from 'node:net';
import { env } from '../config/index.ts';
import { log } from '../telemetry/index.ts';

/** `unscanned`: clamd gave no answer that can be believed. */
export type ScanResult = { kind: 'clean' } | { kind: 'infected'; finding: string } | { kind: 'unscanned'; why: string };

/** From the connection to the end of the answer. */
const scanSeconds = 10;
const replyLengthMax = 1024;
const chunkBytes = 64 * 1024;

/** Scans a file; without CLAMAV_URL every file is clean. Findings and failures are in the log. Never throws. */
export async function scanFile(bytes: Uint8Array, seconds = scanSeconds): Promise<ScanResult> {
  const result = await askClamd(bytes, seconds);
  if (result.kind === 'infected') log.warn({ finding: result.finding }, 'a file has malware');
  if (result.kind === 'unscanned') log.error({ why: result.why }, 'a file could not be scanned by clamd');
  return result;
}

function askClamd(bytes: Uint8Array, seconds: number): Promise<ScanResult> {
  const { clamav } = env;
  if (clamav === null) return Promise.resolve({ kind: 'clean' });
  return new Promise((done) => {
    let reply = '';
    let failure: string | null = 'the file was not taken';
    const socket = connect(clamav);
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), seconds * 1000);
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      reply += part;
      if (reply.length > replyLengthMax) socket.destroy(new Error('too long an answer'));
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code ?? error.message;
    });
    // Without a session, clamd closes the connection after its answer.
    socket.on('close', () => {
      clearTimeout(timer);
      done(failure === null ? readReply(reply) : { kind: 'unscanned', why: failure });
    });
    socket.write(instream(bytes), (error) => {
      if (!error) failure = null;
    });
  });
}

/** The command, chunks with their lengths (32 bits, big-endian), and an empty chunk. */
function instream(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Buffer.from('zINSTREAM\0')];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    parts.push(lengthOf(chunk), chunk);
  }
  return Buffer.concat([...parts, lengthOf(new Uint8Array(0))]);
}

function lengthOf({ length }: Uint8Array): Buffer {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(length);
  return four;
}

function readReply(reply: string): ScanResult {
  if (reply === 'stream: OK\0') return { kind: 'clean' };
  const finding = /^stream: ([ -~]{1,200}) FOUND\0$/.exec(reply)?.[1];
  if (finding !== undefined) return { kind: 'infected', finding };
  return { kind: 'unscanned', why: /^[ -~]{1,200} ERROR\0$/.test(reply) ? reply.slice(0, -1) : 'an unknown answer' };
}
