// npm run bench:page: what the first view of the hosted page weighs, and how it feels on a slow phone: the real server,
// a session of the demo merchant, the card form, in Chromium with a slowed processor and network. Ends with code 1 when
// the first view weighs more than it may. Docs: docs/benchmarks.md.
//   --built   measures what was built last, even if the sources have changed since
import { randomBytes, randomUUID } from 'node:crypto';
import { chromium } from 'playwright';
import { findBrowser } from '../browser.mjs';
import { build } from '../build.mjs';
import { importTypeScript } from '../bundle.mjs';
import { step } from '../progress.mjs';
import { machineFacts, printColumns, spread } from './report.mjs';
import { freePorts, openStack } from './stack.mjs';
import { visitAsPayer } from './visit.mjs';
import { weigh } from './weight.mjs';

const bytesMax = 40 * 1000;
const bytesAim = 20 * 1000;
const languages = ['en', 'de', 'ar'];
const runs = 5;
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** What a page may take to count as good, by the bounds that web.dev publishes for the Web Vitals. */
const measures = [
  { name: 'Largest contentful paint', of: 'lcp', unit: 'ms', decimals: 0, good: 2500 },
  { name: 'Cumulative layout shift', of: 'cls', unit: '', decimals: 3, good: 0.1 },
  { name: 'Interaction to next paint', of: 'inp', unit: 'ms', decimals: 0, good: 200 },
  { name: 'Total blocking time', of: 'tbt', unit: 'ms', decimals: 0, good: 200 },
];

/** Opens a session of the demo merchant and gives the address of its page. */
async function openSession(base, language) {
  const { demoSession } = await importTypeScript('lib/core/demo-request.ts');
  const body = { ...demoSession(base, randomUUID()), billing_address: { language } };
  const answer = await fetch(`${base}/api/v1/session`, { method: 'POST', body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`The session was refused: ${await answer.text()}`);
  return (await answer.json()).redirect_url;
}

function printWeight(weights) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  const kinds = ['document', 'style', 'script', 'image', 'other'];
  const rows = weights.map(({ language, bytes, total }) => [
    language,
    ...kinds.map((kind) => kilobytes(bytes[kind])),
    kilobytes(total),
  ]);
  console.log('\nFirst view, compressed with brotli as it was sent:\n');
  printColumns([['', 'HTML', 'CSS', 'Script', 'Images', 'Other', 'Together'], ...rows]);
}

function printVitals(visits) {
  const rows = measures.map(({ name, of, unit, decimals, good }) => [
    name,
    ...languages.map((language) =>
      `${spread(
        visits[language].map((visit) => visit[of]),
        decimals,
      )} ${unit}`.trim(),
    ),
    `${good} ${unit}`.trim(),
  ]);
  console.log('\nOn a slow phone (processor 4 times slower, 1.6 Mbit/s, 150 ms), median (least..most):\n');
  printColumns([['', ...languages, 'good up to'], ...rows]);
}

async function weighAll(browser, base) {
  const { locales } = await importTypeScript('lib/core/locales.ts');
  const codes = locales.map(({ code }) => code);
  const weights = [];
  for (const language of codes)
    weights.push({ language, ...(await weigh(browser, await openSession(base, language), phone)) });
  const heaviest = weights.reduce((most, each) => (each.total > most.total ? each : most));
  const shown = languages.map((code) => weights.find(({ language }) => language === code));
  if (!shown.includes(heaviest)) shown.push(heaviest);
  return { shown, heaviest };
}

async function visitAll(browser, base) {
  const visits = Object.fromEntries(languages.map((language) => [language, []]));
  // The first visit of a process is not what later payers meet: it is made and not counted.
  await visitAsPayer(browser, await openSession(base, 'en'), phone);
  for (let run = 0; run < runs; run += 1) {
    for (const language of languages) {
      visits[language].push(await visitAsPayer(browser, await openSession(base, language), phone));
    }
  }
  return visits;
}

async function measure(stack) {
  const executablePath = await findBrowser();
  const [port] = await freePorts(1);
  const settings = { APP_ENV: 'sandbox', DEMO_PASSWORD: randomBytes(12).toString('base64url') };
  const base = `http://127.0.0.1:${port}`;
  await step('Starting the server', async () => {
    await stack.seed('prisma/seed.ts', port, settings);
    await stack.serve(port, settings);
  });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const facts = machineFacts([
      ['Chromium', browser.version()],
      ['Runs', `${runs} per language, each with an empty cache`],
    ]);
    const { shown, heaviest } = await step('Weighing the page in every language', () => weighAll(browser, base));
    const visits = await step(`Visiting as a payer, ${runs} times in ${languages.length} languages`, () =>
      visitAll(browser, base),
    );
    console.log('');
    printColumns(facts);
    printWeight(shown);
    printVitals(visits);
    return heaviest;
  } finally {
    await browser.close();
  }
}

async function main() {
  console.log('Benchmark of the hosted page');
  if (!process.argv.includes('--built')) await build();
  const stack = await step('Starting PostgreSQL', openStack);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stack.stop().finally(() => process.exit(130)));
  try {
    const { language, total } = await measure(stack);
    const verdict = total <= bytesAim ? 'within the aim' : total <= bytesMax ? 'allowed, above the aim' : 'TOO MUCH';
    console.log(`\nHeaviest language: ${language}, ${total} bytes (${verdict}: aim ${bytesAim}, at most ${bytesMax})`);
    return total <= bytesMax ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

await main().then(
  (code) => process.exit(code),
  (fault) => {
    console.error(`\n${fault.stack}`);
    process.exit(1);
  },
);
