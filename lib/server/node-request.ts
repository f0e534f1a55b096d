// A web Request over a node:http request. The platform's Request is the largest cost of a small response, so the parts
// are created on demand, and only rare methods create a platform Request.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../core/errors';

/** The largest body that is read at once; most handlers have a much lower limit. */
const bytesMax = 2 * 1024 * 1024;

/** Returns a web Request with a URL under `origin` (scheme and host), and a function that aborts it. */
export function webRequest(incoming: IncomingMessage, origin: string): { request: Request; abort: () => void } {
  const request = new ServedRequest(incoming, origin);
  return { request: request as unknown as Request, abort: () => request.abort() };
}

class ServedRequest {
  readonly url: string;
  readonly method: string;
  readonly #incoming: IncomingMessage;
  #headers: Headers | undefined;
  #body: ReadableStream<Uint8Array> | null | undefined;
  #real: Request | undefined;
  #aborter: AbortController | undefined;
  #aborted = false;
  #read = false;

  constructor(incoming: IncomingMessage, origin: string) {
    this.#incoming = incoming;
    this.method = incoming.method ?? 'GET';
    this.url = origin + normalTarget(incoming.url ?? '/');
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.#incoming);
    return this.#headers;
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.#aborted) this.#aborter.abort();
    return this.#aborter.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#aborter?.abort();
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (this.#body === undefined) this.#body = hasBody(this.#incoming) ? streamOf(this.#incoming) : null;
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#real?.bodyUsed ?? this.#body?.locked ?? false;
  }

  async text(): Promise<string> {
    return this.#untouched() ? decoder.decode(await this.#bytes()) : this.#whole().text();
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#untouched() ? Uint8Array.from(await this.#bytes()).buffer : this.#whole().arrayBuffer();
  }

  formData(): Promise<FormData> {
    return this.#whole().formData();
  }

  blob(): Promise<Blob> {
    return this.#whole().blob();
  }

  clone(): Request {
    return this.#whole().clone();
  }

  #untouched(): boolean {
    return this.#real === undefined && this.#body === undefined && !this.#read;
  }

  // The usual way to read a body, without the platform's streams.
  async #bytes(): Promise<Uint8Array> {
    this.#read = true;
    return hasBody(this.#incoming) ? bytesOf(this.#incoming) : new Uint8Array(0);
  }

  #whole(): Request {
    if (this.#read) throw new TypeError('Body is unusable: Body has already been read');
    const { method, headers, body, signal } = this;
    const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' };
    this.#real ??= new Request(this.url, init);
    return this.#real;
  }
}

const decoder = new TextDecoder();

// Makes `instanceof Request` true.
Object.setPrototypeOf(ServedRequest.prototype, Request.prototype);

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function bytesOf(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else fail(new ApiError('requestDataInvalid'));
    });
    incoming.on('end', () => done(Buffer.concat(chunks)));
    incoming.on('error', fail);
    incoming.on('close', () => fail(new Error('the client disconnected')));
  });
}

function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true;
        const end = (error?: Error) => {
          if (!open) return;
          open = false;
          if (error) controller.error(error);
          else controller.close();
        };
        incoming.on('data', (chunk: Buffer) => {
          if (!open) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        incoming.on('end', () => end());
        incoming.on('error', end);
        incoming.on('close', () => end(new Error('the client disconnected')));
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        // The rest of the body is discarded, and the connection ends with the response.
        incoming.removeAllListeners('data');
        incoming.resume();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
}

// A request line can contain a complete URL, dot segments or special characters; the URL parser normalises such
// targets.
function normalTarget(target: string): string {
  if (/^\/(?!\/)[\w\-.~/?=&%:+,]*$/.test(target) && !target.includes('/.')) return target;
  const url = target.startsWith('/') ? `http://host${target}` : target;
  if (!URL.canParse(url)) return '/';
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const name in incoming.headers) {
    const value = incoming.headers[name];
    if (typeof value === 'string') headers.set(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}
