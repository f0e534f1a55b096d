// Pays without a reload: sends the form and follows the response, which is the page itself if it is final. An unexpected
// response reloads the page, because only the server's state is reliable about money.
import type { AlertText, PageData, SubmitResult } from '../../core/page-data.ts';
import { browserInfo } from '../fields/browser-info.ts';
import { startAddress } from './address.ts';
import { startFormats } from './card-fields.ts';
import { checkForm, controlsOf, showError, startChecks } from './checks.ts';
import { find, findAll, readPageData } from './dom.ts';
import { showFinal } from './final.ts';

type FormTexts = NonNullable<PageData['form']>;

/** A provider may take long; after this time the page reads the state instead of waiting on. */
const answerSeconds = 90;

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

/** Shows the errors of a response; the focus goes to the first invalid field, else to the alert's heading. */
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

/** Lets the browser paint before the next work. */
const shown = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done);
  });

/** The response to a form; a final page is in it. */
export type Answer = SubmitResult | { next: 'show'; page: Document; data: PageData };

/** Sends a form; the response contains the next step. */
export function send(form: HTMLFormElement, more: Record<string, string> = {}): Promise<Answer> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  // The browser itself sends its name with the request.
  const { user_agent: _sent, ...browser } = browserInfo();
  for (const [name, value] of Object.entries(browser)) body.set(`browser_${name}`, String(value));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  // Not fetch: the page's policy forbids markup from text, but not a response that the browser itself parses. Its styles
  // need the nonce of the page that shows them.
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.setRequestHeader('accept', 'application/json');
  request.setRequestHeader('page-nonce', find('style')?.nonce ?? '');
  request.timeout = answerSeconds * 1000;
  request.onreadystatechange = () => {
    if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return;
    request.responseType = request.getResponseHeader('content-type')?.includes('html') ? 'document' : 'json';
  };
  return new Promise((done, fail) => {
    request.onload = () => done(answerOf(request.response));
    request.onerror = () => fail(new TypeError());
    request.ontimeout = fail;
    request.send(body);
  });
}

function answerOf(response: Document | SubmitResult | null): Answer {
  if (response instanceof Document) {
    const data = readPageData(response);
    return data ? { next: 'show', page: response, data } : { next: 'reload' };
  }
  return response && ['go', 'stay', 'post'].includes(response.next) ? response : { next: 'reload' };
}

/** Handles a failed request. */
export function failed(error: unknown, data: PageData, texts: FormTexts): void {
  // A broken connection is a TypeError; a timeout or a response other than JSON means that the server was reached.
  if (error instanceof TypeError) showOffline(data, texts);
  else location.replace(data.pageUrl);
}

/** The request was sent and got no response: paying again is unsafe until the server has reported the state. */
function showOffline(data: PageData, texts: FormTexts): void {
  const heading = showAlert('unknown', texts.offline.heading, texts.offline.text);
  const check = find('#alert .check');
  if (check) check.hidden = false;
  // Nothing can be paid before the outcome is known.
  for (const part of findAll('.ways, .wallets, form[data-pay]')) part.hidden = true;
  heading?.focus();
  addEventListener('online', () => location.replace(data.pageUrl));
  void reloadWhenReachable(data);
}

/** Asks at growing intervals whether the server answers again, and then reads the page from it. */
async function reloadWhenReachable(data: PageData): Promise<void> {
  for (let pause = 3; ; pause = Math.min(30, pause * 1.5)) {
    await new Promise((done) => setTimeout(done, pause * 1000));
    if (!document.hidden && (await isReachable(data))) return location.replace(data.pageUrl);
  }
}

async function isReachable({ live, pageUrl }: PageData): Promise<boolean> {
  const response = await fetch(live?.stateUrl ?? pageUrl, { cache: 'no-store' }).catch(() => null);
  return response !== null && response.status < 500;
}

/** Opens the page after a payment. A server that stops after its answer would leave the browser's own error page. */
export async function goOn(url: string, data: PageData, texts: FormTexts): Promise<void> {
  if (await isReachable(data)) location.assign(url);
  else showOffline(data, texts);
}

/** Whether any of the page's forms is sending a payment. */
export type Busy = { now: boolean };

/** Starts every form of the page. */
export function startForm(data: PageData, texts: FormTexts, busy: Busy): void {
  for (const form of findAll<HTMLFormElement>('form[data-pay]')) {
    form.noValidate = true;
    startFormats(form, texts.code);
    startChecks(form, texts);
    startAddress(form, texts);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (busy.now || !checkForm(form, texts)) return;
      busy.now = true;
      setBusy(form, true);
      try {
        await shown();
        const answer = await send(form);
        if (answer.next === 'show') showFinal(answer.page, answer.data);
        else if (answer.next === 'go') await goOn(answer.url, data, texts);
        else if (answer.next === 'post') form.submit();
        else if (answer.next === 'reload') location.replace(data.pageUrl);
        else {
          setBusy(form, false);
          showAnswer(form, answer);
          busy.now = false;
        }
      } catch (error) {
        failed(error, data, texts);
      }
    });
  }
}
