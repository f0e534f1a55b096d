// The receipt's countdown to the shop, which one press stops for good.
import { find } from './dom';

/** Counts from the last sentence of `sentences` down to the first, then follows the return link. */
export function startReceipt(sentences: string[]): void {
  const box = find('.countdown');
  const words = box && find('p', box);
  const link = find<HTMLAnchorElement>('a[data-return]');
  // Leaving a shop's frame requires a click.
  const leavesFrame = Boolean(link?.target) && window.top !== window.self;
  if (!box || !words || !link || leavesFrame || link.target === '_blank') return;
  let seconds = sentences.length - 1;
  box.hidden = false;
  words.textContent = sentences[seconds] ?? '';
  const tick = setInterval(() => {
    if (document.hidden) return;
    seconds -= 1;
    words.textContent = sentences[Math.max(0, seconds)] ?? '';
    if (seconds > 0) return;
    clearInterval(tick);
    location.assign(link.href);
  }, 1000);
  find('button', box)?.addEventListener('click', () => {
    clearInterval(tick);
    box.hidden = true;
    link.focus();
  });
}
