// Checks fields live: an error appears on leaving a field and disappears while typing, once the value is valid. The
// rules are those of lib/methods/fields, so the server finds no further errors.
import { brandById, brandOf, digitsOf } from '../../core/cards.ts';
import type { PageData } from '../../core/page-data.ts';
import type { Message } from '../../core/translations.ts';
import { acceptsOthers, documentError } from '../../methods/documents.ts';
import { type TypedFieldName, typedFieldError } from '../../methods/fields.ts';
import { announce, find, findAll } from './dom.ts';

type FormData = NonNullable<PageData['form']>;
type Control = HTMLInputElement | HTMLSelectElement;

/** The visible fields of a form, in order. */
export function controlsOf(form: HTMLFormElement): Control[] {
  return findAll<Control>('.field:not([hidden]) :is(input, select)', form);
}

/** Shows an error under a field, or the hint again if `text` is empty. */
export function showError(control: Control, text: string): void {
  const below = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  const words = below && find('span', below);
  if (!below || !words) return;
  const shown = text || (below.dataset.hint ?? '');
  // Writing the same text would lay out the field again, which delays the paint after a press.
  if (words.textContent !== shown) words.textContent = shown;
  below.toggleAttribute('data-error', text !== '');
  if (text) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
}

function textOf({ errors }: FormData, { key, values }: Message): string {
  const about = values?.count ?? values?.document;
  return errors[key.replace(/^error\./, '') + (about === undefined ? '' : `:${about}`)] ?? '';
}

/** The error of a method's parameter, by the attributes of its field. Never stricter than the server. */
export function parameterError(text: string, field: ParameterShape): Message | null {
  if (field.document !== undefined) {
    const error = documentError(field.document, text);
    return acceptsOthers(field.document) && error?.key !== 'error.document.empty' ? null : error;
  }
  const typed = field.isDigits ? digitsOf(text).replace(/[./]/g, '') : text.trim();
  if (typed === '') return { key: field.isChoice ? 'error.parameter.choose' : 'error.parameter.empty' };
  if (field.isDigits && !/^\d+$/.test(typed)) return { key: 'error.parameter.wrong' };
  const count = [...typed].length;
  if (field.most !== undefined && count > field.most) return { key: 'error.long', values: { count: field.most } };
  return field.least !== undefined && count < field.least
    ? { key: 'error.short', values: { count: field.least } }
    : null;
}

type ParameterShape = { isDigits: boolean; isChoice: boolean; least?: number; most?: number; document?: string };

function shapeOf(control: Control): ParameterShape {
  const { least, most, document } = control.dataset;
  return {
    isDigits: control.inputMode === 'numeric',
    isChoice: control.localName === 'select',
    least: least === undefined ? undefined : Number(least),
    most: most === undefined ? undefined : Number(most),
    document,
  };
}

/** The error text of a control; '' if it is valid. */
export function errorOf(control: Control, data: FormData): string {
  const form = control.form;
  if (control.name === 'consent') return (control as HTMLInputElement).checked ? '' : (data.errors.consent ?? '');
  if (!form || (!control.required && control.value.trim() === '')) return '';
  if (control.name.startsWith('parameter_')) {
    const fieldError = parameterError(control.value, shapeOf(control));
    return fieldError ? textOf(data, fieldError) : '';
  }
  const saved = brandById(control.dataset.brand)?.ranges[0]?.[0];
  const cardNumber = saved ?? find<HTMLInputElement>('[name=card_number]', form)?.value;
  const fieldError = typedFieldError(control.name as TypedFieldName, control.value, { cardNumber, now: new Date() });
  if (fieldError) return textOf(data, fieldError);
  const brand = control.name === 'card_number' ? brandOf(control.value) : null;
  if (brand && data.brands.length > 0 && !data.brands.includes(brand.id)) return data.errors['card_number.brand'] ?? '';
  return '';
}

/** Checks all fields of a form; true if all are valid, else the first invalid one gets the focus. */
export function checkForm(form: HTMLFormElement, data: FormData): boolean {
  const checked = controlsOf(form).map((control) => ({ control, text: errorOf(control, data) }));
  const first = checked.find(({ text }) => text !== '');
  first?.control.focus();
  // The errors are laid out after the paint that answers the press. A screen reader has begun to read the field by then.
  requestAnimationFrame(() =>
    setTimeout(() => {
      for (const { control, text } of checked) showError(control, text);
      if (first) announce(first.text);
    }),
  );
  return !first;
}

/** Starts the checks of one form. */
export function startChecks(form: HTMLFormElement, data: FormData): void {
  // An error that appears during a press of the button would move the button away. A finger is lifted before the field
  // loses the focus, so that a press ends with its click, not with `pointerup`.
  const button = find('button[type=submit]', form);
  let isPressing = false;
  addEventListener('pointerdown', ({ target }) => {
    isPressing = button?.contains(target as Node) ?? false;
  });
  for (const end of ['click', 'pointercancel'])
    button?.addEventListener(end, () => {
      isPressing = false;
    });
  form.addEventListener('focusout', (event) => {
    const control = event.target as Control;
    // Leaving the checkbox by keyboard is not yet an error.
    const isTyped = control.name !== 'consent' && control.value.trim() !== '';
    if (!isPressing && control.matches('.field :is(input, select)') && isTyped) {
      showError(control, errorOf(control, data));
    }
  });
  form.addEventListener('input', (event) => {
    const control = event.target as Control;
    if (control.hasAttribute('aria-invalid') && !errorOf(control, data)) showError(control, '');
  });
}
