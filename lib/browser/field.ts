// The script inside a frame of hosted fields. It accepts one connection, from its parent window, and then talks to the
// merchant's page through that port only. Frames of one mount share an origin and reach each other directly, so card
// data goes from frame to frame and to the service, never through the merchant's page.
import { type Agreed, type AgreementFrame, type AgreementWords, startAgreement } from './fields/agreement.ts';
import type {
  HostedFieldsFailure as FailureCode,
  HostedFieldFault as FieldError,
  HostedFieldName as FieldName,
  HostedFieldFrame as FrameName,
} from './fields/hosted-fields.d.ts';
import { startLine } from './fields/line.ts';
import { type OwnPart, type Part, startPart, wireName } from './fields/part.ts';
import { rulesOf } from './fields/style.ts';
import { type Connect, type FromFrame, fieldsIn, frameNames, type ToFrame, windowName } from './fields/wire.ts';

type Texts = { [code: string]: string };
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Texts;
const frame = document.documentElement.dataset.frame as FrameName;

/** What a frame offers to its siblings. */
type Sibling = { channel: string };

let connected: Connect | null = null;
let port: MessagePort | null = null;

const postToPage = (message: FromFrame): void => port?.postMessage(message);

function siblingOf<Api = Part>(name: FrameName): (Api & Sibling) | null {
  if (!connected) return null;
  try {
    const own = (parent as unknown as { [name: string]: Window | undefined })[windowName(connected.channel, name)];
    const sibling = (own as unknown as { florinField?: Api & Sibling } | undefined)?.florinField;
    return sibling?.channel === connected.channel ? sibling : null;
  } catch {
    // A frame of another origin with that name.
    return null;
  }
}

const find = (name: FieldName): Part | null => parts.find((part) => part.name === name) ?? siblingOf(name);
const hasOwnPlaceholder = () => frame !== 'line' && Boolean(connected?.placeholder);
const parts: OwnPart[] = [...document.querySelectorAll<HTMLInputElement>('.field')].map((input) =>
  startPart(input, { texts, postToPage, find, hasOwnPlaceholder }),
);
const [first] = parts;

const line = document.querySelector<HTMLElement>('.line');
if (line) startLine(line, parts);
const words = document.querySelector<HTMLElement>('.words');
const agreement = words && startAgreement(words, (language) => loadWords(language), postToPage);

// Browsers autofill a whole card into the number's document: the other values are passed to their frames.
for (const [id, name] of [
  ['fill-expiry', 'expiry'],
  ['fill-cvv', 'cvv'],
] as const) {
  const spare = document.getElementById(id) as HTMLInputElement | null;
  spare?.addEventListener('input', () => {
    find(name)?.fill(spare.value);
    spare.value = '';
  });
}

let isSubmitting = false;
const timeoutMilliseconds = 30_000;

async function submit(token: string, turn: number): Promise<void> {
  const end = (code: FailureCode, message = '', fieldErrors: FieldError[] = []) =>
    postToPage({ type: 'submit', turn, result: 'error', code, message, faults: fieldErrors });
  const refuse = (status: number) =>
    status === 401 ? end('expired', texts.expired) : end('network', status === 429 ? texts.limited : texts.network);
  if (isSubmitting) return end('busy', texts.busy);
  const frames = connected?.fields ?? [];
  // The agreement's own frame sends the choice alone, for a payment by wallet.
  const [path, sent] = frame === 'agreement' ? ['agreed', []] : ['collect', frames.flatMap(fieldsIn)];
  const all = sent.map((name) => ({ name, part: find(name) }));
  const agreeing = siblingOf<AgreementFrame>('agreement');
  if (all.some(({ part }) => !part) || (frames.includes('agreement') && !agreeing)) return end('setup', texts.missing);
  const fieldErrors = all.flatMap(({ part }) => part?.show() ?? []);
  const disagreement = agreeing?.show();
  if (fieldErrors.length > 0) return end('validation', fieldErrors[0]?.message, fieldErrors);
  if (disagreement)
    return end('validation', disagreement, [{ field: 'agreement', code: 'consent.empty', message: disagreement }]);
  const values = Object.fromEntries(all.map(({ name, part }) => [wireName[name], part?.value() ?? '']));
  isSubmitting = true;
  try {
    // The payer has to read the words before they agree.
    if (agreeing && !agreeing.agreed()) {
      return refuse(await agreeing.refresh());
    }
    const { status, reply } = await post<Rejection>(path, token, { ...values, ...agreedIn(agreeing) });
    if (status === 200) return postToPage({ type: 'submit', turn, result: 'success', message: texts.success ?? '' });
    if (status === 409) {
      await agreeing?.refresh();
      return end('validation', texts.changed);
    }
    const errors = (reply.faults ?? []).map((each) => ({ ...each, message: texts[each.code] ?? each.message }));
    for (const each of errors) all.find(({ name }) => name === each.field)?.part?.showError(each);
    if (errors.length > 0) end('validation', errors[0]?.message, errors);
    else refuse(status);
  } catch {
    end('network', texts.network);
  } finally {
    isSubmitting = false;
  }
}

type Rejection = { faults?: FieldError[] };

function agreedIn(agreeing: AgreementFrame | null): { agreed?: Agreed } {
  const agreed = agreeing?.agreed();
  return agreed ? { agreed } : {};
}

/** What the payer of the session agrees to. */
const loadWords = (language: string) => post<AgreementWords>('words', connected?.token ?? '', { language });

async function post<Reply>(path: string, token: string, body: object): Promise<{ status: number; reply: Reply }> {
  const response = await fetch(`/fields/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  return { status: response.status, reply: (await response.json()) as Reply };
}

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

const named = line ?? first?.input ?? words;
const ownName = named?.getAttribute('aria-label') ?? '';

function nameIt(label: string): void {
  named?.setAttribute('aria-label', label || ownName);
}

function onMessage(message: ToFrame): void {
  const meant = 'field' in message ? parts.filter(({ name }) => name === message.field) : parts;
  if (message?.type === 'focus') (agreement ?? meant[0]?.input)?.focus();
  if (message?.type === 'clear') {
    for (const part of meant) part.fill('');
    agreement?.clear();
  }
  if (message?.type === 'report') for (const part of parts) postToPage({ type: 'error', fault: part.show() });
  if (message?.type === 'label') nameIt(message.label);
  if (message?.type === 'style') restyle(message.style);
  if (message?.type === 'submit' && typeof message.token === 'string') void submit(message.token, message.turn);
}

function connect(event: MessageEvent): void {
  const message = event.data as Partial<Connect> | null;
  const [offered] = event.ports;
  // Only the parent window, once, under the name that it gave the frame.
  if (connected || event.source !== parent || message?.florin !== 'connect' || !offered) return;
  const { channel, placeholder, label } = message;
  if (message.field !== frame || typeof channel !== 'string' || window.name !== windowName(channel, frame)) return;
  if (!areFrames(message.fields)) return;
  connected = message as Connect;
  // The fields of a line need no sibling, and none may read them.
  const api = agreement ?? (line ? null : first);
  if (api) (window as unknown as { florinField: Sibling }).florinField = { ...api, channel };
  port = offered;
  port.onmessage = ({ data }) => onMessage(data as ToFrame);
  if (first && typeof placeholder === 'string') first.input.placeholder = placeholder;
  if (typeof label === 'string') nameIt(label);
  restyle(message.style);
  const labels = Object.fromEntries(parts.map(({ name, input }) => [name, input.getAttribute('aria-label') ?? '']));
  postToPage({ type: 'ready', labels, message: first?.currentError()?.message ?? '' });
  // Words that did not arrive are requested again with the submit.
  agreement?.refresh().catch(() => {});
}

function areFrames(names: unknown): names is FrameName[] {
  return Array.isArray(names) && names.includes(frame) && names.every((name) => frameNames.includes(name));
}

addEventListener('message', connect);
for (const { name, input } of parts) {
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !connected) return;
    event.preventDefault();
    postToPage({ type: 'enter', field: name });
  });
}
