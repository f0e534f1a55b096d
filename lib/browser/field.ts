// The script inside a hosted field's frame. It accepts one connection, from its parent window, and then talks to the
// merchant's page through that port only. Frames of one mount share an origin and reach each other directly, so card
// data goes from frame to frame and to the service, never through the merchant's page.
import { brandById, brandOf, digitsOf, groupDigits } from '../core/cards.ts';
import { typedFieldError } from '../methods/fields.ts';
import type {
  HostedFieldsFailure as FailureCode,
  HostedFieldFault as FieldError,
  HostedFieldName as FieldName,
} from './fields/hosted-fields.d.ts';
import { rulesOf } from './fields/style.ts';
import { type Connect, type FromFrame, fieldNames, frameName, type ToFrame } from './fields/wire.ts';
import { expiryText, rewrite } from './pay/card-fields.ts';
import { isHistory, remember, startUndo } from './pay/undo.ts';

type Texts = { [code: string]: string };
const input = document.getElementById('field') as HTMLInputElement;
const messageElement = document.getElementById('said') as HTMLElement;
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Texts;
const field = document.documentElement.dataset.field as FieldName;
const wireName = { card: 'card_number', expiry: 'card_expiry', cvv: 'card_cvv' } as const;

/** The interface of a frame for its siblings; only documents of this origin can reach it. */
type Sibling = {
  channel: string;
  value: () => string;
  currentError: () => FieldError | null;
  show: () => FieldError | null;
  showError: (error: FieldError | null) => void;
  fill: (text: string) => void;
  brandIs: (number: string) => void;
};

let connected: Connect | null = null;
let port: MessagePort | null = null;

const postToPage = (message: FromFrame): void => port?.postMessage(message);

function siblingOf(name: FieldName): Sibling | null {
  if (!connected) return null;
  try {
    const frame = (parent as unknown as { [name: string]: Window | undefined })[frameName(connected.channel, name)];
    const sibling = (frame as unknown as { florinField?: Sibling } | undefined)?.florinField;
    return sibling?.channel === connected.channel ? sibling : null;
  } catch {
    // A frame of another origin with that name.
    return null;
  }
}

function currentError(): FieldError | null {
  const error = typedFieldError(wireName[field], input.value, { cardNumber: cardNumber(), now: new Date() });
  if (!error) return null;
  const code = error.key.replace('error.', '');
  const count = error.values?.count;
  return { field, code, message: texts[count === undefined ? code : `${code}:${count}`] ?? texts[code] ?? '' };
}

/** Shows, announces and marks the field's error; marks a valid field as such. */
function show(): FieldError | null {
  const error = currentError();
  showError(error);
  return error;
}

function showError(error: FieldError | null): void {
  messageElement.textContent = error?.message ?? '';
  input.toggleAttribute('data-valid', !error);
  if (error) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function format(isDeleting: boolean): void {
  if (field === 'card') rewrite(input, groupDigits(input.value));
  if (field === 'expiry') rewrite(input, expiryText(input.value, isDeleting));
  if (field === 'cvv') rewrite(input, digitsOf(input.value).replace(/\D/g, '').slice(0, codeLength()));
}

function changed(event?: Event): void {
  if (!isHistory(event)) format(event instanceof InputEvent && event.inputType.startsWith('delete'));
  remember(input, event);
  if (field === 'card') for (const name of ['cvv', 'expiry'] as const) siblingOf(name)?.brandIs(input.value);
  const empty = input.value.trim() === '';
  const valid = !currentError();
  if (valid || empty) {
    input.removeAttribute('aria-invalid');
    messageElement.textContent = '';
  }
  input.toggleAttribute('data-valid', valid);
  postToPage({ type: 'change', valid, empty, brand: field === 'card' ? (brandOf(input.value)?.id ?? null) : null });
}

function codeLength(): number {
  return brandOf(cardNumber())?.code.length ?? 4;
}

/** The card number in this mount, if any; it decides the length of the code. */
function cardNumber(): string {
  return field === 'card' ? input.value : (siblingOf('card')?.value() ?? '');
}

function fill(text: string): void {
  input.value = text;
  changed();
}

// Browsers autofill a whole card into the number's document: the other values are passed to their frames.
for (const [id, name] of [
  ['fill-expiry', 'expiry'],
  ['fill-cvv', 'cvv'],
] as const) {
  const spare = document.getElementById(id) as HTMLInputElement | null;
  spare?.addEventListener('input', () => {
    siblingOf(name)?.fill(spare.value);
    spare.value = '';
  });
}

let isSubmitting = false;
const timeoutMilliseconds = 30_000;

async function submit(token: string, turn: number): Promise<void> {
  const end = (code: FailureCode, message = '', fieldErrors: FieldError[] = []) =>
    postToPage({ type: 'submit', turn, result: 'error', code, message, faults: fieldErrors });
  if (isSubmitting) return end('busy', texts.busy);
  const fields = connected?.fields ?? [];
  const all = fields.map((name) => ({ name, sibling: name === field ? siblingApi : siblingOf(name) }));
  if (all.some(({ sibling }) => !sibling)) return end('setup', texts.missing);
  const fieldErrors = all.flatMap(({ sibling }) => sibling?.show() ?? []);
  if (fieldErrors.length > 0) return end('validation', fieldErrors[0]?.message, fieldErrors);
  const body = Object.fromEntries(all.map(({ name, sibling }) => [wireName[name], sibling?.value() ?? '']));
  isSubmitting = true;
  try {
    const { status, reply } = await post(token, body);
    if (status === 200) return postToPage({ type: 'submit', turn, result: 'success', message: texts.success ?? '' });
    if (status === 401) return end('expired', texts.expired);
    if (status === 429) return end('network', texts.limited);
    const errors = (reply.faults ?? []).map((each) => ({ ...each, message: texts[each.code] ?? each.message }));
    for (const each of errors) all.find(({ name }) => name === each.field)?.sibling?.showError(each);
    if (errors.length > 0) end('validation', errors[0]?.message, errors);
    else end('network', texts.network);
  } catch {
    end('network', texts.network);
  } finally {
    isSubmitting = false;
  }
}

async function post(token: string, body: object): Promise<{ status: number; reply: { faults?: FieldError[] } }> {
  const response = await fetch('/fields/collect', {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  return { status: response.status, reply: (await response.json()) as { faults?: FieldError[] } };
}

const siblingApi: Sibling = {
  channel: '',
  value: () => input.value,
  currentError,
  show,
  showError,
  fill,
  brandIs(number) {
    const brand = brandOf(number) ?? brandById('visa');
    if (field === 'cvv' && !connected?.placeholder) input.placeholder = '•'.repeat(brand?.code.length ?? 3);
  },
};

function restyle(style: unknown): void {
  const sheet = (document.getElementById('given') as HTMLStyleElement | null)?.sheet;
  if (!sheet) return;
  while (sheet.cssRules.length > 0) sheet.deleteRule(0);
  for (const rule of rulesOf(style)) {
    try {
      sheet.insertRule(rule, sheet.cssRules.length);
    } catch {
      // The browser does not know this value.
    }
  }
}

function onMessage(message: ToFrame): void {
  if (message?.type === 'focus') input.focus();
  if (message?.type === 'clear') fill('');
  if (message?.type === 'style') restyle(message.style);
  if (message?.type === 'submit' && typeof message.token === 'string') void submit(message.token, message.turn);
}

function connect(event: MessageEvent): void {
  const message = event.data as Partial<Connect> | null;
  const [offered] = event.ports;
  // Only the parent window, once, under the name that it gave the frame.
  if (connected || event.source !== parent || message?.florin !== 'connect' || !offered) return;
  if (
    message.field !== field ||
    typeof message.channel !== 'string' ||
    window.name !== frameName(message.channel, field)
  )
    return;
  if (!areFields(message.fields)) return;
  connected = message as Connect;
  siblingApi.channel = message.channel;
  (window as unknown as { florinField: Sibling }).florinField = siblingApi;
  port = offered;
  port.onmessage = ({ data }) => onMessage(data as ToFrame);
  if (typeof message.placeholder === 'string') input.placeholder = message.placeholder;
  if (typeof message.label === 'string') input.setAttribute('aria-label', message.label);
  restyle(message.style);
  postToPage({ type: 'ready' });
}

function areFields(names: unknown): names is FieldName[] {
  return Array.isArray(names) && names.includes(field) && names.every((name) => fieldNames.includes(name));
}

addEventListener('message', connect);
startUndo(input, () => true);
input.addEventListener('input', changed);
input.addEventListener('focus', () => postToPage({ type: 'focus' }));
input.addEventListener('blur', () => {
  if (input.value.trim() !== '') postToPage({ type: 'error', fault: show() });
  postToPage({ type: 'blur' });
});
input.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !connected) return;
  event.preventDefault();
  postToPage({ type: 'enter' });
});
