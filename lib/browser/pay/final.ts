// The final pages: printing and the countdown of a receipt, and a final page that came with the answer to the payment.
import type { PageData } from '../../core/page-data.ts';
import { find, findAll } from './dom.ts';
import { stopWatching } from './live.ts';
import { showLocalTimes } from './parts.ts';

/** Leaving a shop's frame requires a click. */
const leavesFrame = (link: HTMLAnchorElement): boolean => Boolean(link.target) && window.top !== window.self;

/** Prints the receipt, which a browser can also save as a PDF. */
function startPrinting(): void {
  const button = find<HTMLButtonElement>('button.print');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

/** Counts from the last sentence of `sentences` down to the first, then follows the return link. */
function startCountdown(sentences: string[]): void {
  const box = find('.countdown');
  const words = box && find('p', box);
  const link = find<HTMLAnchorElement>('a[data-return]');
  if (!box || !words || !link || leavesFrame(link) || link.target === '_blank') return;
  let seconds = sentences.length - 1;
  box.hidden = false;
  words.textContent = sentences[seconds] ?? '';
  const tick = setInterval(() => {
    if (document.hidden) return;
    seconds -= 1;
    words.textContent = sentences[Math.max(0, seconds)] ?? '';
    if (seconds > 0) return;
    clearInterval(tick);
    location.assign(link.href);
  }, 1000);
  const stay = (): void => {
    clearInterval(tick);
    box.hidden = true;
  };
  find('button', box)?.addEventListener('click', () => {
    stay();
    link.focus();
  });
  find('.send')?.addEventListener('click', stay);
}

/** Whether the payer has come to this page for the first time. One who comes back to the receipt wants to read it. */
export function isFirstVisit(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !visit || visit.type === 'navigate';
}

/** Starts a final page; `leads`: it leads on to the shop by itself. */
export function startFinal(data: PageData, leads: boolean): void {
  if (data.state === 'receipt') startPrinting();
  if (data.countdown && leads) startCountdown(data.countdown);
}

/** Puts a final page in the place of this one, without another request; its scripts are this page's. */
export function showFinal(page: Document, data: PageData): void {
  stopWatching();
  history.replaceState(null, '', data.pageUrl);
  // The redirect of a cancelled session would not know that this document is in a frame.
  const leaves = find('meta[http-equiv=refresh]', page);
  for (const part of [leaves, ...findAll('script', page)]) part?.remove();
  document.head.replaceChildren(...page.head.childNodes);
  document.body.replaceWith(page.body);
  showLocalTimes();
  startFinal(data, true);
  scrollTo(0, 0);
  const heading = find('h1');
  if (heading) heading.tabIndex = -1;
  heading?.focus();
  const link = find<HTMLAnchorElement>('a[data-return]');
  if (leaves && link && !leavesFrame(link)) location.replace(link.href);
}
