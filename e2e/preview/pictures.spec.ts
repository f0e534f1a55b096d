// Every state of the payer's pages in every language, 320 pixels wide, compared with the stored picture of the
// language (e2e/preview/pictures). They hold lines, sizes, places and direction; a word of the same length passes. An
// intended change is stored by
// npx playwright test --project=pictures --update-snapshots
// The regions with many words of their own are checked for what does not fit; two of them have a picture. The others
// have a few short labels.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { locales } from '../../lib/core/locales.ts';
import { root } from '../../scripts/project.ts';
import { sampleLogo, sampleNames, samplePage } from './sample-pages.ts';

const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono', '@fontsource/noto-sans-arabic'];

// The system's fonts differ between machines. No font with Han and Kana is small enough to be installed for this: each
// of their characters is a dot of its width.
const fontStyle = `${fonts.map((name) => `<link rel="stylesheet" href="/fonts/${name}/index.css">`).join('')}<style>
  :root { --mono: 'JetBrains Mono Variable' !important }
  html body { font-family: 'Inter Variable', 'Noto Sans Arabic' }
  :is(:lang(ja), :lang(zh)) body { -webkit-text-security: disc; letter-spacing: .45em }
</style></head>`;

/** The states without a document of their own: they send themselves to another page. */
const names = sampleNames.filter((name) => !name.startsWith('frame-'));

/** All states of a language, each in a frame as wide as a narrow phone, in grey, at a fifth of its size. */
const sheet = (lang: string) => `<!doctype html><style>
  body { margin: 0; background: #888 }
  iframe { visibility: hidden; position: absolute; border: 0; inline-size: 320px; transform: scale(.2); transform-origin: 0 0; filter: grayscale(1) }
</style>${names.map((name) => `<iframe src="/${name}?lang=${lang}"></iframe>`).join('')}`;

type Answer = [type: string, body: string | Buffer];

async function answer({ pathname, searchParams }: URL): Promise<Answer> {
  const name = pathname.slice(1);
  const lang = searchParams.get('lang') ?? '';
  if (name === 'sheet') return ['text/html', sheet(lang)];
  if (name === 'logo.svg') return ['image/svg+xml', sampleLogo];
  if (name.startsWith('fonts/')) {
    const type = name.endsWith('.css') ? 'text/css' : 'font/woff2';
    return [type, readFileSync(join(root, 'node_modules', name.slice('fonts/'.length)))];
  }
  const page = await samplePage(name, lang);
  return ['text/html; charset=utf-8', page ? page.html.replace('</head>', fontStyle) : ''];
}

const server = createServer(async (request, response) => {
  const [type, body] = await answer(new URL(request.url ?? '/', 'http://sheet'));
  const headers = {
    'content-type': type,
    'cache-control': 'max-age=600',
    'content-security-policy': "script-src 'none'",
  };
  response.writeHead(200, headers).end(body);
});

test.beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
test.afterAll(() => server.close());

/** Waits for fonts, gives each frame the height of its page, and arranges them in columns; returns what does not fit. */
const arrange = (page: Page) =>
  page.evaluate(async () => {
    const frames = [...document.querySelectorAll('iframe')];
    const columns = Array.from({ length: 15 }, () => 0);
    const tooLong: string[] = [];
    for (const frame of frames) {
      const inner = frame.contentDocument as Document;
      await inner.fonts.ready;
      const { scrollWidth, scrollHeight } = inner.documentElement;
      if (scrollWidth > 320) tooLong.push(frame.src);
      for (const input of inner.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
        const { value } = input;
        input.value ||= input.placeholder;
        if (input.scrollWidth > input.clientWidth) tooLong.push(`${frame.src}: ${input.placeholder}`);
        input.value = value;
      }
      // The shop's texts may be cut, ours not.
      for (const element of inner.querySelectorAll<HTMLElement>(
        'body :not(.quiet, .fold *, bdi, select, svg *, input)',
      ))
        if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible')
          tooLong.push(`${frame.src}: ${element.textContent}`);
      const column = columns.indexOf(Math.min(...columns));
      frame.style.insetInlineStart = `${column * 66}px`;
      frame.style.insetBlockStart = `${columns[column]}px`;
      frame.style.blockSize = `${scrollHeight}px`;
      columns[column] = (columns[column] ?? 0) + Math.ceil(scrollHeight * 0.2) + 2;
    }
    document.body.style.blockSize = `${Math.max(...columns)}px`;
    // Hidden until here: each frame that loads would draw the sheet again.
    for (const frame of frames) frame.style.visibility = 'visible';
    return tooLong;
  });

/** Opens all states of a language or region; returns what does not fit. */
async function open(page: Page, tag: string): Promise<string[]> {
  await page.setViewportSize({ width: 990, height: 800 });
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/sheet?lang=${tag}`);
  return arrange(page);
}

for (const { code, bcp47 } of locales) {
  test(`every state in ${code} has the stored picture`, async ({ page }) => {
    expect(await open(page, bcp47)).toEqual([]);
    await expectPicture(page, code);
  });
}

async function expectPicture(page: Page, name: string) {
  const picture = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' });
  expect(picture).toMatchSnapshot([`${name}.png`], { maxDiffPixels: 50 });
}

const picturedRegions = ['es-MX', 'pt-PT'];

/** A sheet takes seconds; most regions have a few labels only. */
const manyWords = 10;
const regions = join(root, 'messages/regions');
const wordsOf = (name: string) => Object.keys(JSON.parse(readFileSync(join(regions, name), 'utf8'))).length;

for (const name of readdirSync(regions)) {
  const tag = name.replace('.json', '');
  if (wordsOf(name) < manyWords && !picturedRegions.includes(tag)) continue;
  test(`every state in ${tag} fits`, async ({ page }) => {
    expect(await open(page, tag)).toEqual([]);
    if (picturedRegions.includes(tag)) await expectPicture(page, tag);
    // The frames are pages of the region, not of its language alone.
    const langs = await page.evaluate(() =>
      [...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument?.documentElement.lang),
    );
    expect(new Set(langs)).toEqual(new Set([tag]));
  });
}
