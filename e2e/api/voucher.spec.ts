// The files for payers: the PDF voucher of a cash payment, and the picture of a code, each of one payment only.
import decodeQr from 'qr/decode.js';
import { readPng } from '../support/apm-png.ts';
import { catalog } from '../support/catalog.ts';
import { linksOf, textOf } from '../support/html.ts';
import type { Changes, Merchant } from '../support/merchant.ts';
import { sessionOf, submitMethod, walkOf } from '../support/method-flows.ts';
import { type Screen, startPayer } from '../support/payer.ts';
import { readPdf } from '../support/pdf.ts';
import { expect, test } from '../support/test.ts';

/** The page that a payer of this method sees after the form. */
async function methodPage(shop: Merchant, id: string, changes: Changes = {}): Promise<Screen> {
  const row = catalog.find((each) => each.id === id);
  if (!row) throw new Error(`no method ${id}`);
  const walk = walkOf(row);
  const opened = await shop.open({ ...sessionOf(walk), ...changes });
  const payer = startPayer(shop.baseUrl);
  return submitMethod(payer, await payer.visit(opened.url), walk);
}

/** The link of the page to a file of this name. */
function fileOf(screen: Screen, name: string): string {
  const link = linksOf(screen.html, screen.url).find(({ href }) => new URL(href).pathname.endsWith(`/${name}`));
  if (!link) throw new Error(`no ${name} on ${screen.url}`);
  return link.href;
}

test('axxi-cash: the voucher is a PDF for the counter', async ({ as }) => {
  const screen = await methodPage(as('methods'), 'axxi-cash');
  const response = await fetch(fileOf(screen, 'ticket.pdf'));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1');
  expect(pdf.slice(0, 5)).toBe('%PDF-');
  expect(pdf.trimEnd().slice(-5)).toBe('%%EOF');
  expect(pdf.match(/\/Type \/Page\n/g)).toHaveLength(1);
});

test('axxi-cash in BRL: a boleto of 44 digits with its digitable line, on the page and in the PDF', async ({ as }) => {
  const screen = await methodPage(as('methods'), 'axxi-cash', { order: { amount: '84.50', currency: 'BRL' } });
  const [digits = ''] = /\b0009\d00000000008450\d{25}\b/.exec(textOf(screen.html)) ?? [];
  const [line = ''] = /\b0009\d\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d 00000000008450\b/.exec(textOf(screen.html)) ?? [];
  expect([digits.length, line.replace(/\D/g, '').length]).toEqual([44, 47]);
  // Start, pairs and stop of Interleaved 2 of 5 with the quiet zones.
  expect(screen.html).toContain('viewBox="0 0 358.25 1"');
  const pdf = Buffer.from(await (await fetch(fileOf(screen, 'ticket.pdf'))).arrayBuffer());
  const lines = readPdf(pdf).flatMap(({ text }) => text.split('\n'));
  expect(lines).toEqual(expect.arrayContaining([digits, 'Linha digitável', line]));
});

test('axxi-cash: the deadline is an entry for a calendar', async ({ as }) => {
  const screen = await methodPage(as('methods'), 'axxi-cash');
  const link = fileOf(screen, 'deadline.ics');
  const response = await fetch(link);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const entry = (await response.text()).replaceAll('\r\n ', '');
  const [, date = '', time = ''] = /\r\nDTSTART:(\d{8})T(\d{4})\d\dZ\r\n/.exec(entry) ?? [];
  const minute = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2)}`;
  expect(screen.html).toContain(`"${minute}`);
  const { origin, pathname } = new URL(screen.url);
  expect(entry).toContain(`\r\nURL;VALUE=URI:${origin}${pathname}\r\n`);
  expect(entry).toContain('\r\nTRIGGER:-P1D\r\n');
});

test('ips: the code can be saved as a picture of the code on the page', async ({ as }) => {
  const screen = await methodPage(as('methods'), 'ips');
  const response = await fetch(fileOf(screen, 'code.png'));
  expect(response.headers.get('content-type')).toBe('image/png');
  const text = decodeQr(readPng(Buffer.from(await response.arrayBuffer())));
  expect(text).toMatch(/^K:PR\|V:01\|C:1\|R:[0-9A-Z]+\|N:[^|]+\|I:[A-Z]{3}120,00\|SF:221\|/);
});

test('none of these files exists for pages without a voucher or a code', async ({ as }) => {
  const opened = await as('methods').open({ methods: ['axxi-cash', 'ips'] });
  for (const name of ['ticket.pdf', 'deadline.ics', 'code.png']) {
    const { pathname, origin } = new URL(opened.url);
    const response = await fetch(`${origin}${pathname}/${name}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  }
});
