// The small parts of the payer's pages: redirects and the challenge frame, local times, the search for a method, and the
// sandbox's test bar.

import { isFound } from '../../core/method-search.ts';
import { find, findAll } from './dom.ts';

/** Submits the form that leads to a bank or a provider; false without one. */
export function sendAtOnce(): boolean {
  const form = find<HTMLFormElement>('form[data-auto]');
  form?.submit();
  return form !== null;
}

/** Opens the question to which a link leads, also in browsers that do not open it themselves. */
export function openQuestions(): void {
  for (const link of findAll('a[href="#leave"]'))
    link.addEventListener('click', () => find('#leave')?.parentElement?.setAttribute('open', ''));
}

/** Reloads the page around the challenge frame after the bank's return. */
export function leaveFrame(pageUrl: string): void {
  const outer = window.parent !== window ? window.parent : window;
  outer.location.replace(pageUrl);
}

/** Closes the challenge frame once the challenge is open in a new window, because a bank accepts only one at a time. */
export function watchNewWindow(): void {
  find('[data-elsewhere]')?.addEventListener('click', () => {
    find('iframe')?.remove();
    const words = find('.frame p');
    if (words) words.hidden = false;
  });
}

/** Shows every time in the payer's time zone. */
export function showLocalTimes(): void {
  const intl = document.documentElement.dataset.intl;
  for (const element of findAll<HTMLTimeElement>('time[data-form]')) {
    const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
    const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
    const form = element.dataset.form === 'time' ? clock : { ...day, ...clock };
    element.textContent = new Intl.DateTimeFormat(intl, form).format(new Date(element.dateTime));
  }
}

/** Filters the folded methods while the payer types; Enter opens the only one that is left. */
export function startMethodSearch(): void {
  const form = find<HTMLFormElement>('form.find');
  const input = form && find<HTMLInputElement>('#find', form);
  const found = form && find('#found', form);
  if (!form || !input || !found) return;
  const rows = findAll('.more .row');
  const shownNames = findAll('.ways > .row .method').map((name) => name.textContent ?? '');
  const matching = (): HTMLElement[] => rows.filter(({ dataset }) => isFound(dataset.words ?? '', input.value.trim()));
  input.addEventListener('input', () => {
    const matches = matching();
    for (const row of rows) row.hidden = !matches.includes(row);
    const isEmpty = matches.length === 0 && !shownNames.some((name) => isFound(name, input.value.trim()));
    found.textContent = isEmpty ? (found.dataset.none ?? '') : '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [first, ...others] = matching();
    if (first && others.length === 0) find('a', first)?.click();
  });
}

/** Starts the bar, if the page has one. */
export function startTestBar(): void {
  const bar = find('.test-bar');
  if (!bar) return;
  bar.addEventListener('change', (event) => {
    const { dataset, nextElementSibling } = event.target as HTMLInputElement;
    const form = findAll<HTMLFormElement>('form[data-pay]').find((one) => find('[name=card_number]', one));
    if (!form) return;
    find<HTMLInputElement>(`input[name=way][value="${CSS.escape(form.dataset.pay ?? '')}"]`)?.click();
    for (const name of ['number', 'expiry', 'cvv']) {
      const input = find<HTMLInputElement>(`[name=card_${name}]`, form);
      if (!input) continue;
      input.value = dataset[name] ?? '';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const holder = find<HTMLInputElement>('[name=card_holder]', form);
    if (holder && !holder.value) holder.value = 'Test Payer';
    const summary = find('summary', bar);
    if (summary) {
      summary.textContent = (summary.dataset.outcome ?? '').replace('{outcome}', nextElementSibling?.textContent ?? '');
    }
  });
}
