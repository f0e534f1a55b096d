// The branding of a payment page, published over the dashboard API. Payers see it on their next page: the logo at a
// content-addressed URL, the merchant's texts in the page's language.
import { createHash } from 'node:crypto';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { textOf } from '../support/html.ts';
import { plainPng } from '../support/logo-png.ts';
import { merchantId } from '../support/merchants.ts';
import { formTo, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

test.describe.configure({ mode: 'serial' });

/** Only these tests change the branding of this merchant. */
const merchant = merchantId(83);

const values = {
  accent: '#14532D',
  background: '',
  radius: '4',
  font: '',
  privacyUrl: 'https://orme.example/privacy',
  termsUrl: '',
  supportEmail: 'help@orme.example',
  texts: {
    default: { summary: 'Delivered within <b>5</b> days', form: '' },
    de: { summary: 'Lieferung in 5 Tagen', receipt: 'Wir packen schon.' },
    ar: {},
  },
};

const file = (bytes: Buffer) => ({ file: bytes.toString('base64') });

test('shows payers the published logo and texts', async ({ florin, as }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/look?merchant=${merchant}`);
  const { version } = page.look;
  const png = plainPng(120, 40, [20, 83, 45]);
  const body = { version, ...values, logo: file(png) };
  const digest = createHash('sha256').update(png).digest('hex');
  const published = await manager.post(`/look/${merchant}`, body);
  expect(published.body).toMatchObject({
    version: version + 1,
    logo: { kind: 'uploaded', src: `/pay/logo/${digest}`, type: 'image/png', width: 120, height: 40 },
    values: {
      accent: '#14532d',
      texts: { default: { summary: 'Delivered within <b>5</b> days' }, de: values.texts.de },
    },
  });
  expect((await manager.post(`/look/${merchant}`, body)).status).toBe(409);

  const { url } = await as('lookSettings').open();
  const english = await (await fetch(url)).text();
  expect(english).toContain(`src="/pay/logo/${digest}"`);
  expect(english).toContain('--accent:#14532d');
  expect(english).toContain('href="mailto:help@orme.example"');
  expect(english).not.toContain('<b>5</b>');
  expect(textOf(english)).toContain('Delivered within <b>5</b> days');
  const german = textOf(await (await fetch(`${url}?lang=de`)).text());
  expect(german).toContain('Lieferung in 5 Tagen');
  expect(german).not.toContain('Wir packen schon.');
  expect(textOf(await (await fetch(`${url}?lang=ar`)).text())).toContain('Delivered within <b>5</b> days');

  const logo = await fetch(`${florin}/pay/logo/${digest}`);
  expect(Buffer.from(await logo.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(logo.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; base-uri 'none'; sandbox",
  });
  // Unknown logos take no places in the cache: this one is still served without a look at the database.
  await sql("update merchant_logos set bytes = '' where digest = $1", [digest]);
  for (let asked = 0; asked < 201; asked += 1) {
    const unknown = createHash('sha256').update(String(asked)).digest('hex');
    expect((await fetch(`${florin}/pay/logo/${unknown}`)).status).toBe(404);
  }
  expect((await fetch(`${florin}/pay/logo/${digest}`)).status).toBe(200);
  await sql('update merchant_logos set bytes = $2 where digest = $1', [digest, png]);
});

const huge = Buffer.concat([plainPng(20, 20, [0, 0, 0]), Buffer.alloc(205_000)]);

// published value | field with the error | error
const wrong: [string, object, string, RegExp][] = [
  ['SVG', { logo: file(Buffer.from('<svg viewBox="0 0 1 1"/>')) }, 'logo', /SVG files can contain scripts/],
  ['GIF', { logo: file(Buffer.from('GIF89a\x40\0\x40\0\0\0\0', 'latin1')) }, 'logo', /not a PNG/],
  ['a page', { logo: file(Buffer.from('<!doctype html>')) }, 'logo', /not a PNG/],
  ['too many bytes', { logo: file(huge) }, 'logo', /larger than 200 KB/],
  ['too many pixels', { logo: file(plainPng(2001, 16, [0, 0, 0])) }, 'logo', /2000 × 2000/],
  ['a speck', { logo: file(plainPng(8, 8, [0, 0, 0])) }, 'logo', /smaller than 16/],
  ['a word for a colour', { accent: 'green' }, 'accent', /#rrggbb/],
  ['a radius', { radius: '15' }, 'radius', /0 to 14/],
  ['a script', { privacyUrl: 'javascript:alert(1)' }, 'privacyUrl', /https/],
  ['an email', { supportEmail: 'help' }, 'supportEmail', /email/],
  ['a long line', { texts: { de: { summary: 'a'.repeat(161) } } }, 'texts.de.summary', /160/],
  ['two lines', { texts: { de: { summary: 'a\nb' } } }, 'texts.de.summary', /one line/],
  ['turned text', { texts: { de: { summary: 'a\u202eb' } } }, 'texts.de.summary', /invisible/],
  ['a long button', { texts: { de: { button: 'a'.repeat(25) } } }, 'texts.de.button', /24/],
  ['a place', { texts: { de: { heading: 'Pay' } } }, 'texts.de', /./],
  ['a background', { background: 'linen' }, 'background', /#rrggbb/],
  ['a font', { font: 'Comic Sans' }, 'font', /from the list/],
  ['a language', { texts: { tlh: { summary: 'Qapla' } } }, 'texts', /./],
];

test('rejects branding that could mislead payers or break the page', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/look?merchant=${merchant}`);
  for (const [what, changed, field, message] of wrong) {
    const body = { version: page.look.version, ...page.look.values, logo: 'keep', ...changed };
    const { status, body: answer } = await manager.post(`/look/${merchant}`, body);
    expect([status, answer.error.fields?.[field]], what).toEqual([400, expect.stringMatching(message)]);
  }
  const { body: after } = await manager.get(`/look?merchant=${merchant}`);
  expect(after.look).toEqual(page.look);
});

test('previews a draft without scripts, for its author only', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const ask = async (query: Record<string, string>) => {
    const address = `${florin}/dashboard/api/look/${merchant}/preview?${new URLSearchParams(query)}`;
    const response = await fetch(address, { headers: { cookie: manager.cookie } });
    return { policy: response.headers.get('content-security-policy') ?? '', html: await response.text() };
  };
  const draft = { accent: '#123456', background: '#f7ebdd', font: 'mono', 'text.summary': 'Draft line' };
  const form = await ask({ lang: 'ar', logo: 'stored', ...draft });
  expect(form.html).toContain('dir="rtl"');
  expect(form.html).toContain('--accent:#123456');
  expect(form.html).toContain('--canvas:#f7ebdd');
  expect(form.html).toContain('--font:ui-monospace');
  expect(form.html).toContain('/pay/logo/');
  expect(textOf(form.html)).toContain('Draft line');
  expect(form.html).not.toMatch(/<script[^>]* src=|<a [^>]*href=/);
  expect(form.policy).toContain("script-src 'none'");
  expect(form.policy).toContain("frame-ancestors 'self'");
  expect(form.policy).toContain('sandbox allow-same-origin');
  expect((await ask({ state: 'receipt', 'text.receipt': 'Packed' })).html).toContain('Packed');
  expect((await ask({ state: 'form-declined-bank', scheme: 'dark' })).html).not.toContain('prefers-color-scheme');
  expect(textOf((await ask({ state: 'form-billing', lang: 'de' })).html)).toContain('Postleitzahl');
  expect((await ask({ state: 'challenge' })).html).not.toMatch(/<iframe[^>]* src=/);
});

test('can be changed by owners of its merchant only', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const { body: own } = await owner.get('/look');
  expect(own.merchants).toHaveLength(1);
  expect(own.look.merchant.id).not.toBe(merchant);
  const { version, values: saved } = own.look;
  const body = { version, ...saved, logo: 'keep' };
  expect((await owner.get(`/look?merchant=${merchant}`)).status).toBe(404);
  expect((await owner.post(`/look/${merchant}`, body)).status).toBe(404);
  for (const role of ['operator', 'viewer'] as const) {
    const user = await visitorAs(florin, role);
    expect([(await user.get('/look')).status, (await user.post(`/look/${merchant}`, body)).status]).toEqual([403, 403]);
  }
});

test('removes the logo', async ({ florin, as }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/look?merchant=${merchant}`);
  const { version, values: saved } = page.look;
  const published = await manager.post(`/look/${merchant}`, { version, ...saved, logo: 'remove' });
  expect(published.body.logo).toBeNull();
  const { url } = await as('lookSettings').open();
  expect(await (await fetch(url)).text()).not.toContain('/pay/logo/');
});

test('shows a session the theme of its form_id, and the default one without such a theme', async ({ florin, as }) => {
  const manager = await visitorAs(florin, 'manager');
  const made = await manager.post(`/look/${merchant}/themes`, { name: 'Autumn', formIds: ['autumn', 'autumn:app'] });
  expect(made.status).toBe(200);
  const path = `/look/${merchant}/themes/${made.body.id}`;
  const { body: theme } = await manager.get(path);
  expect(theme.values).toMatchObject({ name: 'Autumn', formIds: ['autumn', 'autumn:app'], accent: '#14532d' });
  const texts = { default: { title: 'Autumn order', button: 'Order', terms: 'Rules', footer: 'Orme Ltd' } };
  const colours = { accent: '#b4431f', background: '#f7ebdd', font: 'serif', termsUrl: 'https://orme.example/terms' };
  const png = plainPng(60, 60, [180, 67, 31]);
  const digest = createHash('sha256').update(png).digest('hex');
  const body = { version: theme.version, ...theme.values, ...colours, texts, logo: file(png) };
  expect((await manager.post(path, body)).status).toBe(200);
  expect((await manager.post(path, body)).status).toBe(409);

  const shop = as('lookSettings');
  const pageOf = async (formId?: string) => {
    const { url } = await shop.open(formId === undefined ? {} : { form_id: formId });
    return { url, html: await (await fetch(url)).text() };
  };
  for (const formId of ['autumn', 'autumn:app']) {
    const { html } = await pageOf(formId);
    for (const part of ['--accent:#b4431f', '--canvas:#f7ebdd', '--font:ui-serif', `/pay/logo/${digest}`]) {
      expect(html, formId).toContain(part);
    }
    for (const part of ['Autumn order', 'Order · ', 'Rules', 'Orme Ltd']) expect(textOf(html)).toContain(part);
  }
  expect((await fetch(`${florin}/pay/logo/${digest}`)).status).toBe(200);
  // The end of a session has its theme too.
  const { url } = await pageOf('autumn');
  const payer = startPayer(florin);
  await payer.submit(formTo(await payer.visit(url), '/cancel'));
  const cancelled = await (await fetch(url)).text();
  expect(cancelled).toContain('data-state="cancelled"');
  expect(cancelled).toContain('--accent:#b4431f');
  for (const formId of [undefined, 'winter', ' ', 'Autumn']) {
    const { html } = await pageOf(formId);
    expect(html, formId).toContain('--accent:#14532d');
    expect(textOf(html), formId).not.toContain('Autumn order');
  }

  // A copy of a theme; deleting both returns their sessions to the default.
  const copy = await manager.post(`/look/${merchant}/themes`, { name: 'Copy', formIds: [], base: made.body.id });
  const copied = await manager.get(`/look/${merchant}/themes/${copy.body.id}`);
  expect(copied.body).toMatchObject({ values: { accent: '#b4431f' }, logo: { src: `/pay/logo/${digest}` } });
  const { version } = (await manager.get(path)).body;
  expect((await manager.post(`${path}/delete`, { version: version - 1 })).status).toBe(409);
  expect((await manager.post(`${path}/delete`, { version })).status).toBe(200);
  expect((await manager.post(`/look/${merchant}/themes/${copy.body.id}/delete`, { version: 0 })).status).toBe(200);
  expect((await manager.get(path)).status).toBe(404);
  expect((await pageOf('autumn')).html).toContain('--accent:#14532d');
  const { body: log } = await manager.get(`/audit-log?subject=merchant:${merchant}`);
  const sentences = JSON.stringify(log);
  for (const part of ['Created theme Autumn of', 'Deleted theme Autumn of']) expect(sentences).toContain(part);
});

// names | field with the error | error
const wrongNames: [object, string, RegExp][] = [
  [{ name: '', formIds: [] }, 'name', /Enter a name/],
  [{ name: 'a'.repeat(61), formIds: [] }, 'name', /60/],
  [{ name: 'Sum\u202emer', formIds: [] }, 'name', /without control or invisible characters/],
  [{ name: 'SPRING', formIds: [] }, 'name', /Another theme has this name/],
  [{ name: 'Summer', formIds: ['spring'] }, 'formIds', /spring belongs to the theme “Spring”/],
  [{ name: 'Summer', formIds: ['a', 'b', 'a'] }, 'formIds', /a is listed twice/],
  [{ name: 'Summer', formIds: [''] }, 'formIds.0', /Enter a form ID/],
  [{ name: 'Summer', formIds: ['two words'] }, 'formIds.0', /letters of the Latin alphabet/],
  [{ name: 'Summer', formIds: ['a'.repeat(65)] }, 'formIds.0', /64/],
  [{ name: 'Summer', formIds: Array.from({ length: 51 }, (_, at) => `f${at}`) }, 'formIds', /50/],
];

test('rejects themes whose form IDs or names are not unique, and themes of other merchants', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const themes = `/look/${merchant}/themes`;
  const { body: made } = await manager.post(themes, { name: 'Spring', formIds: ['spring'] });
  for (const [names, field, message] of wrongNames) {
    const { status, body: answer } = await manager.post(themes, names);
    expect([status, answer.error.fields?.[field]], JSON.stringify(names)).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  }
  const { body: listed } = await manager.get(`/look?merchant=${merchant}`);
  expect(listed.themes).toEqual([{ id: made.id, name: 'Spring', formIds: ['spring'] }]);
  const owner = await visitorAs(florin, 'merchant');
  const { body: own } = await owner.get('/look');
  for (const path of [`${themes}/${made.id}`, `/look/${own.look.merchant.id}/themes/${made.id}`]) {
    expect((await owner.get(path)).status).toBe(404);
    expect((await owner.post(`${path}/delete`, { version: 0 })).status).toBe(404);
  }
  expect((await owner.post(themes, { name: 'Mine', formIds: [] })).status).toBe(404);
  const foreign = { name: 'Mine', formIds: [], base: made.id };
  expect((await owner.post(`/look/${own.look.merchant.id}/themes`, foreign)).status).toBe(404);
  expect((await manager.post(`${themes}/${made.id}/delete`, { version: 0 })).status).toBe(200);
});
