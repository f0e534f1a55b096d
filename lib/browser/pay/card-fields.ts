// Formats card number, expiry and code while they are typed: grouped, with Latin digits from any keyboard, the caret
// kept in place, and the scheme's logo as soon as it is known.
import { brandById, brandOf, digitsOf, groupDigits, parseExpiry } from '../../core/cards.ts';
import { find, findAll } from './dom.ts';

const onlyDigits = (text: string): string => digitsOf(text).replace(/\D/g, '');

/** Sets a value with as many digits before the caret as before. */
export function rewrite(input: HTMLInputElement, text: string): void {
  if (input.value === text) return;
  const caret = input.selectionStart ?? input.value.length;
  const before = onlyDigits(input.value.slice(0, caret)).length;
  const atEnd = caret >= input.value.length;
  input.value = text;
  if (document.activeElement !== input) return;
  let place = 0;
  for (let seen = 0; seen < before && place < text.length; place += 1) if (/\d/.test(text[place] ?? '')) seen += 1;
  if (atEnd) place = text.length;
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

/** Starts the three fields of one form, as far as the form has them. */
export function startCardFields(form: HTMLFormElement, codes: { 3: string; 4: string }): void {
  form.addEventListener('input', (event) => {
    const input = event.target as HTMLInputElement;
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    if (input.name === 'payee_card_number') rewrite(input, groupDigits(input.value));
    if (input.name === 'card_number') {
      rewrite(input, groupDigits(input.value));
      showBrand(form, input.value, codes);
    }
    if (input.name === 'card_expiry') rewrite(input, expiryText(input.value, isDeleting));
    if (input.name === 'card_cvv') {
      const number = find<HTMLInputElement>('[name=card_number]', form)?.value;
      const brand = number === undefined ? brandById(input.dataset.brand) : brandOf(number);
      rewrite(input, onlyDigits(input.value).slice(0, brand?.code.length ?? 4));
    }
  });
  const number = find<HTMLInputElement>('[name=card_number]', form);
  if (number?.value) {
    number.value = groupDigits(number.value);
    showBrand(form, number.value, codes);
  }
}
