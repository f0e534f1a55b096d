// The one script of a payer's page. The page is complete without it; this adds grouping and checks while
// typing, paying without a reload, and a page that follows what the server learns. No markup is ever
// built from text, so the page can forbid it (Trusted Types).
import { readPageData } from './pay/dom';
import { startForm } from './pay/form';
import { followState } from './pay/live';
import { startReceipt } from './pay/receipt';
import { leaveFrame, sendAtOnce, showLocalTimes, watchNewWindow } from './pay/steps';
import { startTestBar } from './pay/test-bar';

const data = readPageData();
if (data) {
  document.documentElement.classList.add('scripted');
  showLocalTimes();
  startTestBar();
  if (data.state === 'frameReturn') leaveFrame(data.pageUrl);
  sendAtOnce();
  const isBusy = data.form ? startForm(data, data.form) : () => false;
  if (data.state === 'challenge') watchNewWindow();
  if (data.countdown) startReceipt(data.countdown);
  if (data.live) followState(data, isBusy);
  // A page out of the browser's history shows what was; the server knows what is.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}
