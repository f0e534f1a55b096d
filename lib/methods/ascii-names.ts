// ASCII names for codes whose readers support ASCII only. Diacritics are removed instead of letters, so that payers
// recognise the name.

const transliterations: Readonly<Record<string, string>> = {
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
  þ: 'th',
  Þ: 'Th',
};

/** Printable ASCII: diacritics are removed, special letters transliterated, other characters become a space. */
export function toAscii(text: string): string {
  return [...text.normalize('NFKD')]
    .map((letter) => transliterations[letter] ?? letter)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]+/g, ' ');
}

/** A name of at most `length` ASCII characters; `otherwise` if none remains (an Arabic name, for example). */
export function asciiName(text: string, length: number, otherwise: string): string {
  return toAscii(text).replace(/ +/g, ' ').trim().slice(0, length).trim() || otherwise;
}
