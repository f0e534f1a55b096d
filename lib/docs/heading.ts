// Converts headings to plain text and ids. The ids are those of Git hosts, so that anchors work in the repository and
// on the site.

/** Removes the Markdown markup of a heading. */
export function plainHeading(text: string): string {
  return text.replace(/`|\*\*/g, '');
}

/** The id of a heading within its page. */
export function headingId(text: string): string {
  return plainHeading(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** The ids of all headings of a page in order; ids of repeated headings are numbered. */
export function headingIds(texts: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const id = headingId(text);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  });
}
