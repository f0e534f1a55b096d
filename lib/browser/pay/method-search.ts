// Finding a way to pay in a long list by its name.
import { find, findAll } from './dom';

/** Small letters without their accents, so that "transferencia" finds "Transferência". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Shows the field, where the list is long enough to have one. */
export function startMethodSearch(): void {
  const box = find('.find');
  const input = box && find<HTMLInputElement>('input', box);
  const found = box && find('#found', box);
  if (!box || !input || !found) return;
  const rows = findAll('.more .row').map((row) => ({ row, name: plain(find('.method', row)?.textContent ?? '') }));
  box.hidden = false;
  input.addEventListener('input', () => {
    const wanted = plain(input.value.trim());
    let count = 0;
    for (const { row, name } of rows) {
      row.hidden = !name.includes(wanted);
      if (!row.hidden) count += 1;
    }
    found.textContent = count === 0 ? (found.dataset.none ?? '') : '';
  });
}
