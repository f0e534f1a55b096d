// Number, date and code in one line: the focus moves on when a field is complete, and back with Backspace. Where the
// line is too narrow, a number without focus is shown by its last four digits.
import { brandById, brandOf, digitsOf } from '../../core/cards.ts';
import type { OwnPart } from './part.ts';

/** A scheme with many lengths has no usual one, so only its longest numbers are complete without a doubt. */
const manyLengths = 4;

/** Whether a valid number has the digits that most cards of its scheme have, so that no more will follow. */
export function isWholeNumber(number: string): boolean {
  const lengths = brandOf(number)?.lengths ?? [19];
  const usual = lengths.length <= manyLengths && lengths.includes(16) ? 16 : Math.max(...lengths);
  return digitsOf(number).length >= usual;
}

function isComplete({ name, input, currentError }: OwnPart): boolean {
  if (name === 'cvv' || currentError()) return false;
  return name === 'expiry' || isWholeNumber(input.value);
}

const isTyped = (event: Event) =>
  event instanceof InputEvent && event.inputType.startsWith('insert') && event.inputType !== 'insertReplacementText';

const isCaretAt = ({ selectionStart, selectionEnd }: HTMLInputElement, place: number) =>
  selectionStart === place && selectionEnd === place;

/** Starts the line of these fields, in their order. */
export function startLine(line: HTMLElement, parts: readonly OwnPart[]): void {
  for (const [at, part] of parts.entries()) {
    const { input } = part;
    const [before, after] = [parts[at - 1], parts[at + 1]];
    input.addEventListener('input', (event) => {
      const isAtEnd = document.activeElement === input && isCaretAt(input, input.value.length);
      if (after && isTyped(event) && isAtEnd && isComplete(part)) after.input.focus();
    });
    input.addEventListener('keydown', (event) => {
      if (!before || event.key !== 'Backspace' || !isCaretAt(input, 0)) return;
      event.preventDefault();
      before.input.focus();
      before.input.setSelectionRange(before.input.value.length, before.input.value.length);
    });
  }
  const [number] = parts;
  if (!number) return;
  startNumber(line, number);
  line.addEventListener('mousedown', (event) => {
    if (event.target instanceof HTMLInputElement) return;
    // The press would take the focus away again.
    event.preventDefault();
    number.input.focus();
  });
}

function startNumber(line: HTMLElement, { input, currentError }: OwnPart): void {
  const lastDigits = line.querySelector('.last') as HTMLElement;
  const mark = line.querySelector('.mark') as SVGElement;

  function shorten(): void {
    line.removeAttribute('data-short');
    if (document.activeElement === input || input.scrollWidth <= input.clientWidth || currentError()) return;
    lastDigits.textContent = digitsOf(input.value).slice(-4);
    line.setAttribute('data-short', '');
  }

  function showBrand(): void {
    const brand = brandOf(input.value);
    const name = brand && document.getElementById(`mark-${brand.id}`) ? brand.id : 'none';
    if (mark.dataset.brand === name) return;
    mark.dataset.brand = name;
    mark.querySelector('use')?.setAttribute('href', `#mark-${name}`);
    mark.setAttribute('aria-label', brandById(name)?.name ?? '');
    mark.toggleAttribute('aria-hidden', name === 'none');
  }

  input.addEventListener('input', showBrand);
  input.addEventListener('input', shorten);
  input.addEventListener('focus', shorten);
  input.addEventListener('blur', shorten);
  new ResizeObserver(shorten).observe(line);
}
