// Small services to the pages between the form and the end.
import { find, findAll } from './dom';

/** Sends the form that leads on to a bank or a provider. */
export function sendAtOnce(): void {
  find<HTMLFormElement>('form[data-auto]')?.submit();
}

/** Inside the challenge's frame, once the bank has sent the browser back: loads the page around the frame again. */
export function leaveFrame(pageUrl: string): void {
  const outer = window.parent !== window ? window.parent : window;
  outer.location.replace(pageUrl);
}

/** A challenge opened in a window of its own leaves the frame, because a bank knows only one at a time. */
export function watchNewWindow(): void {
  find('[data-elsewhere]')?.addEventListener('click', () => {
    find('iframe')?.remove();
    const words = find('.frame p');
    if (words) words.hidden = false;
  });
}

/** Shows every instant in the payer's own time zone. */
export function showLocalTimes(): void {
  const intl = document.documentElement.dataset.intl;
  for (const element of findAll<HTMLTimeElement>('time[data-form]')) {
    const clock = { hour: '2-digit', minute: '2-digit' } as const;
    const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
    const form = element.dataset.form === 'time' ? clock : { ...day, ...clock };
    element.textContent = new Intl.DateTimeFormat(intl, form).format(new Date(element.dateTime));
  }
}
