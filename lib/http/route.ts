// Defines routes and what their handlers return, and finds the route of a path. It is separate from the table of routes,
// so that modules can define routes without importing each other.
import { env } from '../config/index.ts';

/** The client IP after trusted proxies. */
export type ClientIp = { address: string };

/** What handlers use of a web Request. The production server provides no more (lib/server/node-adapter.ts). */
export type HttpRequest = Pick<Request, 'method' | 'url' | 'headers' | 'signal' | 'text' | 'json'> & {
  /** The body; in the server it is refused as soon as more than `bytesMax` bytes of it were received. */
  bytes: (bytesMax?: number) => Promise<Uint8Array<ArrayBuffer>>;
};

/** Header values by name in lower case. A list becomes one header for each entry. */
export type HeaderFields = Record<string, string | string[]>;

type ResultBody = string | Uint8Array | ReadableStream<Uint8Array> | null;

const mark = Symbol('HTTP result');

/** What a handler returns; made by {@link httpResult}. lib/server converts it to what the connection or Next expects. */
export type HttpResult = { status: number; headers: HeaderFields; body: ResultBody; readonly [mark]: true };

type ResultOptions = { status?: number; headers?: Readonly<HeaderFields> };

/** A result with a body. A text without a content type is `text/plain`. */
export function httpResult(body: ResultBody, { status = 200, headers }: ResultOptions = {}): HttpResult {
  const own: HeaderFields = { ...headers };
  if (typeof body === 'string') own['content-type'] ??= 'text/plain;charset=UTF-8';
  return { status, headers: own, body, [mark]: true };
}

/** A result with a JSON body. */
export function jsonResult(body: unknown, { status, headers }: ResultOptions = {}): HttpResult {
  return httpResult(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** Reports whether a value is a result. Data of a request never is: it cannot contain the mark. */
export function isHttpResult(value: unknown): value is HttpResult {
  return typeof value === 'object' && value !== null && mark in value;
}

/** The complete body of a result as text. */
export function bodyTextOf({ body }: HttpResult): Promise<string> | string {
  return typeof body === 'string' ? body : new Response(body as BodyInit | null).text();
}

const isSecure = () => env.baseUrl.startsWith('https:');

/** The name of a cookie of this deployment: with https its prefix has browsers accept it from this host only. */
export const cookieName = (name: string) => `${isSecure() ? '__Host-' : ''}${name}`;

/** A cookie that scripts cannot read and other sites do not send. `name` is one of {@link cookieName}. */
export function cookieLine(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;
}

/** The value of a request's cookie; undefined without one. */
export function cookieIn(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Adds cookies to a result. */
export function addCookies({ headers }: HttpResult, cookies: readonly string[]): void {
  if (cookies.length > 0) headers['set-cookie'] = [headers['set-cookie'] ?? [], ...cookies].flat();
}

/** A route. `path` contains literal segments, `:name` for one segment and a final `*` for the rest. */
export type Route = {
  method: string;
  path: string;
  run: (request: HttpRequest, params: Record<string, string>, clientIp: ClientIp) => Promise<HttpResult> | HttpResult;
  /** Absent in production. */
  only?: 'sandbox';
};

type Node = { literals: Map<string, Node>; param?: Node; rest?: Node; rows: Map<string, Leaf> };
type Leaf = { route: Route; names: string[] };

/** The result of a lookup: the route with its parameters, the allowed methods of the path, or null. */
type Match = { route: Route; params: Record<string, string> } | { allow: string[] } | null;

function emptyNode(): Node {
  return { literals: new Map(), rows: new Map() };
}

/** Builds the lookup of a table. Literal segments precede `:name`, which precedes `*`. GET routes handle HEAD. */
export function buildMatcher(table: Route[]): (method: string, path: string) => Match {
  const root = emptyNode();
  for (const route of table) {
    const names: string[] = [];
    let node = root;
    for (const segment of route.path.split('/').slice(1)) {
      if (segment === '*') {
        names.push('*');
        node.rest ??= emptyNode();
        node = node.rest;
      } else if (segment.startsWith(':')) {
        names.push(segment.slice(1));
        node.param ??= emptyNode();
        node = node.param;
      } else {
        const next = node.literals.get(segment) ?? emptyNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    if (node.rows.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
    node.rows.set(route.method, { route, names });
  }
  return (method, path) => {
    const values: string[] = [];
    const node = find(root, path.split('/'), 1, values);
    if (!node) return null;
    const leaf = node.rows.get(method) ?? (method === 'HEAD' ? node.rows.get('GET') : undefined);
    if (!leaf) return { allow: [...node.rows.keys()] };
    const params: Record<string, string> = {};
    for (const [index, name] of leaf.names.entries()) {
      const value = decodeSegment(values[index] ?? '');
      if (value === null) return null;
      params[name] = value;
    }
    return { route: leaf.route, params };
  };
}

function find(node: Node, segments: string[], at: number, values: string[]): Node | null {
  const segment = segments[at];
  if (segment === undefined) return node.rows.size > 0 ? node : null;
  const literal = node.literals.get(segment);
  const match = literal && find(literal, segments, at + 1, values);
  if (match) return match;
  const valueCount = values.length;
  if (node.param && segment !== '') {
    values.push(segment);
    const inner = find(node.param, segments, at + 1, values);
    if (inner) return inner;
    values.length = valueCount;
  }
  if (!node.rest) return null;
  values.push(segments.slice(at).join('/'));
  return node.rest;
}

function decodeSegment(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
