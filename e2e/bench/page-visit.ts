// A payer's visit on a slow phone: loads the page into an empty cache, types a card, submits once with a mistake and
// once without, and pays. Records the browser's performance entries.

/** Chromium's throttling; bandwidths in bytes a second. The latency applies to every request. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const cpuSlowdown = 4;
/** Idle time after loading, before the payer begins. */
const quietMilliseconds = 1_000;
const keyMilliseconds = 25;
/** Before and after a tap, in which nothing else happens. */
const stillMilliseconds = 200;

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';

/** A performance entry as the page reports it: the values of its kind. */
type Entry = {
  kind: string;
  name: string;
  startTime: number;
  duration: number;
  value: number;
  hadRecentInput: boolean;
  interactionId: number;
};

// Runs in the page before its own scripts. Event entries start at 16 ms, the minimum.
function observe() {
  const { benchReport } = globalThis as unknown as { benchReport: (text: string) => void };
  const watch = (type: string, more: object, read: (entry: Entry) => Partial<Entry>) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        benchReport(JSON.stringify({ kind: type, ...read(entry as unknown as Entry) }));
    }).observe({ type, buffered: true, ...more });
  watch('paint', {}, ({ name, startTime }) => ({ name, startTime }));
  watch('largest-contentful-paint', {}, ({ startTime }) => ({ startTime }));
  watch('layout-shift', {}, ({ value, startTime, hadRecentInput }) => ({ value, startTime, hadRecentInput }));
  watch('longtask', {}, ({ startTime, duration }) => ({ startTime, duration }));
  watch('event', { durationThreshold: 16 }, ({ name, duration, interactionId }) => ({ name, duration, interactionId }));
}

// Loads the page throttled, runs `work`, and returns all performance entries, and those before `work`.
async function throttled(
  browser: Browser,
  url: string,
  device: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  const observed: Entry[] = [];
  const session = await context.newCDPSession(page);
  session.on('Runtime.bindingCalled', ({ payload }) => observed.push(JSON.parse(payload)));
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'benchReport' });
  await page.addInitScript(observe);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slowNetwork);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(quietMilliseconds);
  const loading = observed.slice();
  await work(page);
  const all = observed.slice();
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  await context.close();
  return { loading, all };
}

const paintedAt = (loading: Entry[]) =>
  Math.max(...of(loading, 'largest-contentful-paint').map(({ startTime }) => startTime));

/** Loads a page without interaction; returns `lcp` in milliseconds. */
export async function loadSlowly(browser: Browser, url: string, device: BrowserContextOptions) {
  const { loading } = await throttled(browser, url, device, async () => {});
  return { lcp: paintedAt(loading) };
}

export type Visit = { lcp: number; cls: number; inp: number; tbt: number };

/** Makes the visit; returns `lcp`, `inp`, `tbt` in milliseconds and `cls`. */
export async function visitAsPayer(browser: Browser, url: string, device: BrowserContextOptions): Promise<Visit> {
  const { loading, all } = await throttled(browser, url, device, pay);
  return {
    lcp: paintedAt(loading),
    cls: layoutShift(of(all, 'layout-shift')),
    inp: slowestInteraction(of(all, 'event')),
    tbt: blockingTime(loading),
  };
}

/** Taps the middle of an element by its place: a tap by locator adds listeners of its own, which would be measured. */
async function tap(page: Page, target: Locator) {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to tap.');
  await page.waitForTimeout(stillMilliseconds);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(stillMilliseconds);
}

async function pay(page: Page) {
  const type = async (name: string, text: string) => {
    await tap(page, page.locator(`input[name=${name}]`));
    await page.keyboard.type(text, { delay: keyMilliseconds });
  };
  const button = page.locator('form:has(input[name=card_number]) button[type=submit]');
  await type('card_number', '4111111111111111');
  await type('card_expiry', '0138');
  await type('card_holder', 'Mia Lindqvist');
  // The security code is missing: the form shows the error.
  await tap(page, button);
  await page.locator('input[name=card_cvv][aria-invalid=true]').waitFor();
  await type('card_cvv', '123');
  await tap(page, button);
  await page.waitForURL(/[?&]attempt=1/, { waitUntil: 'load' });
}

function of(observed: Entry[], wanted: string) {
  return observed.filter(({ kind }) => kind === wanted);
}

// The largest session window: shifts less than a second apart, five seconds at most (web.dev, CLS).
function layoutShift(shifts: Entry[]) {
  let [most, sum, first, last] = [0, 0, 0, 0];
  for (const { value, startTime } of shifts.filter(({ hadRecentInput }) => !hadRecentInput)) {
    const goesOn = sum > 0 && startTime - last < 1_000 && startTime - first < 5_000;
    sum = goesOn ? sum + value : value;
    if (!goesOn) first = startTime;
    last = startTime;
    most = Math.max(most, sum);
  }
  return most;
}

// With fewer than 50 interactions the slowest counts. Unreported ones are faster than the observed minimum.
function slowestInteraction(events: Entry[]) {
  const interactions = events.filter(({ interactionId }) => interactionId > 0).map(({ duration }) => duration);
  return Math.max(16, ...interactions);
}

// The time of tasks after the first paint beyond 50 ms each.
function blockingTime(loading: Entry[]) {
  const painted = of(loading, 'paint').find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0;
  return of(loading, 'longtask')
    .filter(({ startTime, duration }) => startTime + duration > painted)
    .reduce(
      (sum, { startTime, duration }) => sum + Math.max(0, startTime + duration - Math.max(startTime, painted) - 50),
      0,
    );
}
