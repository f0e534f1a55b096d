/** A text as PostgreSQL can store it: U+FFFD takes the place of NUL and of half a surrogate pair. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
