// The sandbox's test bar: a chosen outcome fills in its test card at once.
import { find, findAll } from './dom';

/** Starts the bar, if the page has one. */
export function startTestBar(): void {
  const bar = find('.test-bar');
  if (!bar) return;
  bar.addEventListener('change', (event) => {
    const { dataset, nextElementSibling } = event.target as HTMLInputElement;
    const form = findAll<HTMLFormElement>('form[data-pay]').find((one) => find('[name=card_number]', one));
    if (!form) return;
    find<HTMLInputElement>(`input[name=way][value="${CSS.escape(form.dataset.pay ?? '')}"]`)?.click();
    const values: Record<string, string | undefined> = {
      card_number: dataset.number,
      card_expiry: dataset.expiry,
      card_cvv: dataset.cvv,
    };
    for (const [name, value] of Object.entries(values)) {
      const input = find<HTMLInputElement>(`[name=${name}]`, form);
      if (!input) continue;
      input.value = value ?? '';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const holder = find<HTMLInputElement>('[name=card_holder]', form);
    if (holder && !holder.value) holder.value = 'Test Payer';
    const summary = find('summary', bar);
    if (summary) {
      summary.textContent = (summary.dataset.outcome ?? '').replace('{outcome}', nextElementSibling?.textContent ?? '');
    }
  });
}
