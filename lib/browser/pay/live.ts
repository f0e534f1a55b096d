// The open page follows the server: a payment finished in another tab, an answer of the bank, the
// session's end. Events come as a stream; where there is none, by asking, ever more slowly, and never in
// a tab that nobody sees.
import type { PageData } from '../../core/page-data';
import { announce, clock, fillTime, find } from './dom';

const firstPauseSeconds = 3;
const longestPauseSeconds = 30;
/** The session's end is shown only when it is near. */
const nearSeconds = 300;
const lastSeconds = 10;

function showClosing(seconds: number, closes: string | undefined): void {
  const closing = find('.closing');
  const words = closing && find('p', closing);
  if (!closing || !words || !closes || seconds > nearSeconds) return;
  closing.hidden = false;
  showLeft(closing, words, closes, seconds);
}

/** Writes time left into a part with its sentence and, where it has one, its bar. */
export function showLeft(part: HTMLElement, words: HTMLElement, sentence: string, seconds: number): void {
  part.toggleAttribute('data-last', seconds <= lastSeconds);
  fillTime(words, sentence, clock(seconds));
  const bar = find<HTMLProgressElement>('progress', part);
  if (bar) bar.value = seconds;
  if (seconds === 30 || seconds === lastSeconds) announce(sentence.replace('{time}', clock(seconds)));
}

/** Counts down, telling each second; at the end the server is asked for the page that comes then. */
export function countDown(seconds: number, show: (left: number) => void, end: () => void): void {
  const endsAt = Date.now() + seconds * 1000;
  let shown = -1;
  const step = (): void => {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    if (left !== shown) show(left);
    shown = left;
    if (left > 0) return;
    clearInterval(tick);
    // A second more, so that the server's clock agrees that the time is over.
    setTimeout(end, 1000);
  };
  const tick = setInterval(step, 250);
  step();
}

/** Loads the page again once its version is another one; a payment that is being sent is left alone. */
export function watchState(data: PageData, isBusy: () => boolean): void {
  const live = data.live;
  if (!live) return;
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = firstPauseSeconds;

  const learn = (text: string): void => {
    const { version } = JSON.parse(text) as { version?: string };
    if (version && version !== live.version && !isBusy()) location.replace(data.pageUrl);
  };
  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    if (document.hidden) return;
    const response = await fetch(live.stateUrl, { cache: 'no-store' }).catch(() => null);
    if (response?.ok) learn(await response.text());
    timer = setTimeout(ask, pause * 1000);
    pause = Math.min(longestPauseSeconds, pause * 1.5);
  };
  const listen = (): void => {
    stream?.close();
    stream = new EventSource(live.eventsUrl);
    stream.addEventListener('state', (event) => learn(event.data));
    stream.onerror = () => {
      // A stream that only pauses comes back by itself; a closed one is a network without streams.
      if (stream?.readyState === EventSource.CLOSED) ask();
    };
  };
  const stop = (): void => {
    stream?.close();
    clearTimeout(timer);
  };
  document.addEventListener('visibilitychange', () => {
    stop();
    if (document.hidden) return;
    pause = firstPauseSeconds;
    fetch(live.stateUrl, { cache: 'no-store' })
      .then((response) => response.text())
      .then(learn)
      .catch(() => undefined);
    listen();
  });
  addEventListener('pagehide', stop);
  // A form that the browser sends itself, as the one that cancels, leads on: loading the page again would cross it.
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented) stop();
  });
  if (!document.hidden) listen();
  if (live.secondsLeft !== undefined) {
    countDown(
      live.secondsLeft,
      (left) => showClosing(left, data.closes),
      () => {
        if (!isBusy()) location.replace(data.pageUrl);
      },
    );
  }
}
