// npm run bench -- page: the transfer size of the hosted page's first view compared with other vendors' card forms, and
// its speed on a slow phone: the real server, a session of the demo merchant, the card form, in Chromium with CPU and
// network throttling, compared with a plain page of the same text. Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   one visit in each language
import { randomBytes, randomUUID } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright';
import { locales } from '../../lib/core/locales.ts';
import { freePorts } from '../../scripts/ports.ts';
import { step } from '../../scripts/project.ts';
import { findBrowser } from '../runner/tools.ts';
import { command, type Figure, type Options, type Part } from './benchmark-part.ts';
import { type CardForm, measureOtherCardForms } from './other-card-forms.ts';
import { loadSlowly, type Visit, visitAsPayer } from './page-visit.ts';
import { linesOf, servePlain } from './plain-page.ts';
import { median, printColumns, spread } from './report.ts';
import { type Stack, withStack } from './stack.ts';
import { fetchEncoded, measureSize } from './transfer-size.ts';

const languages = locales.map(({ code }) => code);
/** A page with everything that adds to the card form of the demo merchant: a theme, and what the payer agrees to. */
const fullest = { form_id: 'autumn', req_token: true };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** The bounds of web.dev for good Web Vitals. */
/** `full`: all bytes of the fullest page. */
type Weight = { language: string; full: number } & Awaited<ReturnType<typeof measureSize>>;
type Visits = Record<string, Visit[]>;
type Plain = { bytes: number; rounds: { plain: number; florin: number }[] };

const measures = [
  { name: 'Largest contentful paint', of: 'lcp', unit: 'ms', decimals: 0, good: 2500 },
  { name: 'Cumulative layout shift', of: 'cls', unit: '', decimals: 3, good: 0.1 },
  { name: 'Interaction to next paint', of: 'inp', unit: 'ms', decimals: 0, good: 200 },
  { name: 'Total blocking time', of: 'tbt', unit: 'ms', decimals: 0, good: 200 },
] as const;

/** Creates a session of the demo merchant and returns the address of its page. */
async function openSession(base: string, language: string, more: object = {}): Promise<string> {
  const { demoSession } = await import('../../lib/core/demo-request.ts');
  const body = { ...demoSession(base, randomUUID()), billing_address: { language }, ...more };
  const answer = await fetch(`${base}/api/v1/session`, { method: 'POST', body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`The session was refused: ${await answer.text()}`);
  return (await answer.json()).redirect_url;
}

function printSize(weights: Weight[]) {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
  const kinds = ['document', 'style', 'script', 'image', 'other'] as const;
  const rows = weights.map(({ language, bytes, total, full }) => [
    language,
    ...kinds.map((kind) => kilobytes(bytes[kind])),
    kilobytes(total),
    kilobytes(full),
  ]);
  console.log('\nFirst view, compressed with brotli as it was sent:\n');
  printColumns([['', 'HTML', 'CSS', 'Script', 'Images', 'Other', 'Together', 'With theme and agreement'], ...rows]);
}

function printVitals(visits: Visits) {
  const rows = languages.map((language) => [
    language,
    ...measures.map(({ of, unit, decimals }) =>
      `${spread(
        (visits[language] ?? []).map((visit) => visit[of]),
        decimals,
      )} ${unit}`.trim(),
    ),
  ]);
  const bounds = ['good up to', ...measures.map(({ good, unit }) => `${good} ${unit}`.trim())];
  console.log('\nOn a slow phone (processor 4 times slower, 1.6 Mbit/s, 150 ms), median (least..most):\n');
  printColumns([['', ...measures.map(({ name }) => name)], ...rows, bounds]);
}

async function measureAllSizes(browser: Browser, base: string) {
  const weights: Weight[] = [];
  for (const language of languages) {
    const plain = await measureSize(browser, await openSession(base, language), phone);
    const { total: full } = await measureSize(browser, await openSession(base, language, fullest), phone);
    weights.push({ language, full, ...plain });
  }
  return weights;
}

async function visitAll(browser: Browser, base: string, runs: number): Promise<Visits> {
  const visits: Visits = Object.fromEntries(languages.map((language) => [language, []]));
  // The first visit of a process is a warm-up and not counted.
  await visitAsPayer(browser, await openSession(base, 'en'), phone);
  for (let run = 0; run < runs; run += 1) {
    for (const language of languages) {
      visits[language]?.push(await visitAsPayer(browser, await openSession(base, language), phone));
    }
  }
  return visits;
}

/** Alternates between a plain page and the payment page; returns the largest contentful paint of each. */
async function compareWithPlain(browser: Browser, base: string, runs: number): Promise<Plain> {
  const lines = await linesOf(browser, await openSession(base, 'en'), phone);
  const plain = await servePlain(lines, 'en');
  try {
    await loadSlowly(browser, plain.url, phone);
    const rounds: Plain['rounds'] = [];
    for (let run = 0; run < runs; run += 1) {
      const plainly = (await loadSlowly(browser, plain.url, phone)).lcp;
      rounds.push({ plain: plainly, florin: (await loadSlowly(browser, await openSession(base, 'en'), phone)).lcp });
    }
    return { bytes: plain.bytes, rounds };
  } finally {
    plain.close();
  }
}

/** The hosted fields' merchant script, one frame's document and the frame's script, as transferred. */
async function measureFieldsSize(base: string): Promise<number> {
  const document = await fetchEncoded(`${base}/fields/card?lang=en`);
  const html = brotliDecompressSync(document.body).toString('utf8');
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
  const scripts = await Promise.all([`${base}/sdk/hosted-fields.js`, new URL(script, base).href].map(fetchEncoded));
  return [document, ...scripts].reduce((sum, { body }) => sum + body.length, 0);
}

function printOtherCardForms(peers: CardForm[], { page, fields }: { page: number; fields: number }) {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
  console.log('\nA card form, compressed with brotli:\n');
  printColumns([
    ['', 'Version', 'Minified', 'Compressed'],
    ["Florin's page in all, heaviest language", '', '', kilobytes(page)],
    ["Florin's hosted fields: script and one frame", '', '', kilobytes(fields)],
    ...peers.map(({ name, version, minified, compressed }) => [
      `${name}, without its frames`,
      version,
      kilobytes(minified),
      kilobytes(compressed),
    ]),
  ]);
}

const heaviestOf = (weights: Weight[]) => Math.max(...weights.map(({ total }) => total));

const highest = (visits: Visits, of: keyof Visit) =>
  Math.max(...Object.values(visits).map((all) => median(all.map((visit) => visit[of]))));

function figuresOf({
  weights,
  visits,
  plain,
  peers,
  fields,
}: {
  weights: Weight[];
  visits: Visits;
  plain: Plain;
  peers: CardForm[];
  fields: number;
}): Figure[] {
  const ratio = median(plain.rounds.map((each) => each.florin / each.plain));
  const heaviest = heaviestOf(weights);
  const fullest = Math.max(...weights.map(({ full }) => full));
  const lightest = Math.min(...peers.map(({ compressed }) => compressed));
  return [
    { name: 'The page in all, heaviest language', value: heaviest / 1000, unit: 'KB', decimals: 1, most: 20 },
    { name: 'The same with theme and agreement', value: fullest / 1000, unit: 'KB', decimals: 1, most: 20 },
    { name: "Largest contentful paint, of a plain page's", value: ratio, unit: '', decimals: 2, most: 1.5 },
    { name: 'Interaction to next paint, slowest language', value: highest(visits, 'inp'), unit: 'ms', most: 50 },
    { name: 'Cumulative layout shift', value: highest(visits, 'cls'), unit: '', decimals: 3, most: 0 },
    { name: 'The page, of the lightest form of others', value: heaviest / lightest, unit: '', decimals: 2, most: 1 },
    { name: 'Hosted fields, of the lightest form of others', value: fields / lightest, unit: '', decimals: 2, most: 1 },
  ];
}

async function measure(stack: Stack, { short }: Options) {
  const executablePath = await findBrowser();
  const runs = short ? 1 : 3;
  const [port] = await freePorts(1);
  const settings = { APP_ENV: 'sandbox', DEMO_PASSWORD: randomBytes(12).toString('base64url') };
  const base = `http://127.0.0.1:${port}`;
  await step('Starting the server', async () => {
    await stack.seed('prisma/seed.ts', port, settings);
    await stack.serve(port, settings);
  });
  const peers = await step('Installing and bundling the packages of others', measureOtherCardForms);
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const weights = await step('Weighing the page in every language', () => measureAllSizes(browser, base));
    const visits = await step(`Visiting as a payer, ${runs} times in ${languages.length} languages`, () =>
      visitAll(browser, base, runs),
    );
    const plain = await step('Loading a plain page and this one in turn', () =>
      compareWithPlain(browser, base, short ? 3 : 11),
    );
    const fields = await measureFieldsSize(base);
    printSize(weights);
    printVitals(visits);
    const side = (name: 'plain' | 'florin') => spread(plain.rounds.map((each) => each[name]));
    console.log(`\nLargest contentful paint in turn: plain page ${side('plain')} ms, this page ${side('florin')} ms`);
    printOtherCardForms(peers, { page: heaviestOf(weights), fields });
    const raw = { chromium: browser.version(), weights, visits, plain, peers, fields };
    return { figures: figuresOf({ weights, visits, plain, peers, fields }), raw };
  } finally {
    await browser.close();
  }
}

export const part: Part = {
  name: 'page',
  title: 'The hosted page',
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
