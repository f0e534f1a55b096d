// Renders every state of the payer pages with sample data, takes screenshots in several widths, colour schemes and
// languages, and runs the accessibility check over each: florin preview [name ...] [--lang=en,es-MX]
// [--view=phone] [--theme='{"accent":"#ff6600","texts":{}}'] [--out=folder] [--serve] [--port=4600] [--no-axe]
// [--no-script]. Screenshots and report go to .data/preview.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium } from 'playwright';
import { dataFolder, root } from '../../scripts/project.ts';
import { findBrowser } from '../runner/tools.ts';
import { sampleLogo, sampleNames, samplePage } from './sample-pages.ts';

process.chdir(root);

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    lang: { type: 'string', default: 'en' },
    view: { type: 'string' },
    theme: { type: 'string', default: '{}' },
    out: { type: 'string', default: join(dataFolder, 'preview') },
    port: { type: 'string', default: '0' },
    serve: { type: 'boolean' },
    'no-axe': { type: 'boolean' },
    'no-script': { type: 'boolean' },
  },
});
const { out } = options;
mkdirSync(out, { recursive: true });
const languages = options.lang.split(',');
const theme = JSON.parse(options.theme);

const axe = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
const bank = `<!doctype html><meta charset=utf-8><title>Example Bank</title><body style="font:16px system-ui;max-width:340px;margin:24px auto"><h1 style="font-size:18px;color:#00526b">Example Bank</h1><p>We sent a code to your phone ending <b>88</b>.</p><label>Code<br><input style="width:100%;height:38px;box-sizing:border-box"></label><p><button style="width:100%;height:40px;background:#00526b;color:#fff;border:0">Submit</button></body>`;

type Body = string | Buffer;

async function answer(url: URL): Promise<[status: number, headers: Record<string, string>, body: Body]> {
  if (url.pathname === '/logo.svg') return [200, { 'content-type': 'image/svg+xml' }, sampleLogo];
  if (url.pathname === '/frame') return [200, { 'content-type': 'text/html' }, bank];
  if (url.pathname.startsWith('/sdk/')) {
    const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
    const file = join(root, 'public', url.pathname);
    if (!existsSync(file)) return [404, {}, ''];
    return [200, { 'content-type': types[extname(file)] ?? 'application/json' }, readFileSync(file)];
  }
  const sample = await samplePage(url.pathname.slice(1), url.searchParams.get('lang') ?? 'en', theme);
  return sample ? [200, sample.headers, sample.html] : [404, {}, ''];
}

const server = createServer(async (request, response) => {
  try {
    const [status, headers, body] = await answer(new URL(request.url ?? '/', 'http://preview'));
    response.writeHead(status, headers).end(body);
  } catch (error) {
    console.error(request.url, error);
    response.writeHead(500).end(String(error));
  }
});
await new Promise<void>((done) => server.listen(Number(options.port), '127.0.0.1', done));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
console.log(base);

type View = { name: string; width: number; height: number; scheme: 'light' | 'dark' };
const allViews: View[] = [
  { name: 'desktop', width: 1280, height: 900, scheme: 'light' },
  { name: 'phone', width: 390, height: 844, scheme: 'light' },
  { name: 'narrow', width: 320, height: 640, scheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, scheme: 'dark' },
  { name: 'phone-dark', width: 390, height: 844, scheme: 'dark' },
];
const only = options.view?.split(',');
const views = allViews.filter(({ name }) => !only || only.includes(name));

async function inspect(browser: Browser, name: string, language: string, view: View): Promise<string[]> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.height },
    colorScheme: view.scheme,
    reducedMotion: 'reduce',
    javaScriptEnabled: !options['no-script'],
  });
  const page = await context.newPage();
  const errors: string[] = [];
  // Documents that submit themselves stay in view without their script.
  if (name.startsWith('frame-')) await page.route('**/sdk/*.js', (route) => route.abort());
  page.on('console', (message) => {
    // The event stream and the state have no server here.
    if (message.type() === 'error' && !/404|MIME|ERR_FAILED/.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${base}/${name}?lang=${language}`);
  const label = `${name}-${language}-${view.name}`;
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) errors.push(`scrolls sideways by ${wide}px`);
  if (!options['no-axe'] && !options['no-script']) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>(
      "axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'] })",
    );
    for (const { id, nodes } of violations) errors.push(`${id}: ${nodes.map((node) => node.target).join(' | ')}`);
  }
  await page.screenshot({ path: join(out, `${label}.png`), fullPage: true });
  await context.close();
  return errors.map((error) => `${label}  ${error}`);
}

if (!options.serve) {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const report: string[] = [];
  for (const name of wanted.length > 0 ? wanted : sampleNames) {
    for (const language of languages)
      for (const view of views) report.push(...(await inspect(browser, name, language, view)));
  }
  await browser.close();
  server.close();
  writeFileSync(join(out, 'report.txt'), `${report.join('\n')}\n`);
  console.log(report.join('\n') || 'No problems found.');
}
