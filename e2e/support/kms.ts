// Stand-ins for two key management services: the transit engine of HashiCorp Vault, and AWS KMS. Both encrypt, and refuse
// every request that differs from the published protocol. The signature of AWS requests is computed here independently.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Received = { method: string; path: string; headers: Record<string, string>; body: string };
type Reply = { status: number; type: string; body: object };

/** A running stand-in. */
export type KmsStandIn = {
  origin: string;
  /** The operations that it was asked for, such as `encrypt data-key-seal`. */
  asked: string[];
  /** What happens to the next requests instead: a status, a closed connection, or no answer. */
  faults: (number | 'close' | 'hang')[];
  /** What it refused as no request of the protocol. */
  wrong: string[];
  stop(): Promise<void>;
  /** Serves again at the same address. */
  resume(): Promise<void>;
};

async function serve(answer: (received: Received, standIn: KmsStandIn) => Reply): Promise<KmsStandIn> {
  const standIn: KmsStandIn = { origin: '', asked: [], faults: [], wrong: [], stop, resume: () => listen() };
  const server: Server = createServer(async (incoming, outgoing) => {
    const fault = standIn.faults.shift();
    if (fault === 'close') return incoming.socket.destroy();
    if (fault === 'hang') return;
    const received = await read(incoming);
    const reply = fault ? { status: fault, type: 'text/plain', body: {} } : answer(received, standIn);
    outgoing.writeHead(reply.status, { 'content-type': reply.type }).end(JSON.stringify(reply.body));
  });
  let port = 0;
  const listen = () => new Promise<void>((listening) => void server.listen(port, '127.0.0.1', listening));
  async function stop() {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  await listen();
  port = (server.address() as AddressInfo).port;
  standIn.origin = `http://127.0.0.1:${port}`;
  return standIn;
}

async function read(incoming: IncomingMessage): Promise<Received> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  const { method = '', url: path = '' } = incoming;
  return { method, path, headers: incoming.headers as Record<string, string>, body };
}

const lengths = { nonce: 12, tag: 16 };

function encrypt(key: Buffer, clear: Buffer, context: string): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, bytes: Buffer, context: string): Buffer | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, lengths.nonce), {
      authTagLength: lengths.tag,
    });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-lengths.tag));
    return Buffer.concat([decipher.update(bytes.subarray(lengths.nonce, -lengths.tag)), decipher.final()]);
  } catch {
    return null;
  }
}

const isBase64 = (text: unknown): text is string => typeof text === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** What differs between `received` and the expected values; each is a name, the actual and the expected value. */
const differences = (compared: [string, unknown, unknown][]) =>
  compared.flatMap(([name, actual, expected]) => (actual === expected ? [] : [`${name}: ${String(actual)}`]));

/** `secret`: the 32 bytes of the key, for several addresses of one service. */
type TransitOptions = { key?: string; token: string; namespace?: string; secret?: Buffer };

/** The transit engine at /v1/transit, with one key of type aes256-gcm96. */
export function startTransit(options: TransitOptions): Promise<KmsStandIn> {
  const { key = 'florin', token, namespace, secret = randomBytes(32) } = options;
  const errors = (status: number, text: string) => reply(status, { errors: [text] });
  const reply = (status: number, body: object): Reply => ({ status, type: 'application/json', body });
  return serve(({ method, path, headers, body }, standIn) => {
    if (headers['x-vault-token'] !== token) return errors(403, 'permission denied');
    const operation = path === `/v1/transit/encrypt/${key}` ? 'encrypt' : 'decrypt';
    const values = JSON.parse(body) as Record<string, string>;
    const names = operation === 'encrypt' ? 'associated_data,plaintext' : 'associated_data,ciphertext';
    const wrong = differences([
      ['method', method, 'POST'],
      ['path', path, `/v1/transit/${operation}/${key}`],
      ['x-vault-request', headers['x-vault-request'], 'true'],
      ['x-vault-namespace', headers['x-vault-namespace'], namespace],
      ['content-type', headers['content-type'], 'application/json'],
      ['body', Object.keys(values).sort().join(), names],
    ]);
    standIn.wrong.push(...wrong);
    const { associated_data: context, plaintext, ciphertext } = values;
    if (wrong.length > 0 || !isBase64(context)) return errors(400, 'invalid request');
    standIn.asked.push(`${operation} ${Buffer.from(context, 'base64').toString()}`);
    if (operation === 'encrypt') {
      if (!isBase64(plaintext)) return errors(400, 'failed to base64-decode plaintext');
      const sealed = encrypt(secret, Buffer.from(plaintext, 'base64'), context).toString('base64');
      return reply(200, { request_id: 'r', data: { ciphertext: `vault:v1:${sealed}`, key_version: 1 } });
    }
    const [, sealed = ''] = /^vault:v1:(.+)$/.exec(ciphertext ?? '') ?? [];
    const clear = decrypt(secret, Buffer.from(sealed, 'base64'), context);
    if (!clear) return errors(400, 'cipher: message authentication failed');
    return reply(200, { request_id: 'r', data: { plaintext: clear.toString('base64') } });
  });
}

type AwsOptions = { arn: string; accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/** AWS KMS with one symmetric key. */
export function startAwsKms(options: AwsOptions): Promise<KmsStandIn> {
  const { arn, accessKeyId } = options;
  const region = arn.split(':')[3] ?? '';
  const secret = randomBytes(32);
  const reply = (status: number, body: object): Reply => ({ status, type: 'application/x-amz-json-1.1', body });
  const error = (status: number, name: string) => reply(status, { __type: name, message: 'refused' });
  return serve((received, standIn) => {
    const { headers, body } = received;
    const action = headers['x-amz-target'] === 'TrentService.Encrypt' ? 'Encrypt' : 'Decrypt';
    const values = JSON.parse(body) as Record<string, unknown>;
    const names = action === 'Encrypt' ? 'EncryptionContext,KeyId,Plaintext' : 'CiphertextBlob,EncryptionContext,KeyId';
    const wrong = differences([
      ['method', received.method, 'POST'],
      ['path', received.path, '/'],
      ['x-amz-target', headers['x-amz-target'], `TrentService.${action}`],
      ['content-type', headers['content-type'], 'application/x-amz-json-1.1'],
      ['x-amz-security-token', headers['x-amz-security-token'], options.sessionToken],
      ['body', Object.keys(values).sort().join(), names],
    ]);
    standIn.wrong.push(...wrong);
    if (wrong.length > 0) return error(400, 'ValidationException');
    if (!isSignedBy(received, { ...options, region })) return error(400, 'InvalidSignatureException');
    const { florin: context } = values.EncryptionContext as Record<string, string>;
    const text = action === 'Encrypt' ? values.Plaintext : values.CiphertextBlob;
    if (values.KeyId !== arn || !context || !isBase64(text)) return error(400, 'ValidationException');
    standIn.asked.push(`${action} ${context} ${accessKeyId}`);
    if (action === 'Encrypt') {
      // The blob of AWS names the key and is longer than what a local key encrypts.
      const blob = Buffer.concat([Buffer.from(arn), encrypt(secret, Buffer.from(text, 'base64'), context)]);
      return reply(200, {
        CiphertextBlob: blob.toString('base64'),
        KeyId: arn,
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      });
    }
    const blob = Buffer.from(text, 'base64');
    if (blob.subarray(0, 12).toString() !== 'arn:aws:kms:') return error(400, 'InvalidCiphertextException');
    if (!blob.subarray(0, arn.length).equals(Buffer.from(arn))) return error(400, 'IncorrectKeyException');
    const clear = decrypt(secret, blob.subarray(arn.length), context);
    if (!clear) return error(400, 'InvalidCiphertextException');
    return reply(200, { KeyId: arn, Plaintext: clear.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
  });
}

type Signing = { accessKeyId: string; secretAccessKey: string; region: string };

/** Whether a request has a fresh Signature Version 4 of the service `kms`. */
function isSignedBy(received: Received, { accessKeyId, secretAccessKey, region }: Signing): boolean {
  const { headers } = received;
  const date = headers['x-amz-date'] ?? '';
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < 300_000)) return false;
  const [, credential, signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const names = signed.split(';');
  // Without these the request could be sent to another action or at another time.
  if (!['host', 'x-amz-date', 'x-amz-target'].every((name) => names.includes(name))) return false;
  const scope = `${date.slice(0, 8)}/${region}/kms/aws4_request`;
  const expected = signatureV4(received, names, { secretAccessKey, date, scope });
  return credential === `${accessKeyId}/${scope}` && signature === expected;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Signature Version 4 of a request without a query, as AWS documents it. `scope`: date/region/service/aws4_request. */
export function signatureV4(
  { method, path, headers, body }: Received,
  signedHeaders: string[],
  { secretAccessKey, date, scope }: { secretAccessKey: string; date: string; scope: string },
): string {
  const lines = signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`).join('');
  const canonical = [method, path, '', lines, signedHeaders.join(';'), sha256(body)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
}
