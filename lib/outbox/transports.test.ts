import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../http/guarded-client.ts';
import { sendMail, sendText } from './send.ts';

const id = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const from = 'Florin <pay@florin.example>';
const email = {
  id,
  to: 'payer@shop.example',
  subject: 'الدفع إلى Kiosk: €12.00',
  text: 'Um 12,00 € zu bezahlen:\nhttps://pay.example/l/1?a=b&c=d\n',
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Mail = { envelope: { from: string; to: string[] }; raw: string };

/** A mail server on a free port that stores messages; `refuse` is the code with which it rejects recipients. */
async function mailServer({
  refuse,
  secure = false,
}: {
  refuse?: number;
  secure?: boolean;
} = {}): Promise<{ port: number; mails: Mail[] }> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    secure,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      refuse === undefined
        ? done()
        : done(Object.assign(new Error('no <payer@shop.example> here'), { responseCode: refuse })),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const sender = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map((recipient) => recipient.address);
        mails.push({ envelope: { from: sender, to }, raw: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  // A client that aborts because of the certificate also causes an error of the server.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => new Promise<void>((closed) => server.close(closed)));
  return { port: (server.server.address() as AddressInfo).port, mails };
}

/** The header's value, unfolded and decoded from quoted-printable or base64 words. */
function header(raw: string, name: string): string {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const value = new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, text: string) =>
      decode(kind === 'B' ? 'base64' : 'quoted-printable', text.replaceAll('_', ' ')),
    );
}

function body(raw: string): string {
  return decode(header(raw, 'content-transfer-encoding'), raw.slice(raw.indexOf('\r\n\r\n') + 4)).replaceAll(
    '\r\n',
    '\n',
  );
}

function decode(encoding: string, text: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text;
  const joined = text.replaceAll('=\r\n', '');
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

describe('an e-mail', () => {
  it('arrives unchanged, from the sender, to one recipient, with the id of its row', async () => {
    const { port, mails } = await mailServer();
    expect(await sendMail({ url: `smtp://127.0.0.1:${port}`, from }, email)).toEqual({ sentBy: 'smtp' });
    expect(mails).toHaveLength(1);
    const { envelope, raw } = mails[0] as Mail;
    expect(envelope).toEqual({ from: 'pay@florin.example', to: ['payer@shop.example'] });
    expect(header(raw, 'from')).toBe('Florin <pay@florin.example>');
    expect(header(raw, 'to')).toBe('payer@shop.example');
    expect(header(raw, 'subject')).toBe(email.subject);
    expect(header(raw, 'message-id')).toBe(`<${id}@florin.example>`);
    expect(header(raw, 'auto-submitted')).toBe('auto-generated');
    expect(body(raw).trim()).toBe(email.text.trim());
  });

  it('ignores a line break in its subject', async () => {
    const { port, mails } = await mailServer();
    const subject = 'Pay\r\nBcc: other@shop.example';
    await sendMail({ url: `smtp://127.0.0.1:${port}`, from }, { ...email, subject });
    expect(mails.map(({ envelope }) => envelope.to)).toEqual([['payer@shop.example']]);
    expect(mails[0]?.raw).not.toMatch(/^Bcc:/im);
  });

  it('treats an address with a comma as one', async () => {
    const { port, mails } = await mailServer();
    await sendMail(
      { url: `smtp://127.0.0.1:${port}`, from },
      { ...email, to: 'payer@shop.example, other@shop.example' },
    );
    expect(mails.flatMap(({ envelope }) => envelope.to)).not.toContain('other@shop.example');
  });

  it('is not sent to a server with an untrusted certificate', async () => {
    const { port, mails } = await mailServer({ secure: true });
    const result = await sendMail({ url: `smtps://florin:secret@127.0.0.1:${port}`, from }, email);
    expect(result).toMatchObject({ error: expect.stringMatching(/^mail server: E/), final: false });
    expect(mails).toEqual([]);
  });

  it('is not sent with a password in the clear', async () => {
    const { port, mails } = await mailServer();
    const result = await sendMail({ url: `smtp://florin:secret@127.0.0.1:${port}`, from }, email);
    expect(result).toEqual({ error: 'mail server: ETLS 500', final: false });
    expect(mails).toEqual([]);
  });

  it('of a live deployment leaves the machine encrypted only', async () => {
    const { port, mails } = await mailServer();
    // This machine under an address that does not say so.
    const other = `smtp://[::ffff:127.0.0.1]:${port}`;
    expect(await sendMail({ url: other, from, isLive: true }, email)).toEqual({
      error: 'mail server: ETLS 500',
      final: false,
    });
    expect(mails).toEqual([]);
    expect(await sendMail({ url: `smtp://127.0.0.1:${port}`, from, isLive: true }, email)).toEqual({ sentBy: 'smtp' });
    expect(await sendMail({ url: other, from }, email)).toEqual({ sentBy: 'smtp' });
  });

  it.each([
    [550, true],
    [451, false],
  ])('rejected with %d is final: %s; the text of the server is not returned', async (code, final) => {
    const { port } = await mailServer({ refuse: code });
    const result = await sendMail({ url: `smtp://127.0.0.1:${port}`, from }, email);
    expect(result).toEqual({ error: `mail server: EENVELOPE ${code}`, final });
  });

  it('is retried without a listening server', async () => {
    const { port } = await mailServer();
    await closing.pop()?.();
    const result = await sendMail({ url: `smtp://127.0.0.1:${port}`, from }, email);
    expect(result).toMatchObject({ error: expect.stringMatching(/^mail server: E[A-Z]+$/), final: false });
  });
});

type Request = { method?: string; url?: string; headers: IncomingHttpHeaders; body: string };

/** An SMS gateway on a free port that responds to every request with `status`. */
async function gateway(status: number): Promise<{ url: string; requests: Request[] }> {
  const requests: Request[] = [];
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body: text });
    response.writeHead(status).end('{"error":"cannot reach +49 151 1234567"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => new Promise((closed) => server.close(closed)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages?from=florin`, requests };
}

describe('a text message', () => {
  const client = createClient({ allowPrivateTargets: true });
  const note = { id, to: '+49 (151) 1234-567', text: 'Оплата:\nhttps://pay.example/l/1' };

  it('is sent as JSON, with the token and an idempotency key', async () => {
    const { url, requests } = await gateway(202);
    expect(await sendText(client, { url, token: 'token-1' }, note)).toEqual({ sentBy: 'gateway' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/messages?from=florin' });
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer token-1',
      'idempotency-key': id,
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ to: '+491511234567', text: note.text, reference: id });
  });

  it.each([
    [400, true],
    [401, false],
    [422, true],
    [429, false],
    [500, false],
    [302, false],
  ])('with the response %d is final: %s; the response is not returned', async (status, final) => {
    const { url } = await gateway(status);
    expect(await sendText(client, { url, token: 'token-1' }, note)).toEqual({ error: `gateway: ${status}`, final });
  });

  it('is retried without a listening gateway', async () => {
    const { url } = await gateway(200);
    await closing.pop()?.();
    const result = await sendText(client, { url, token: 'token-1' }, note);
    expect(result).toEqual({ error: 'gateway: connection refused', final: false });
  });
});
