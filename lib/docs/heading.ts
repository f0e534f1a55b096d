// Headings as text and as addresses, for the pages and for the index of the search.

/** Without the signs of Markdown. */
export function plainHeading(text: string): string {
  return text.replace(/`|\*\*/g, '');
}

/** The address of a heading within its page. */
export function headingId(text: string): string {
  return plainHeading(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The addresses of all headings of a page, in their order: one that comes again has a number behind it. */
export function headingIds(texts: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const id = headingId(text);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  });
}
