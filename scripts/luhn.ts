// Finds possible card numbers in a text, for the check of the logs.

/** Runs of 13 to 19 digits in `text` that start like a card and pass Luhn, outside of longer runs and identifiers. */
export function digitsThatPassLuhn(text: string): string[] {
  const runs: string[] = text.match(/(?<![\w.-])[2-6]\d{12,18}(?![\w-])/g) ?? [];
  return runs.filter((run) => {
    const sum = [...run].reverse().reduce((total, digit, place) => {
      const value = place % 2 === 1 ? Number(digit) * 2 : Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  });
}
