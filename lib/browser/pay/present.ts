// The screens of a payment that is finished elsewhere: time left, buttons that copy, and the one-time code.

import { digitsOf } from '../../core/cards';
import type { PageData } from '../../core/page-data';
import { showError } from './checks';
import { announce, find, findAll } from './dom';
import { countDown, showLeft } from './live';

/** Longer than an hour is no countdown: the moment in the document says more. */
const countedSeconds = 3600;
/** What a bar stands for when it is full: the shortest of these that holds the time left. */
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

/** Copies, by selecting the value where the browser keeps its clipboard from a page in a frame. */
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
    // A second press would use up one of the few tries.
    if (isEmpty || button.hasAttribute('aria-busy')) event.preventDefault();
    else button.setAttribute('aria-busy', 'true');
  });
  input.addEventListener('input', () => {
    const text = digitsOf(input.value);
    if (text !== input.value) input.value = text;
    if (text) showError(input, '');
  });
}

/** Starts what is there; each part stands in some of the screens only. */
export function startPresent(data: PageData): void {
  const seconds = data.stepSecondsLeft ?? 0;
  if (seconds > 0 && seconds <= countedSeconds) startCountdown(data, seconds);
  startCopying();
  startOneTimeCode();
}
