// Loads the list of states by country; only some countries have one, and the lists stay on the server.
import type { PageData } from '../../core/page-data';
import { find } from './dom';

type Place = { code: string; name: string };

function fill(list: HTMLSelectElement, places: Place[]): void {
  const options = places.map(({ code, name }) => {
    const option = document.createElement('option');
    option.value = code;
    option.textContent = name;
    return option;
  });
  list.replaceChildren(...[...list.options].slice(0, 1), ...options);
  list.value = '';
}

/** Shows the list of states for countries that have one, and removes it from the form for the others. */
export function startStates(form: HTMLFormElement, texts: NonNullable<PageData['form']>): void {
  const country = find<HTMLSelectElement>('select[name=country]', form);
  const list = find<HTMLSelectElement>('select[name=state]', form);
  const field = list?.closest<HTMLElement>('.field');
  const states = texts.states;
  if (!country || !list || !field || !states) return;
  const show = (places: Place[]): void => {
    fill(list, places);
    field.hidden = places.length === 0;
    list.disabled = places.length === 0;
  };
  country.addEventListener('change', async () => {
    const chosen = country.value;
    const name = states.labels[chosen];
    show([]);
    if (!name) return;
    const response = await fetch(`${states.url}&country=${encodeURIComponent(chosen)}`).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { states?: Place[] } | null;
    // A failed request leaves the check to the server; a slow response may belong to an earlier choice.
    if (country.value !== chosen || !answer?.states) return;
    const label = find('label span', field);
    if (label) label.textContent = name;
    show(answer.states);
  });
}
