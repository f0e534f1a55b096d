// Lays the address out again when the payer chooses another country: order, labels, states and errors come from the server.
import type { AddressForm, PageData } from '../../core/page-data.ts';
import { showError } from './checks.ts';
import { find, findAll } from './dom.ts';

type Control = HTMLInputElement | HTMLSelectElement;

function fill(list: HTMLSelectElement, states: AddressForm['states']): void {
  const options = states.map(({ code, name }) => new Option(name, code));
  list.replaceChildren(...[...list.options].slice(0, 1), ...options);
  list.value = '';
}

/** Only countries with states ask for one. */
function showStates(field: HTMLElement, states: AddressForm['states']): void {
  const list = find<HTMLSelectElement>('select', field);
  if (!list) return;
  fill(list, states);
  list.disabled = states.length === 0;
  field.hidden = list.disabled;
}

function layOut(box: HTMLElement, fields: Map<string, HTMLElement>, rows: AddressForm['rows']): void {
  const old = findAll('.pair', box);
  for (const row of rows) {
    const shown = row.flatMap((name) => fields.get(name) ?? []).filter((field) => !field.hidden);
    const pair = document.createElement('div');
    pair.className = 'pair';
    pair.append(...shown);
    box.append(...(shown.length > 1 ? [pair] : pair.childNodes));
  }
  for (const pair of old) pair.replaceWith(...pair.childNodes);
}

function show(box: HTMLElement, address: AddressForm): void {
  const fields = new Map(findAll('.field', box).map((field) => [field.dataset.field ?? '', field]));
  for (const [name, field] of fields) {
    const label = find('label span', field);
    const control = find<Control>('input, select', field);
    if (label) label.textContent = address.labels[name] ?? '';
    if (control) showError(control, '');
    if (name === 'state') showStates(field, address.states);
  }
  layOut(box, fields, address.rows);
}

/** Starts the address of one form, if the form asks for the country. */
export function startAddress(form: HTMLFormElement, texts: NonNullable<PageData['form']>): void {
  const country = find<HTMLSelectElement>('select[name=country]', form);
  const box = find('.postal', form);
  if (!country || !box || !texts.addressUrl) return;
  const url = texts.addressUrl;
  country.addEventListener('change', async () => {
    const chosen = country.value;
    // A state of another country must not be sent, even if the new list does not arrive.
    const state = find('[data-field=state]', box);
    if (state) showStates(state, []);
    const response = await fetch(`${url}&country=${encodeURIComponent(chosen)}`).catch(() => null);
    const address = (await response?.json().catch(() => null)) as AddressForm | null;
    // A failed request leaves the check to the server; a slow response may belong to an earlier choice.
    if (country.value !== chosen || !address?.rows) return;
    Object.assign(texts.errors, address.errors);
    show(box, address);
  });
}
