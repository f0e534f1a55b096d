/** The search in the method list, the same on the server and in the page's script. */

/** Lower case without accents, so that "transferencia" finds "Transferência". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a method's words (its name, its line, its countries) contain every word of the query. */
export function isFound(words: string, query: string): boolean {
  const text = plain(words);
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
