// Paying without a reload: the form goes by fetch and the answer says what comes next. Whatever is not
// understood ends in loading the page again, because the server's state is the only truth about money.
import type { AlertText, PageData, SubmitResult } from '../../core/page-data';
import { startCardFields } from './card-fields';
import { checkForm, controlsOf, showError, startChecks } from './checks';
import { find, findAll } from './dom';
import { startStates } from './states';

type FormTexts = NonNullable<PageData['form']>;

/** A provider may take its time; beyond this the page asks for the state instead of waiting on. */
const answerSeconds = 90;

/** What a 3-D Secure request wants to know of the browser, under the names of the session's browser data. */
function browserFields(): Record<string, string> {
  return {
    browser_color_depth: String(screen.colorDepth),
    browser_screen_height: String(screen.height),
    browser_screen_width: String(screen.width),
    browser_timezone_offset: String(new Date().getTimezoneOffset()),
    browser_language: navigator.language,
    browser_java_enabled: 'false',
    browser_javascript_enabled: 'true',
  };
}

function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  const button = find<HTMLButtonElement>('button[type=submit]', form);
  const label = button && find('span:last-child', button);
  if (!button || !label) return;
  if (isBusy) {
    button.dataset.label = label.textContent ?? '';
    label.textContent = button.dataset.busy ?? '';
    button.setAttribute('aria-busy', 'true');
  } else {
    label.textContent = button.dataset.label ?? '';
    button.removeAttribute('aria-busy');
  }
}

function showAlert(kind: string, heading: string, text: string): HTMLElement | null {
  const alert = document.getElementById('alert');
  const title = alert && find('h2', alert);
  const words = alert && find('p', alert);
  if (!alert || !title || !words) return null;
  alert.dataset.kind = kind;
  title.textContent = heading;
  words.textContent = text;
  alert.hidden = false;
  return title;
}

function hideAlert(): void {
  const alert = document.getElementById('alert');
  if (alert) alert.hidden = true;
}

function showDecline(form: HTMLFormElement, alert: AlertText): HTMLElement | null {
  document.title = alert.title;
  const heading = document.getElementById('ways-heading');
  if (heading) heading.textContent = alert.formHeading;
  const button = find('button[type=submit] span:last-child', form);
  if (button && alert.button) button.textContent = alert.button;
  for (const control of controlsOf(form)) {
    if (!alert.clears.includes(control.name)) continue;
    control.value = '';
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return showAlert('decline', alert.heading, alert.text);
}

/** Shows what the server found; the focus goes to the first field at fault, else to the alert's heading. */
export function showAnswer(form: HTMLFormElement, answer: Extract<SubmitResult, { next: 'stay' }>): void {
  for (const [name, value] of Object.entries(answer.hidden ?? {})) {
    for (const input of findAll<HTMLInputElement>(`input[type=hidden][name="${CSS.escape(name)}"]`))
      input.value = value;
  }
  hideAlert();
  let target = answer.alert ? showDecline(form, answer.alert) : null;
  let isField = false;
  for (const control of controlsOf(form)) {
    const text = answer.errors[control.name] ?? answer.alert?.errors[control.name] ?? '';
    showError(control, text);
    if (text && !isField) {
      target = control;
      isField = true;
    }
  }
  target?.focus();
  if (answer.alert) document.getElementById('alert')?.scrollIntoView({ block: 'nearest' });
}

/** Lets the browser show what has changed before what comes next is worked on. */
const shown = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done);
  });

/** Sends a form; the answer says what comes next. */
export async function send(form: HTMLFormElement, more: Record<string, string> = {}): Promise<SubmitResult> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  for (const [name, value] of Object.entries({ ...browserFields(), ...more })) body.set(name, value);
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body,
    signal: AbortSignal.timeout(answerSeconds * 1000),
  });
  const answer = (await response.json()) as SubmitResult;
  return ['go', 'stay', 'post'].includes(answer?.next) ? answer : { next: 'reload' };
}

/** What a fault of a request means for the page. */
export function failed(fault: unknown, data: PageData, texts: FormTexts): void {
  // A broken connection is a TypeError; a timeout or an answer that is no JSON means the server was reached.
  if (fault instanceof TypeError) showOffline(data, texts);
  else location.replace(data.pageUrl);
}

/** The request left and no answer came: nobody may pay again before the server has said what it knows. */
function showOffline(data: PageData, texts: FormTexts): void {
  const heading = showAlert('unknown', texts.offline.heading, texts.offline.text);
  const check = find('#alert .check');
  if (check) check.hidden = false;
  heading?.focus();
  addEventListener('online', () => location.replace(data.pageUrl));
}

/** Whether a payment is being sent, by whichever of the page's forms. */
export type Busy = { now: boolean };

/** Starts every form of the page. */
export function startForm(data: PageData, texts: FormTexts, busy: Busy): void {
  for (const form of findAll<HTMLFormElement>('form[data-pay]')) {
    form.noValidate = true;
    startCardFields(form, texts.code);
    startChecks(form, texts);
    startStates(form, texts);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (busy.now || !checkForm(form, texts)) return;
      busy.now = true;
      setBusy(form, true);
      try {
        await shown();
        const answer = await send(form);
        if (answer.next === 'go') location.assign(answer.url);
        else if (answer.next === 'post') form.submit();
        else if (answer.next === 'reload') location.replace(data.pageUrl);
        else {
          setBusy(form, false);
          showAnswer(form, answer);
          busy.now = false;
        }
      } catch (fault) {
        failed(fault, data, texts);
      }
    });
  }
}
