// Syslog over TCP or TLS: messages of RFC 5424 with the octet counts of RFC 6587 and RFC 5425.

import { connect } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { SyslogAddress } from '../config/index.ts';

/** Without progress, and in all. */
const [seconds, secondsMax] = [10, 40];
/** Facility 13 of RFC 5424, log audit. */
const facility = 13;

/** A message in one frame: its length in bytes, a space, and the message. `severity` is that of RFC 5424. */
export function syslogFrame({
  at,
  severity,
  id,
  text,
}: {
  at: Date;
  severity: number;
  id: string;
  text: string;
}): Buffer {
  const host =
    hostname()
      .replace(/[^!-~]/g, '')
      .slice(0, 255) || '-';
  // The byte order mark says that the text is UTF-8.
  const message = `<${facility * 8 + severity}>1 ${at.toISOString()} ${host} florin ${process.pid} ${id} - \uFEFF${text}`;
  const bytes = Buffer.from(message);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/**
 * Sends frames over a connection of their own. Syslog has no acknowledgement: they count as received if the server reads to
 * the end and closes the connection without an error. Throws otherwise, with a `code` of Node or a text.
 */
export function sendSyslog({ tls, host, port }: SyslogAddress, frames: readonly Uint8Array[]): Promise<void> {
  return new Promise((done, failed) => {
    const socket = tls ? connectTls({ host, port, servername: isName(host) ? host : '' }) : connect({ host, port });
    const late = () => socket.destroy(new Error('timeout'));
    socket.setTimeout(seconds * 1000, late);
    // A server that reads slowly must not hold a batch longer than its lease.
    const timer = setTimeout(late, secondsMax * 1000);
    socket.once('error', failed);
    let ended = false;
    socket.once('end', () => {
      // A server that closes before it has read everything.
      if (!ended) socket.destroy(new Error('connection closed'));
    });
    socket.once('close', () => {
      clearTimeout(timer);
      done();
    });
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      socket.resume();
      socket.end(Buffer.concat(frames), () => {
        ended = true;
      });
    });
  });
}

const isName = (host: string) => !/^[\d.]+$|:/.test(host);
