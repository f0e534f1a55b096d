// The only script of a payer's page. The page is complete without it; the script adds formatting and checks while
// typing, payment without a reload, and live updates. It never builds markup from text, so the page can forbid that
// (Trusted Types).
import { readPageData } from './pay/dom.ts';
import { isFirstVisit, startFinal } from './pay/final.ts';
import { startForm } from './pay/form.ts';
import { startPresent, watchState } from './pay/live.ts';
import {
  leaveFrame,
  openQuestions,
  sendAtOnce,
  showLocalTimes,
  startMethodSearch,
  startTestBar,
  watchNewWindow,
} from './pay/parts.ts';
import { startWallets } from './pay/wallets.ts';

const data = readPageData();
if (data) {
  document.documentElement.classList.add('scripted');
  showLocalTimes();
  startTestBar();
  if (data.state === 'frameReturn') leaveFrame(data.pageUrl);
  openQuestions();
  // A payer who comes back from the provider is not sent there again. News of the attempt that the form begins does not
  // reload the page before the answer to the form arrives.
  const busy = { now: (data.state !== 'redirecting' || isFirstVisit()) && sendAtOnce() };
  if (data.form) {
    startForm(data, data.form, busy);
    startWallets(data, data.form, busy);
    startMethodSearch();
  }
  if (data.state === 'challenge') watchNewWindow();
  if (data.state === 'present') startPresent(data);
  startFinal(data, isFirstVisit());
  if (data.live) watchState(data, () => busy.now);
  // A page restored from the browser's history may be outdated, so the server's state is read.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}
