// Functions by which the script reads and changes the document.
import type { PageData } from '../../core/page-data.ts';

/** The first match, or null. */
export function find<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T | null {
  return within.querySelector<T>(selector);
}

/** All matches as an array. */
export function findAll<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T[] {
  return [...within.querySelectorAll<T>(selector)];
}

/** A page's data block; null on a document without one. */
export function readPageData(page = document): PageData | null {
  const text = page.getElementById('page-data')?.textContent;
  return text ? (JSON.parse(text) as PageData) : null;
}

/** Announces a text to assistive technology through the page's polite live region. */
export function announce(text: string): void {
  const status = find('[role=status]');
  if (status) status.textContent = text;
}

/** '4:05' for 245 seconds; digits are Latin in every language. */
export function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Fills a sentence with '{time}' into an element, the time in bold. */
export function fillTime(element: Element, sentence: string, time: string): void {
  const [before = '', after = ''] = sentence.split('{time}');
  const bold = document.createElement('b');
  bold.textContent = time;
  element.replaceChildren(before, bold, after);
}
