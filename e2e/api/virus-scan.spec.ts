// Files are scanned before anything reads them (CLAMAV_URL): every upload of the dashboard, and logos given by address.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClamdMode, finding, malware, startClamd } from '../support/clamd.ts';
import { makeMerchant } from '../support/created-merchants.ts';
import { visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { plainPng } from '../support/logo-png.ts';
import { merchantId } from '../support/merchants.ts';
import { loggedFor } from '../support/passkeys.ts';
import { expect, test } from '../support/test.ts';
import { cookiesOf, createUser, signInWithRetry } from '../support/users.ts';

const found = 'The virus scan has found malware in this file.';
const unscanned = 'The file cannot be scanned for viruses now. Try again later.';

/** Starts clamd's stand-in and a server that uses it; the user may change every merchant. */
async function startScanning(florin: string) {
  const clamd = await startClamd();
  const server = await startKillableServer({ CLAMAV_URL: `tcp://127.0.0.1:${clamd.port}` });
  const own = await createUser(florin, 'account_manager');
  const user = visitor(server.url, cookiesOf((await signInWithRetry(server.url, own.email)).headers));
  const stop = async () => {
    await Promise.all([server.kill(), clamd.close()]);
    expect(clamd.faults).toEqual([]);
  };
  return { clamd, server, own, user, stop };
}

const base64 = (file: Buffer | string) => Buffer.from(file).toString('base64');

test('an upload that is not known to be clean is refused by its field', async ({ florin }) => {
  test.slow();
  const { clamd, own, user, stop } = await startScanning(florin);
  try {
    // The scan precedes everything that the routes check, so that wallets need not exist.
    const [id, version] = [randomUUID(), 1];
    const uploads: [path: string, field: string, body: (file: string) => object][] = [
      [`/look/${id}`, 'logo', (file) => ({ version, logo: { file: base64(file) } })],
      [`/look/${id}/themes/${id}`, 'logo', (file) => ({ version, logo: { file: base64(file) } })],
      [`/wallets/${id}/certificates`, 'certificate', (file) => ({ certificate: base64(file) })],
      [`/wallets/${id}/certificates`, 'privateKey', (file) => ({ certificate: base64('x'), privateKey: base64(file) })],
      [`/wallets/${id}/domains`, 'file', (file) => ({ host: 'pay.example.com', file })],
      [`/wallets/${id}/keys`, 'privateKey', (file) => ({ version, privateKey: file })],
    ];
    for (const [path, field, body] of uploads) {
      const clean = `a clean file ${randomUUID()}`;
      expect([path, (await user.post(path, body(clean))).body.error.message]).not.toEqual([path, found]);
      expect(clamd.files.at(-1)?.toString()).toBe(clean);
      const infected = await user.post(path, body(`-- ${malware} --`));
      expect([path, infected.status, infected.body.error]).toEqual([
        path,
        400,
        { message: found, fields: { [field]: found } },
      ]);
    }
    expect(await loggedFor(florin, own.id, 'upload.infected')).toEqual(
      uploads.map(([, field]) => `Refused a file (${field}) with malware: ${finding}`).toReversed(),
    );
    const rows = await sql(
      'select result, after::text as after from audit_entries where actor = $1 and result = $2 order by id',
      [`user:${own.id}`, 'refused'],
    );
    expect(rows[0]).toMatchObject({ after: expect.stringContaining('POST /dashboard/api/look/:id"') });
    expect(JSON.stringify(rows)).not.toContain(malware);

    for (const mode of ['error', 'cut', 'both', 'unknown', 'half'] satisfies ClamdMode[]) {
      clamd.mode = mode;
      const answer = await user.post(`/look/${id}`, { version, logo: { file: base64('a clean file') } });
      expect([mode, answer.status, answer.body.error]).toEqual([
        mode,
        503,
        { message: unscanned, fields: { logo: unscanned } },
      ]);
    }
    await clamd.close();
    const unreached = await user.post(`/look/${id}`, { version, logo: { file: base64('a clean file') } });
    expect([unreached.status, unreached.body.error.fields]).toEqual([503, { logo: unscanned }]);
    const [last] = await loggedFor(florin, own.id, 'upload.unscanned');
    expect(last).toBe('Refused a file (logo) that could not be scanned for viruses');
  } finally {
    await stop();
  }
});

test('a clean logo is stored, and one with malware is not', async ({ florin }) => {
  test.slow();
  const { clamd, user, stop } = await startScanning(florin);
  try {
    const { id } = await makeMerchant(await visitorAs(florin, 'manager'));
    const publish = async (png: Buffer) => {
      const { version, values } = (await user.get(`/look?merchant=${id}`)).body.look;
      return user.post(`/look/${id}`, { version, ...values, logo: { file: base64(png) } });
    };
    const png = plainPng(120, 40, [20, 83, 45]);
    expect((await publish(Buffer.concat([png, Buffer.from(malware)]))).body.error.fields).toEqual({ logo: found });
    expect((await user.get(`/look?merchant=${id}`)).body.look.logo).toBeNull();
    expect((await publish(png)).body.logo).toMatchObject({ kind: 'uploaded', width: 120 });
    expect(clamd.files.at(-1)?.equals(png)).toBe(true);
  } finally {
    await stop();
  }
});

test('a session that ends while its file is scanned stores nothing', async ({ florin }) => {
  test.slow();
  const { clamd, own, user, stop } = await startScanning(florin);
  try {
    const { id } = await makeMerchant(await visitorAs(florin, 'manager'));
    const { version, values } = (await user.get(`/look?merchant=${id}`)).body.look;
    clamd.mode = 'silent';
    const file = base64(plainPng(120, 40, [20, 83, 45]));
    const published = user.post(`/look/${id}`, { version, ...values, logo: { file } });
    await expect.poll(() => clamd.files.length).toBe(1);
    await sql('delete from user_sessions where user_id = $1', [own.id]);
    clamd.release();
    expect((await published).status).toBe(401);
    const look = (await (await visitorAs(florin, 'manager')).get(`/look?merchant=${id}`)).body.look;
    expect([look.version, look.logo]).toEqual([version, null]);
  } finally {
    await stop();
  }
});

test('a logo given by address is shown if it is clean', async ({ florin, as }) => {
  test.slow();
  const png = plainPng(120, 40, [20, 83, 45]);
  const files = createServer(({ url }, answer) => {
    if (url === '/clean.svg') answer.end('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><script/></svg>');
    else answer.end(url === '/clean.png' ? png : Buffer.concat([png, Buffer.from(malware)]));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => files.once('listening', listening));
  const { server, stop } = await startScanning(florin);
  const merchant = merchantId(17);
  try {
    const { url } = await as('topTarget').open();
    for (const [file, answer] of [
      ['infected.png', '404 null'],
      ['clean.png', '200 image/png'],
      ['clean.svg', '200 image/svg+xml'],
    ] as const) {
      const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/${file}`;
      await sql('update merchants set logo_url = $1 where id = $2', [address, merchant]);
      const logo = async () => {
        const { status, headers } = await fetch(`${server.url}${new URL(url).pathname}/logo`);
        return { answer: `${status} ${headers.get('content-type')}`, policy: headers.get('content-security-policy') };
      };
      // A logo that could not be loaded is missing for a minute.
      await expect.poll(async () => (await logo()).answer, { timeout: 180_000, message: file }).toBe(answer);
      // Opened on its own, an SVG is a document.
      const policy = "default-src 'none'; base-uri 'none'; sandbox";
      if (answer.startsWith('200')) expect((await logo()).policy).toContain(policy);
    }
  } finally {
    await sql('update merchants set logo_url = null where id = $1', [merchant]);
    files.close();
    await stop();
  }
});
