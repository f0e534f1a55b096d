// Searches a long method list by name.
import { find, findAll } from './dom';

/** Lower case without accents, so that "transferencia" finds "Transferência". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Shows the search field if the list has one. */
export function startMethodSearch(): void {
  const box = find('.find');
  const input = box && find<HTMLInputElement>('input', box);
  const found = box && find('#found', box);
  if (!box || !input || !found) return;
  const rows = findAll('.more .row').map((row) => ({ row, name: plain(find('.method', row)?.textContent ?? '') }));
  box.hidden = false;
  input.addEventListener('input', () => {
    const query = plain(input.value.trim());
    let count = 0;
    for (const { row, name } of rows) {
      row.hidden = !name.includes(query);
      if (!row.hidden) count += 1;
    }
    found.textContent = count === 0 ? (found.dataset.none ?? '') : '';
  });
}
