// One input of a frame: its format, its error, and the events that it reports to the page.
import { brandById, brandOf, digitsOf, groupDigits } from '../../core/cards.ts';
import { typedFieldError } from '../../methods/fields.ts';
import { expiryText, rewrite } from '../pay/card-fields.ts';
import { isHistory, remember, startUndo } from '../pay/undo.ts';
import type { HostedFieldFault as FieldError, HostedFieldName as FieldName } from './hosted-fields.d.ts';
import type { FromFrame } from './wire.ts';

export const wireName = { card: 'card_number', expiry: 'card_expiry', cvv: 'card_cvv' } as const;

/** The interface of a field for the other fields of its mount; only documents of this origin can reach it. */
export type Part = {
  value: () => string;
  /** Shows, announces and marks the error; marks a valid field as such. */
  show: () => FieldError | null;
  showError: (error: FieldError | null) => void;
  fill: (text: string) => void;
  brandIs: (number: string) => void;
};

export type OwnPart = Part & { name: FieldName; input: HTMLInputElement; currentError: () => FieldError | null };

/** What a field knows of its frame. */
export type FrameContext = {
  texts: { [code: string]: string };
  postToPage: (message: FromFrame) => void;
  /** The field of this mount with that name, in this frame or in another. */
  find: (name: FieldName) => Part | null;
  /** Whether the placeholder is the page's own. */
  hasOwnPlaceholder: () => boolean;
};

/** Starts the field of an input; its attribute `data-field` names it. */
export function startPart(
  input: HTMLInputElement,
  { texts, postToPage, find, hasOwnPlaceholder }: FrameContext,
): OwnPart {
  const name = input.dataset.field as FieldName;
  const messageElement = document.getElementById(input.getAttribute('aria-describedby') ?? '') as HTMLElement;
  const plainPlaceholder = input.placeholder;

  /** The card number in this mount, if any; it decides the length of the code. */
  const cardNumber = () => (name === 'card' ? input.value : (find('card')?.value() ?? ''));
  const codeLength = () => brandOf(cardNumber())?.code.length ?? 4;

  function currentError(): FieldError | null {
    const error = typedFieldError(wireName[name], input.value, { cardNumber: cardNumber(), now: new Date() });
    if (!error) return null;
    const code = error.key.replace('error.', '');
    const count = error.values?.count;
    const message = texts[count === undefined ? code : `${code}:${count}`] ?? texts[code] ?? '';
    return { field: name, code, message };
  }

  function showError(error: FieldError | null): void {
    messageElement.textContent = error?.message ?? '';
    input.toggleAttribute('data-valid', !error);
    if (error) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }

  function show(): FieldError | null {
    const error = currentError();
    showError(error);
    return error;
  }

  function format(isDeleting: boolean): void {
    if (name === 'card') rewrite(input, groupDigits(input.value));
    if (name === 'expiry') rewrite(input, expiryText(input.value, isDeleting));
    if (name === 'cvv') rewrite(input, digitsOf(input.value).replace(/\D/g, '').slice(0, codeLength()));
  }

  let known = input.value;

  function changed(event?: Event): void {
    if (!isHistory(event)) format(event instanceof InputEvent && event.inputType.startsWith('delete'));
    remember(input, event);
    if (name === 'card') for (const other of ['cvv', 'expiry'] as const) find(other)?.brandIs(input.value);
    const empty = input.value.trim() === '';
    const valid = !currentError();
    if (valid || empty) {
      input.removeAttribute('aria-invalid');
      messageElement.textContent = '';
    }
    input.toggleAttribute('data-valid', valid);
    const brand = name === 'card' ? (brandOf(input.value)?.id ?? null) : null;
    postToPage({ type: 'change', field: name, valid, empty, brand });
    known = input.value;
  }

  function brandIs(number: string): void {
    if (name !== 'cvv' || hasOwnPlaceholder()) return;
    const code = (brandOf(number) ?? brandById('visa'))?.code;
    if (plainPlaceholder) input.placeholder = (brandOf(number) && code?.name) ?? plainPlaceholder;
    else input.placeholder = '•'.repeat(code?.length ?? 3);
  }

  function fill(text: string): void {
    input.value = text;
    input.dispatchEvent(new Event('input'));
  }

  startUndo(input, () => true);
  input.addEventListener('input', changed);
  // Some browsers and password managers set a value without the event `input`.
  input.addEventListener('change', () => {
    if (input.value !== known) fill(input.value);
  });
  input.addEventListener('focus', () => postToPage({ type: 'focus', field: name }));
  input.addEventListener('blur', () => {
    if (input.value.trim() !== '') postToPage({ type: 'error', fault: show() });
    postToPage({ type: 'blur', field: name });
  });
  return { name, input, currentError, value: () => input.value, show, showError, fill, brandIs };
}
