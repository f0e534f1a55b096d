// Follows the server's state: a payment completed in another tab, a bank's response, the session's end. Uses an event
// stream; without one it polls at growing intervals, and never in a hidden tab. Starts the screens of a payment that is
// completed elsewhere: remaining time, copy buttons, and the one-time code.
import { digitsOf } from '../../core/cards.ts';
import type { PageData } from '../../core/page-data.ts';
import { showError } from './checks.ts';
import { announce, clock, fillTime, find, findAll } from './dom.ts';

const firstPauseSeconds = 3;
const longestPauseSeconds = 30;
/** The session's end is shown only if it is this near. */
const nearSeconds = 300;
const lastSeconds = 10;
/** A form with typed values waits this long for a change to last: another tab's attempt may be declined at once. */
const lastingSeconds = 5;

const hasTypedValues = (): boolean =>
  findAll<HTMLInputElement>('form input').some(
    ({ type, value, defaultValue }) => type !== 'hidden' && value !== defaultValue,
  );

function showClosing(seconds: number, closes: string | undefined): void {
  const closing = find('.closing');
  const words = closing && find('p', closing);
  if (!closing || !words || !closes || seconds > nearSeconds) return;
  closing.hidden = false;
  showLeft(closing, words, closes, seconds);
}

/** Writes the remaining time into an element with its sentence and, if it has one, its bar. */
function showLeft(part: HTMLElement, words: HTMLElement, sentence: string, seconds: number): void {
  part.toggleAttribute('data-last', seconds <= lastSeconds);
  fillTime(words, sentence, clock(seconds));
  const bar = find<HTMLProgressElement>('progress', part);
  if (bar) bar.value = seconds;
  if (seconds === 30 || seconds === lastSeconds) announce(sentence.replace('{time}', clock(seconds)));
}

/** Counts down and calls `show` each second; at the end the page is read from the server again. */
function countDown(seconds: number, show: (left: number) => void, end: () => void): void {
  const endsAt = Date.now() + seconds * 1000;
  let shown = -1;
  const step = (): void => {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    if (left !== shown) show(left);
    shown = left;
    if (left > 0) return;
    clearInterval(tick);
    // One more second, so that the server's clock has passed the end too.
    setTimeout(end, 1000);
  };
  const tick = setInterval(step, 250);
  step();
}

const watching = new AbortController();

/** Stops following the server's state: the page is final. */
export const stopWatching = (): void => watching.abort();

/** Reloads the page when its version changes, except while a payment is being sent. */
export function watchState(data: PageData, isBusy: () => boolean): void {
  const live = data.live;
  if (!live) return;
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = firstPauseSeconds;
  let change: ReturnType<typeof setTimeout> | undefined;

  const reload = (): void => {
    change = undefined;
    if (!isBusy()) location.replace(data.pageUrl);
  };
  const stay = (): void => {
    clearTimeout(change);
    change = undefined;
  };
  const applyState = (text: string): void => {
    const { version } = JSON.parse(text) as { version?: string };
    if (!version) return;
    if (version === live.version) stay();
    else change ??= setTimeout(reload, hasTypedValues() ? lastingSeconds * 1000 : 0);
  };
  const poll = async (): Promise<void> => {
    clearTimeout(timer);
    if (document.hidden) return;
    const response = await fetch(live.stateUrl, { cache: 'no-store' }).catch(() => null);
    if (response?.ok) applyState(await response.text());
    if (signal.aborted) return;
    timer = setTimeout(poll, pause * 1000);
    pause = Math.min(longestPauseSeconds, pause * 1.5);
  };
  const listen = (): void => {
    stream?.close();
    stream = new EventSource(live.eventsUrl);
    stream.addEventListener('state', (event) => applyState(event.data));
    stream.onerror = () => {
      // An interrupted stream reconnects by itself; a closed one means a network without streams.
      if (stream?.readyState === EventSource.CLOSED) void poll();
    };
  };
  const stop = (): void => {
    stream?.close();
    clearTimeout(timer);
    stay();
  };
  const { signal } = watching;
  signal.addEventListener('abort', stop);
  const changeVisibility = (): void => {
    stop();
    if (document.hidden) return;
    pause = firstPauseSeconds;
    fetch(live.stateUrl, { cache: 'no-store' })
      .then((response) => response.text())
      .then(applyState)
      .catch(() => undefined);
    listen();
  };
  document.addEventListener('visibilitychange', changeVisibility, { signal });
  addEventListener('pagehide', stop);
  // A form that the browser submits itself, such as Cancel, navigates: a reload would interrupt it.
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented) stop();
  });
  if (!document.hidden) listen();
  if (live.secondsLeft !== undefined) {
    countDown(live.secondsLeft, (left) => showClosing(left, data.closes), reload);
  }
}

/** Times over an hour have no countdown; the document shows the expiry time. */
const countedSeconds = 3600;
/** The possible full lengths of a bar: the shortest one that contains the remaining time is used. */
const fullSeconds = [60, 120, 300, 600, 900, 1800, countedSeconds];
const copiedSeconds = 2;

function startCountdown(data: PageData, seconds: number): void {
  const parts = findAll('[data-left]').map((words) => ({
    words,
    part: words.closest<HTMLElement>('.time-left') ?? words,
  }));
  const full = fullSeconds.find((one) => one >= seconds) ?? countedSeconds;
  for (const { part } of parts) {
    const bar = find<HTMLProgressElement>('progress', part);
    if (!bar) continue;
    bar.max = full;
    bar.hidden = false;
  }
  const show = (left: number): void => {
    for (const { part, words } of parts) showLeft(part, words, words.dataset.left ?? '', left);
  };
  countDown(seconds, show, () => location.replace(data.pageUrl));
}

/** Copies the text, or selects the value if the browser denies the clipboard to a page in a frame. */
async function copy(text: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}

function startCopying(): void {
  for (const button of findAll<HTMLButtonElement>('.copy')) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    button.addEventListener('click', async () => {
      const row = button.closest('.copy-row') ?? document;
      if (!(await copy(button.dataset.copy ?? '', find('.value', row)))) return;
      button.dataset.done = '';
      announce(`${find('dt', row)?.textContent}: ${find('.done', button)?.textContent}`);
      clearTimeout(timer);
      timer = setTimeout(() => delete button.dataset.done, copiedSeconds * 1000);
    });
  }
}

function startOneTimeCode(): void {
  const form = find<HTMLFormElement>('form[data-otp]');
  const input = form && find<HTMLInputElement>('[name=code]', form);
  const button = form && find<HTMLButtonElement>('button', form);
  if (!form || !input || !button) return;
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    const isEmpty = input.value.trim() === '';
    if (isEmpty) {
      showError(input, button.dataset.empty ?? '');
      input.focus();
    }
    // A second press would use one of the few attempts.
    if (isEmpty || button.hasAttribute('aria-busy')) event.preventDefault();
    else button.setAttribute('aria-busy', 'true');
  });
  input.addEventListener('input', () => {
    const text = digitsOf(input.value);
    if (text !== input.value) input.value = text;
    if (text) showError(input, '');
  });
}

/** Starts the parts that this screen has. */
export function startPresent(data: PageData): void {
  const seconds = data.stepSecondsLeft ?? 0;
  if (seconds > 0 && seconds <= countedSeconds) startCountdown(data, seconds);
  startCopying();
  startOneTimeCode();
}
