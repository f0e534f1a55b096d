// Writes a web Response to a node:http connection: streams event streams and CSV, sends other bodies at once, and
// compresses texts if the client accepts it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { responsePartsOf } from './buffered-response';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const compressionMinBytes = 1024;
const compressible = /^(text\/|application\/(json|javascript|manifest\+json|problem\+json)|image\/svg)/;
// Quality 5 takes less than a millisecond per document and is within a few per cent of the best compression.
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** Returns the best supported encoding that `accepted` (the Accept-Encoding header) allows. */
export function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | null {
  if (!accepted) return null;
  const refused = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted);
  if (/\bbr\b/.test(accepted) && !refused('br')) return 'br';
  return /\bgzip\b/.test(accepted) && !refused('gzip') ? 'gzip' : null;
}

/** Sends `response`; resolves after it is sent or the client has disconnected. `closing` ends a stream early. */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const parts = responsePartsOf(response);
  const { list, type, encoded } = headerList(parts.headers);
  if (incoming.method === 'HEAD') {
    outgoing.writeHead(parts.status, list).end();
    if (parts.body instanceof ReadableStream) await parts.body.cancel();
    return;
  }
  if (parts.body instanceof ReadableStream && /^text\/(event-stream|csv)\b/.test(type)) {
    outgoing.writeHead(parts.status, list).flushHeaders();
    return stream(parts.body, outgoing, closing, type.startsWith('text/csv'));
  }
  let body = parts.body instanceof ReadableStream ? new Uint8Array(await response.arrayBuffer()) : (parts.body ?? '');
  if (body.length >= compressionMinBytes && !encoded && compressible.test(type)) {
    list.push('vary', 'Accept-Encoding');
    const encoding = chooseEncoding(incoming.headers['accept-encoding']);
    if (encoding !== null) {
      body = encoding === 'br' ? await brotli(body, brotliOptions) : await gzipped(body);
      list.push('content-encoding', encoding);
    }
  }
  if (parts.status !== 204 && parts.status !== 304) list.push('content-length', String(Buffer.byteLength(body)));
  outgoing.writeHead(parts.status, list).end(body);
}

// node:http expects names and values in turn. The server sets the headers of the connection itself.
function headerList(headers: Iterable<[string, string]>): { list: string[]; type: string; encoded: boolean } {
  const list: string[] = [];
  let type = '';
  let [encoded, guarded] = [false, false];
  for (const [originalName, value] of headers) {
    const name = originalName.toLowerCase();
    if (name === 'content-length' || name === 'connection' || name === 'transfer-encoding') continue;
    if (name === 'content-type') type = value;
    else if (name === 'content-encoding') encoded = true;
    else if (name === 'x-content-type-options') guarded = true;
    list.push(name, value);
  }
  if (!guarded) list.push('x-content-type-options', 'nosniff');
  return { list, type, encoded };
}

// A `finite` stream is aborted if the server stops, so that the client does not take it for complete.
async function stream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  closing: AbortSignal,
  finite: boolean,
): Promise<void> {
  const reader = body.getReader();
  const stop = () => {
    reader.cancel().catch(() => {});
  };
  const close = () => {
    if (finite) outgoing.destroy();
    stop();
  };
  outgoing.on('close', stop);
  closing.addEventListener('abort', close);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value))
        await new Promise((drained) => outgoing.once('drain', drained).once('close', drained));
    }
  } catch (error) {
    // The client must see that the response is incomplete.
    outgoing.destroy();
    throw error;
  } finally {
    closing.removeEventListener('abort', close);
    outgoing.end();
  }
}
