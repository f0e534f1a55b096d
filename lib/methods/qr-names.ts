// Names for codes whose readers know ASCII only. A name is for the payer to recognise, so letters lose their marks
// rather than vanish.

const letters: Readonly<Record<string, string>> = {
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

/** Text as printable ASCII: marks are dropped, letters that have none are spelt, and what remains beyond is a space. */
export function toAscii(text: string): string {
  return [...text.normalize('NFKD')]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]+/g, ' ');
}

/** A name of at most `length` ASCII characters; `otherwise` when the name has not one (a name in Arabic, say). */
export function asciiName(text: string, length: number, otherwise: string): string {
  return toAscii(text).replace(/ +/g, ' ').trim().slice(0, length).trim() || otherwise;
}
