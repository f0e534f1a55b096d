// Formats card number, expiry, code and document numbers while they are typed: grouped, with Latin digits from any
// keyboard, the caret kept in place, and the scheme's logo as soon as it is known.
import { brandById, brandOf, digitsOf, groupDigits, parseExpiry } from '../../core/cards.ts';
import { documentNumber, maskDocument } from '../../methods/documents.ts';
import { find, findAll } from './dom.ts';
import { isHistory, remember, startUndo } from './undo.ts';

const onlyDigits = (text: string): string => digitsOf(text).replace(/\D/g, '');

/** Sets a value with as many characters of `kept`, the digits, before the caret as before. */
export function rewrite(input: HTMLInputElement, text: string, kept = onlyDigits): void {
  if (input.value === text) return;
  const caret = input.selectionStart ?? input.value.length;
  const before = kept(input.value.slice(0, caret)).length;
  const atEnd = caret >= input.value.length;
  input.value = text;
  if (document.activeElement !== input) return;
  let place = 0;
  while (place < text.length && (atEnd || kept(text.slice(0, place)).length < before)) place += 1;
  input.setSelectionRange(place, place);
}

/** The text of an expiry field after a key: 'MM / YY'; the slash is added on typing and removed on deleting. */
export function expiryText(value: string, isDeleting: boolean): string {
  let digits = onlyDigits(value);
  const whole = digits.length >= 5 ? parseExpiry(value) : null;
  if (whole) return `${String(whole.month).padStart(2, '0')} / ${String(whole.year).slice(-2)}`;
  // A year of four digits starts with '20', which stays until the year is complete.
  digits = digits.slice(0, digits.startsWith('20', 2) ? 6 : 4);
  const isOneDigitMonth = /^([2-9]|1[3-9])/.test(digits) || /^\s*\d\s*[/.٫،]/.test(digitsOf(value));
  if (isOneDigitMonth && !isDeleting) digits = `0${digits}`;
  if (isDeleting && digits.length <= 2) return digits;
  return digits.length >= 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

function mark(brand: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', 'mark');
  svg.setAttribute('viewBox', '0 0 36 24');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', brandById(brand)?.name ?? brand);
  use.setAttribute('href', `#mark-${brand}`);
  svg.append(use);
  return svg;
}

/** Shows the scheme in the field, fades the other logos of the method, and adapts the code's field to the scheme. */
function showBrand(form: HTMLFormElement, number: string, codes: { 3: string; 4: string }): void {
  const brand = brandOf(number);
  const found = find('.found', form);
  // Most keys change nothing here, and a rewrite costs layout and paint.
  if (!found || found.dataset.brand === (brand?.id ?? '')) return;
  found.dataset.brand = brand?.id ?? '';
  const isDrawn = brand && document.getElementById(`mark-${brand.id}`);
  found.replaceChildren(...(isDrawn ? [mark(brand.id)] : []));
  const marks = find('.marks', form.parentElement ?? document);
  marks?.classList.toggle('found', Boolean(isDrawn));
  for (const one of marks ? findAll<SVGElement>('.mark', marks) : []) {
    one.classList.toggle('match', one.dataset.brand === brand?.id);
  }
  const code = find<HTMLInputElement>('[name=card_cvv]', form);
  if (code) code.placeholder = codes[brand?.code.length ?? 3];
}

const formatted = '[name$=card_number], [name=card_expiry], [name=card_cvv], [data-document]';

/** Formats the value of a field of the list above. */
function format(input: HTMLInputElement, form: HTMLFormElement, isDeleting: boolean): void {
  const { document, brand: saved } = input.dataset;
  if (document !== undefined)
    rewrite(input, maskDocument(document, input.value), (text) => documentNumber(document, text));
  if (input.name.endsWith('card_number')) rewrite(input, groupDigits(input.value));
  if (input.name === 'card_expiry') rewrite(input, expiryText(input.value, isDeleting));
  if (input.name === 'card_cvv') {
    const number = find<HTMLInputElement>('[name=card_number]', form)?.value;
    const brand = number === undefined ? brandById(saved) : brandOf(number);
    rewrite(input, onlyDigits(input.value).slice(0, brand?.code.length ?? 4));
  }
}

/** Starts the formatted fields of one form, as far as the form has them. */
export function startFormats(form: HTMLFormElement, codes: { 3: string; 4: string }): void {
  startUndo(form, (input) => input.matches(formatted));
  form.addEventListener('input', (event) => {
    const input = event.target as HTMLInputElement;
    if (!input.matches(formatted)) return;
    if (!isHistory(event)) format(input, form, event instanceof InputEvent && event.inputType.startsWith('delete'));
    remember(input, event);
    if (input.name === 'card_number') showBrand(form, input.value, codes);
  });
  for (const input of findAll<HTMLInputElement>('[name=card_number], [data-document]', form)) {
    if (!input.value) continue;
    format(input, form, false);
    if (input.name === 'card_number') showBrand(form, input.value, codes);
  }
}
