/** The first pass over a report's file: its digest and its encoding, in memory of one chunk. */

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Mapping } from './mapping.ts';

/** The chunks of a file; it is opened twice. */
export type Open = () => AsyncIterable<Uint8Array>;

export type Inspected = { digest: Buffer; encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' };

const replacement = '\ufffd';

/**
 * Reads the whole file. A byte order mark decides the encoding; then the mapping does; then it is UTF-8, or Windows-1252
 * for a file without any valid sequence of UTF-8. In a mixture of both the invalid bytes become U+FFFD, whose lines are bad.
 */
export async function inspect(open: Open, wanted: Mapping['encoding']): Promise<Inspected> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8');
  let start = Buffer.alloc(0);
  let invalid = false;
  let sequences = false;
  const judge = (text: string) => {
    if (text.includes(replacement)) invalid = true;
    if (!sequences && /[\u0080-\ufffc]/.test(text)) sequences = true;
  };
  for await (const chunk of open()) {
    hash.update(chunk);
    if (start.length < 4) start = Buffer.concat([start, chunk]).subarray(0, 4);
    judge(decoder.decode(chunk, { stream: true }));
  }
  judge(decoder.decode());
  return { digest: hash.digest(), encoding: encodingOf(start, wanted, invalid && !sequences) };
}

function encodingOf(start: Buffer, wanted: Mapping['encoding'], isOneByte: boolean): Inspected['encoding'] {
  const [first, second, third] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (wanted === 'utf-8' || wanted === 'windows-1252') return wanted;
  // Headers are ASCII: one byte of each of the first characters is zero.
  if (start.length > 1 && first === 0 && second !== 0) return 'utf-16be';
  if (wanted === 'utf-16' || (start.length > 1 && first !== 0 && second === 0)) return 'utf-16le';
  return isOneByte ? 'windows-1252' : 'utf-8';
}

/** The text of a file in chunks, without its byte order mark. */
export async function* textOf(open: Open, { encoding }: Pick<Inspected, 'encoding'>): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of open()) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** A file that is read again, and the digest of what was read so far. */
export function hashed(open: Open): { open: Open; digest: () => Buffer } {
  let hash = createHash('sha256');
  const reading = async function* () {
    hash = createHash('sha256');
    for await (const chunk of open()) {
      hash.update(chunk);
      yield chunk;
    }
  };
  return { open: reading, digest: () => hash.copy().digest() };
}
