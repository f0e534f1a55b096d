// Replaces `Response` in the production server's bundle. The platform's Response converts every text to a stream, the
// largest cost of a small response. This one keeps text and bytes and creates a platform Response only if a caller
// needs more than status and headers.

const NativeResponse = globalThis.Response;

type BufferedBody = string | Uint8Array | null;

/** The parts of a response to send. `body` is complete unless the response streams. */
export type ResponseParts = {
  status: number;
  headers: Iterable<[string, string]>;
  body: BufferedBody | ReadableStream<Uint8Array>;
};

class BufferedResponse {
  readonly status: number;
  readonly #init: ResponseInit;
  readonly #body: BufferedBody;
  #headers: Headers | undefined;
  #real: globalThis.Response | undefined;

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    const whole = body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;
    this.#body = whole ? (body ?? null) : null;
    this.#init = init;
    this.status = init.status ?? 200;
    if (!whole) this.#real = new NativeResponse(body, init);
    // The platform's constructor throws for invalid statuses and for bodies that a status does not allow.
    else if (
      this.status < 200 ||
      this.status > 599 ||
      (this.#body !== null && /^(204|205|304)$/.test(String(this.status)))
    )
      this.#real = new NativeResponse(body, init);
  }

  static json(data: unknown, init: ResponseInit = {}): BufferedResponse {
    const headers = pairs(init.headers);
    if (!hasHeader(headers, 'content-type')) headers.push(['content-type', 'application/json']);
    return new BufferedResponse(JSON.stringify(data), { ...init, headers });
  }

  static redirect(url: string | URL, status?: number): globalThis.Response {
    return NativeResponse.redirect(url, status);
  }

  static error(): globalThis.Response {
    return NativeResponse.error();
  }

  // instanceof accepts both kinds.
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof NativeResponse;
  }

  get headers(): Headers {
    this.#headers ??= this.#real?.headers ?? new Headers(this.#headerPairs());
    return this.#headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get statusText(): string {
    return this.#init.statusText ?? '';
  }

  get type(): ResponseType {
    return 'default';
  }

  get url(): string {
    return '';
  }

  get redirected(): boolean {
    return false;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#whole().body as ReadableStream<Uint8Array> | null;
  }

  get bodyUsed(): boolean {
    return this.#real?.bodyUsed ?? false;
  }

  text(): Promise<string> {
    return this.#whole().text();
  }

  json(): Promise<unknown> {
    return this.#whole().json();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole().arrayBuffer();
  }

  formData(): Promise<FormData> {
    return this.#whole().formData();
  }

  blob(): Promise<Blob> {
    return this.#whole().blob();
  }

  clone(): globalThis.Response {
    return this.#whole().clone();
  }

  /** Returns the parts directly, or `null` if a platform Response has been created. */
  parts(): ResponseParts | null {
    if (this.#real) return null;
    return { status: this.status, headers: this.#headers ?? this.#headerPairs(), body: this.#body };
  }

  #headerPairs(): [string, string][] {
    const headers = pairs(this.#init.headers);
    if (typeof this.#body === 'string' && !hasHeader(headers, 'content-type')) {
      headers.push(['content-type', 'text/plain;charset=UTF-8']);
    }
    return headers;
  }

  #whole(): globalThis.Response {
    this.#real ??= new NativeResponse(this.#body as BodyInit | null, { ...this.#init, headers: this.headers });
    return this.#real;
  }
}

Object.setPrototypeOf(BufferedResponse.prototype, NativeResponse.prototype);

function pairs(headers: HeadersInit | undefined): [string, string][] {
  if (headers === undefined) return [];
  if (headers instanceof Headers || Array.isArray(headers)) return [...headers] as [string, string][];
  return Object.entries(headers);
}

function hasHeader(headers: [string, string][], searched: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === searched);
}

/** Returns the parts of any Response. */
export function responsePartsOf(response: globalThis.Response): ResponseParts {
  const buffered = response.constructor === BufferedResponse ? (response as unknown as BufferedResponse).parts() : null;
  return buffered ?? { status: response.status, headers: response.headers, body: response.body };
}

export { BufferedResponse as Response };
