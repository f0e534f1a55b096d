// Small functions for the pages between the form and the end.
import { find, findAll } from './dom';

/** Submits the form that leads to a bank or a provider. */
export function sendAtOnce(): void {
  find<HTMLFormElement>('form[data-auto]')?.submit();
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
    const clock = { hour: '2-digit', minute: '2-digit' } as const;
    const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
    const form = element.dataset.form === 'time' ? clock : { ...day, ...clock };
    element.textContent = new Intl.DateTimeFormat(intl, form).format(new Date(element.dateTime));
  }
}
