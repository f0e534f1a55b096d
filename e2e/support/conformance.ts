// Checks every request and answer of the API tests against the documents at /openapi: accepted requests and their
// answers match the schemas, and errors are among the documented errors of the operation. The test merchants call it
// for each request and for each expected callback.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type ExpectedError = { code: number; http: number; message: string };
type Operation = { name: string; request: { $ref: string }; answer: { $ref: string }; errors: ExpectedError[] };
type Webhook = { parameters: { name: string; required: boolean }[]; requestBody: { content: Record<string, object> } };
type Document = {
  paths: Record<string, Record<string, { 'x-operations': Operation[] }>>;
  webhooks: { callback: { post: Webhook } };
  'x-errors': ExpectedError[];
};

/** The documents by protocol. */
export type Protocol = 'checkout' | 's2s-card' | 's2s-apm';

/** A document whose schemas are compiled on first use. */
type Contract = { document: Document; validate: (ref: string) => ValidateFunction };

/** The request and the response; `body` is the body before encoding. */
export type Exchange = {
  baseUrl: string;
  method: string;
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
};

const contracts = new Map<string, Contract>();

/** Documents are the same on all servers. Returns null for a server that has stopped; the next server is used. */
async function contractOf(baseUrl: string, name: string): Promise<Contract | null> {
  const contract = contracts.get(name) ?? (await read(`${baseUrl}/openapi/${name}.json`).catch(() => null));
  if (contract) contracts.set(name, contract);
  return contract;
}

async function read(address: string): Promise<Contract> {
  const document = (await (await fetch(address)).json()) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: address, ...document } as object);
  const compiled = new Map<string, ValidateFunction>();
  const validate = (ref: string) => {
    const made = compiled.get(ref) ?? ajv.compile({ $ref: address + ref });
    compiled.set(ref, made);
    return made;
  };
  return { document, validate };
}

/** The document that describes an address, and the address in its notation. */
function placeOf(path: string): { name: string; path: string } | null {
  if (path.startsWith('/api/v1/')) return { name: 'checkout', path };
  const [, protocol, rest] = /^\/s2s\/(card|apm)(\/.*)$/.exec(path.split('?')[0] ?? '') ?? [];
  return protocol && rest ? { name: `s2s-${protocol}`, path: rest } : null;
}

/** Throws if a request or an answer deviates from the documents. Ignores addresses that no document describes. */
export async function conform({ baseUrl, method, path, body, status, answer }: Exchange): Promise<void> {
  const endpoint = placeOf(path);
  if (!endpoint || status === 405 || status >= 500 || typeof answer !== 'object') return;
  const contract = await contractOf(baseUrl, endpoint.name);
  if (!contract) return;
  const { document, validate } = contract;
  const operations = document.paths[endpoint.path]?.[method.toLowerCase()]?.['x-operations'];
  if (!operations) return;
  const operation =
    endpoint.name === 'checkout' ? operations[0] : operations.find(({ name }) => name === actionOf(body));
  const complain = (problem: string, details: unknown) => {
    const about = operation?.name ?? path;
    throw new Error(
      `${endpoint.name} ${about}: ${problem}: ${JSON.stringify(details)}\n${JSON.stringify({ body, answer })}`,
    );
  };
  if (status !== 200) {
    const { error_code: code, error_message: message } = answer as Record<string, unknown>;
    const possible = operation?.errors ?? document['x-errors'];
    const isKnown = possible.some((each) => each.code === code && each.message === message && each.http === status);
    if (!isKnown) complain('no such refusal', { status, code, message });
    if (!validate('#/components/schemas/Error')(answer)) complain('the refusal does not fit', answer);
    return;
  }
  // Schemas do not apply to a body sent as bytes.
  if (!operation) return body === null ? undefined : complain('no such operation', body);
  const takes = validate(operation.request.$ref);
  if (typeof body === 'object' && !takes(asRead(body as Record<string, unknown>)))
    complain('the request does not fit', takes.errors);
  const gives = validate(operation.answer.$ref);
  if (!gives(answer)) complain('the answer does not fit', gives.errors);
}

/** Throws if a callback does not match its protocol's document: type, headers, fields. */
export async function conformCallback(
  baseUrl: string,
  name: Protocol,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<void> {
  const contract = await contractOf(baseUrl, name);
  if (!contract) return;
  const { parameters, requestBody } = contract.document.webhooks.callback.post;
  const complain = (problem: string, details: unknown) => {
    throw new Error(`${name} callback: ${problem}: ${JSON.stringify(details)}\n${body}`);
  };
  const type = headers['content-type']?.split(';')[0] ?? '';
  if (!(type in requestBody.content)) complain('no such type', type);
  const missing = parameters.filter((each) => each.required && !headers[each.name.toLowerCase()]);
  if (missing.length > 0) complain('a header is missing', missing);
  const fits = contract.validate('#/components/schemas/callback');
  if (!fits(readForm(new URLSearchParams(body)))) complain('it does not fit', fits.errors);
}

const actionOf = (body: unknown) => (body as { action?: unknown } | null)?.action;

/**
 * Removes the fields that the documents leave unread: 3-D Secure fields of a payment with a hold, and parameters of
 * methods that are not offered.
 */
function asRead(body: Record<string, unknown>): unknown {
  const { mpi_data: secure, parameters, ...others } = withoutBlanks(body) as Record<string, unknown>;
  const named = Array.isArray(others.methods) ? (others.methods as unknown[]) : ['card'];
  const requested = named.length === 1 ? named : ['card'];
  const isByMethod = others.action === undefined && typeof parameters === 'object' && parameters !== null;
  const read = isByMethod ? Object.entries(parameters).filter(([id]) => requested.includes(id)) : null;
  return {
    ...others,
    ...(secure !== undefined && others.auth !== 'Y' && { mpi_data: secure }),
    ...(parameters !== undefined && { parameters: read ? Object.fromEntries(read) : parameters }),
  };
}

/** In the documents null, an empty string and an empty list count as absent. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const isBlank = (inner: unknown) =>
    inner === null ||
    (typeof inner === 'string' && inner.trim() === '') ||
    (Array.isArray(inner) && inner.length === 0);
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined && !isBlank(inner));
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutBlanks(inner)]));
}

/** The nested object that the bracket names of a form encode; null for any other body. */
export function readForm(body: unknown): Record<string, unknown> | null {
  if (!(body instanceof URLSearchParams)) return null;
  const form: Record<string, unknown> = {};
  for (const [name, value] of body) {
    const parts = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = parts.pop() ?? '';
    let level = form;
    for (const part of parts) {
      level[part] ??= {};
      level = level[part] as Record<string, unknown>;
    }
    level[last] = value;
  }
  return form;
}
