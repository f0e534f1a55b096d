// The script of the demo shop's page with hosted fields, as a merchant would write it: requests a token from the shop's
// server, mounts the fields, makes the payment, and logs every message that the page receives.
import { browserInfo } from './fields/browser-info.ts';
import type { HostedFieldFault, HostedFieldName, HostedFields as HostedFieldsClass } from './fields/hosted-fields.d.ts';

type ProcessingResponse = {
  result: string;
  redirect_url?: string;
  redirect_method?: string;
  redirect_params?: Record<string, string>;
  decline_message?: string;
  error_message?: string;
};
type PlacedOrder = {
  id: string;
  number: string;
  token: string;
  step: { path: string; request: string; status: number; response: string };
};
type Data = { checkout: string; returned: { id: string; genuine: boolean } | null };

declare const HostedFields: typeof HostedFieldsClass;

const byId = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const data = JSON.parse(byId('data').textContent ?? '{}') as Data;
const form = byId<HTMLFormElement>('pay');
const button = byId<HTMLButtonElement>('button');
const payLabel = button.textContent ?? '';
const nameInput = byId<HTMLInputElement>('name');

let placedOrder: PlacedOrder | null = null;
let hosted: HostedFieldsClass | null = null;
let isBusy = false;

function addLine(list: string, title: string, ...texts: string[]): void {
  const item = document.createElement('li');
  item.append(Object.assign(document.createElement('b'), { textContent: title }));
  for (const text of texts) item.append(Object.assign(document.createElement('pre'), { textContent: text }));
  byId(list).append(item);
  const log = byId(list).parentElement;
  if (log) log.scrollTop = log.scrollHeight;
}

let messages = 0;
let withDigits = 0;

/** Logs a message as received, and whether it contains two adjacent digits. */
function noteMessage(direction: string, message: unknown): void {
  const text = JSON.stringify(message);
  messages += 1;
  if (/\p{Nd}{2}/u.test(text)) withDigits += 1;
  addLine('messages', direction, text);
  const verdict = byId('digits');
  verdict.dataset.clean = withDigits === 0 ? 'yes' : 'no';
  const count = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
  verdict.textContent = `${count}, ${withDigits === 0 ? 'none' : withDigits} with a number of two or more digits.`;
}

// Every message to this page passes one of these two, whatever its sender.
function tapMessages(): void {
  addEventListener('message', ({ data: message }) => noteMessage('To the window', message));
  const own = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    ...own,
    set(this: MessagePort, handler: (event: MessageEvent) => void) {
      own?.set?.call(this, (event: MessageEvent) => {
        noteMessage('From a field', event.data);
        handler(event);
      });
    },
  });
}

function fieldStyles(): Record<string, Record<string, string>> {
  const { color } = getComputedStyle(document.body);
  const error = getComputedStyle(byId('name-error')).color;
  const soft = getComputedStyle(document.querySelector('.where') as Element).color;
  return {
    input: { color, caretColor: color, fontSize: '16px', padding: '0 14px' },
    'input.invalid': { color: error },
    '::placeholder': { color: soft },
  };
}

function mount(token: string): HostedFieldsClass {
  const made = new HostedFields();
  const box = (field: HostedFieldName) => byId(field).dataset;
  made.on('focus', ({ field }) => {
    box(field).focused = 'yes';
  });
  made.on('blur', ({ field }) => {
    delete box(field).focused;
  });
  made.on('change', ({ field, valid, empty }) => {
    if (valid || empty) showFieldError(field, null);
  });
  made.on('error', ({ faults }) => {
    for (const each of faults) if (each.field !== 'agreement') showFieldError(each.field, each);
  });
  made.on('enter', () => form.requestSubmit());
  made.init({
    sessionToken: token,
    fields: {
      card: { id: 'card', label: 'Card number' },
      expiry: { id: 'expiry', label: 'Expiry date', placeholder: 'MM / YY' },
      cvv: { id: 'cvv', label: 'Security code' },
    },
    style: fieldStyles(),
    language: 'en',
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => made.setStyle(fieldStyles()));
  return made;
}

function showFieldError(field: HostedFieldName, fieldError: HostedFieldFault | null): void {
  byId(`${field}-error`).textContent = fieldError?.message ?? '';
  if (fieldError) byId(field).dataset.invalid = 'yes';
  else delete byId(field).dataset.invalid;
}

function hasNameError(): boolean {
  const isInvalid = nameInput.value.trim().length < 2;
  byId('name-error').textContent = isInvalid ? 'Enter the name on the card.' : '';
  if (isInvalid) nameInput.setAttribute('aria-invalid', 'true');
  else nameInput.removeAttribute('aria-invalid');
  return isInvalid;
}

function busy(state: boolean): void {
  isBusy = state;
  button.textContent = state ? 'Paying' : payLabel;
  button.toggleAttribute('aria-busy', state);
  byId('said').textContent = state ? 'Paying' : '';
}

async function pay(): Promise<void> {
  if (isBusy || !placedOrder || !hosted) return;
  byId('alert').hidden = true;
  busy(true);
  try {
    const lacksName = hasNameError();
    const submitted = await hosted.submit();
    const unseen = 'The card. Scripts of this page cannot see this request.';
    addLine('requests', 'A field to Florin: POST /fields/collect', unseen);
    if (submitted.result === 'error') {
      const [first] = submitted.faults;
      if (first) hosted.focus(first.field);
      else alert(submitted.message);
      return;
    }
    if (lacksName) return nameInput.focus();
    const instrument = { name: nameInput.value.trim(), with_hosted_fields: true };
    await continueWith(placedOrder, await makePayment(placedOrder.token, instrument));
  } catch {
    alert('The connection was lost');
  } finally {
    busy(false);
  }
}

/** The call that makes the payment: with the fields' data or with a wallet's token. */
async function makePayment(token: string, instrument: object): Promise<ProcessingResponse> {
  const body = { ...instrument, selected_language: 'en', browser_info: browserInfo() };
  const path = '/api/v1/processing/purchase/card';
  const response = await fetch(data.checkout + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as ProcessingResponse;
  const received = `${response.status} ${JSON.stringify(answer, null, 2)}`;
  addLine('requests', `This page to Florin: POST ${path}`, JSON.stringify(body, null, 2), received);
  return answer;
}

/** Follows the response of the payment. */
async function continueWith({ id, number }: PlacedOrder, answer: ProcessingResponse): Promise<void> {
  if (answer.result === 'success') return showEnd('good', 'Paid', `Order ${number} is paid.`, id);
  if (answer.result === 'decline') return alert(answer.decline_message ?? 'The payment was declined');
  if (answer.result === 'redirect') return redirect(answer);
  if (answer.result === 'waiting' || answer.result === 'undefined') return watch(id);
  alert(answer.error_message ?? 'The payment could not be made');
}

/** Adds the wallet buttons that this order and this device support. */
async function offerWallets(made: HostedFieldsClass, order: PlacedOrder): Promise<void> {
  made.on('wallet', ({ answer }) => void continueWith(order, answer as ProcessingResponse));
  made.on('error', ({ type, faults, message }) => {
    if (type === 'network' && faults.length === 0) alert(message);
  });
  const shown = await made.wallets({
    id: 'wallets',
    language: 'en',
    pay: (walletToken) => {
      byId('alert').hidden = true;
      return makePayment(order.token, walletToken);
    },
  });
  byId('wallets').hidden = shown.length === 0;
}

/** Redirects the payer as the response says; they return to this page's own address. */
function redirect({ redirect_url, redirect_method, redirect_params }: ProcessingResponse): void {
  const away = document.createElement('form');
  away.method = redirect_method ?? 'GET';
  away.action = redirect_url ?? '';
  // The fields of a GET form replace the query of its address.
  const query = away.method === 'get' ? [...new URL(away.action).searchParams] : [];
  for (const [name, value] of [...query, ...Object.entries(redirect_params ?? {})]) {
    away.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(away);
  away.submit();
}

function alert(text: string): void {
  byId('alert-title').textContent = text;
  byId('alert').hidden = false;
  byId('alert-title').focus();
}

function showEnd(kind: 'good' | 'bad' | 'open', title: string, text: string, id: string): void {
  const outcome = byId('outcome');
  outcome.dataset.kind = kind;
  outcome.hidden = false;
  form.hidden = true;
  byId('outcome-title').textContent = title;
  byId('outcome-text').textContent = text;
  byId<HTMLAnchorElement>('outcome-order').href = `/shop/${id}`;
  byId('outcome-title').focus();
}

const pollMilliseconds = 1000;
const pollsMax = 120;

/** Polls the order's callbacks until its state is final. */
async function watch(id: string): Promise<void> {
  showEnd('open', 'Waiting for the bank', 'Do not pay again yet. The bank has not answered yet.', id);
  for (let polls = 0; polls < pollsMax; polls += 1) {
    const order = await fetch(`/sandbox/shop/orders/${id}`).then((response) => response.json());
    if (order.state === 'settled') return showEnd('good', 'Paid', `Order ${order.number} is paid.`, id);
    if (order.state === 'decline') return showEnd('bad', 'Not paid', 'The bank declined this payment.', id);
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
}

async function open(): Promise<void> {
  const response = await fetch('/sandbox/shop/fields/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const answer = (await response.json()) as PlacedOrder & { error?: { message: string } };
  if (answer.error) return alert(answer.error.message);
  placedOrder = answer;
  const { path, request, status, response: responseText } = answer.step;
  addLine('requests', `The shop's server to Florin: POST ${path}`, request, `${status} ${responseText}`);
  hosted = mount(answer.token);
  await offerWallets(hosted, answer);
  nameInput.addEventListener('input', () => nameInput.hasAttribute('aria-invalid') && hasNameError());
}

const unconfirmed = 'The signature of this address is invalid: it proves no payment.';

function begin(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void pay();
  });
  byId('again').addEventListener('click', () => location.assign(location.pathname));
  const { returned } = data;
  if (returned) {
    // The signature is valid once only, so it is removed from the address before a bookmark can contain it.
    history.replaceState(null, '', location.pathname);
    addLine('requests', 'The payer returned', `Signature of the address: ${returned.genuine ? 'valid' : 'invalid'}`);
    if (returned.genuine) void watch(returned.id);
    else showEnd('bad', 'Payment not confirmed', unconfirmed, returned.id);
    return;
  }
  tapMessages();
  void open();
}

begin();
