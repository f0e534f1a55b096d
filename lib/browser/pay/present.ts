// Starts the screens of a payment that is completed elsewhere: remaining time, copy buttons, and the one-time code.

import { digitsOf } from '../../core/cards.ts';
import type { PageData } from '../../core/page-data.ts';
import { showError } from './checks.ts';
import { announce, find, findAll } from './dom.ts';
import { countDown, showLeft } from './live.ts';

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
