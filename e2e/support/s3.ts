// A stand-in for an S3-compatible store with one bucket: single uploads and uploads in parts. It refuses every request that
// differs from the published protocol; the signature (Signature Version 4) and the digest of each body are computed here.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Options = { bucket: string; region: string; accessKeyId: string; secretAccessKey: string };

/** A running stand-in. */
export type S3StandIn = {
  origin: string;
  /** The complete objects by key. */
  objects: Map<string, string>;
  /** The methods and queries that it was asked for, such as `PUT partNumber uploadId`. */
  asked: string[];
  /** The uploads in parts that were neither completed nor aborted. */
  open: () => number;
  /** What happens to the next requests instead: a status, or a closed connection. */
  faults: (number | 'close')[];
  stop(): Promise<void>;
};

type Received = { method: string; url: URL; path: string; headers: Record<string, string>; body: Buffer };
type Reply = { status: number; headers?: Record<string, string>; xml?: string };

/** The smallest part but the last. */
const partLeast = 5 * 1024 * 1024;

const refusal = (status: number, code: string): Reply => ({
  status,
  xml: `<Error><Code>${code}</Code><Message>refused</Message></Error>`,
});
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;

/** Starts a store at a free port of this machine. */
export async function startS3(options: Options): Promise<S3StandIn> {
  const objects = new Map<string, string>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  const standIn: S3StandIn = { origin: '', objects, asked: [], open: () => uploads.size, faults: [], stop };

  function answer({ method, url, path, body }: Received): Reply {
    const key = path.startsWith(`/${options.bucket}/`) ? decodeURIComponent(path.slice(options.bucket.length + 2)) : '';
    if (key === '') return refusal(404, 'NoSuchBucket');
    const [id, number] = [url.searchParams.get('uploadId') ?? '', Number(url.searchParams.get('partNumber'))];
    const upload = uploads.get(id);
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const created = randomUUID();
      uploads.set(created, { key, parts: new Map() });
      const names = `<Bucket>${options.bucket}</Bucket><Key>${key}</Key><UploadId>${created}</UploadId>`;
      return { status: 200, xml: `<InitiateMultipartUploadResult>${names}</InitiateMultipartUploadResult>` };
    }
    if (id !== '' && upload?.key !== key) return refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      if (!upload) objects.set(key, body.toString());
      else if (number >= 1 && number <= 10_000) upload.parts.set(number, body);
      else return refusal(400, 'InvalidArgument');
      return { status: 200, headers: { etag: etagOf(body) } };
    }
    if (method === 'DELETE' && upload) {
      uploads.delete(id);
      return { status: 204 };
    }
    return method === 'POST' && upload
      ? complete(id, key, upload.parts, body.toString())
      : refusal(405, 'MethodNotAllowed');
  }

  function complete(id: string, key: string, parts: Map<number, Buffer>, xml: string): Reply {
    const listed = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: (/<ETag>(.*?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
    }));
    const bodies = listed.map(({ number }) => parts.get(number));
    const isListed = listed.every(({ number, etag }, at) => {
      const body = bodies[at];
      return body && etagOf(body) === etag && number > (listed[at - 1]?.number ?? 0);
    });
    if (!isListed || listed.length === 0) return refusal(400, 'InvalidPart');
    if (bodies.slice(0, -1).some((body) => (body?.length ?? 0) < partLeast)) return refusal(400, 'EntityTooSmall');
    objects.set(key, Buffer.concat(bodies.flatMap((body) => body ?? [])).toString());
    uploads.delete(id);
    const names = `<Bucket>${options.bucket}</Bucket><Key>${key}</Key><ETag>"joined"</ETag>`;
    return { status: 200, xml: `<CompleteMultipartUploadResult>${names}</CompleteMultipartUploadResult>` };
  }

  const server = createServer(async (incoming, outgoing) => {
    const received = await read(incoming);
    const fault = standIn.faults.shift();
    if (fault === 'close') return void incoming.socket.destroy();
    const parameters = [...received.url.searchParams.keys()].filter((name) => name !== 'x-id');
    standIn.asked.push([received.method, ...parameters].join(' '));
    const given = fault ? refusal(fault, 'ServiceUnavailable') : (refusedBy(received, options) ?? answer(received));
    outgoing.writeHead(given.status, { 'content-type': 'application/xml', ...given.headers }).end(given.xml ?? '');
  });
  async function stop() {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  standIn.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}

async function read(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = '', url: target = '', headers } = incoming;
  const url = new URL(target, 'http://store.test');
  return {
    method,
    url,
    path: target.split('?')[0] ?? '',
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks),
  };
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The refusal of a request without a fresh signature of the service `s3`, or with another body; null for a good one. */
function refusedBy({ method, url, path, headers, body }: Received, options: Options): Reply | null {
  const date = headers['x-amz-date'] ?? '';
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < 900_000)) return refusal(403, 'RequestTimeTooSkewed');
  if (headers['x-amz-content-sha256'] !== sha256(body)) return refusal(400, 'XAmzContentSHA256Mismatch');
  const [, credential, signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const names = signed.split(';');
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.includes(name))) {
    return refusal(403, 'AccessDenied');
  }
  const scope = `${date.slice(0, 8)}/${options.region}/s3/aws4_request`;
  if (credential !== `${options.accessKeyId}/${scope}`) return refusal(403, 'InvalidAccessKeyId');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const lines = names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`).join('');
  const canonical = [method, path, query, lines, signed, sha256(body)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${options.secretAccessKey}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  return signature === expected ? null : refusal(403, 'SignatureDoesNotMatch');
}
