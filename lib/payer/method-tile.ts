/** The lettered mark of a method, drawn by the page itself: no third party's logo. */

/** The colours of the style sheet. */
const tones = 8;

/** A short name as it is, else its initials, and a colour that depends on the name alone. */
export function tileOf(name: string): { text: string; tone: number } {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return { text: lettersOf(name), tone: sum % tones };
}

function lettersOf(name: string): string {
  if (/^\p{L}{1,4}$/u.test(name)) return name;
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const letters = words.length > 1 ? words.map(([first = '']) => first) : [...(words[0] ?? name)];
  return letters.slice(0, 2).join('').toUpperCase();
}
