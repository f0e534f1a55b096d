// Amounts as people type them: with a decimal comma or point, and with separators of thousands.
import { parseAmount } from './money.ts';

/**
 * The typed amount with a decimal point and without separators; null if a separator can be read in two ways, such as in
 * `5,000`, which is five or five thousand. Any other text is returned trimmed.
 */
export function plainAmount(text: string): string | null {
  const typed = text.trim();
  if (/^\d{1,3}[,.]\d{3}$/.test(typed)) return typed.startsWith('0') || typed.includes('.') ? dotted(typed) : null;
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(typed)) return typed.replaceAll(',', '');
  if (/^\d{1,3}(\.\d{3})+,\d*$/.test(typed)) return dotted(typed.replaceAll('.', ''));
  if (/^\d{1,3}(\.\d{3}){2,}$/.test(typed)) return typed.replaceAll('.', '');
  return /^\d+,\d*$/.test(typed) ? dotted(typed) : typed;
}

/** The typed amount in minor units; null if it cannot be read. */
export function typedMinor(text: string, currency: string): bigint | null {
  const parsed = parseAmount(plainAmount(text) ?? '', currency);
  return parsed.ok ? parsed.minor : null;
}

const dotted = (text: string) => text.replace(',', '.');

/** The error of an amount that {@link plainAmount} cannot read. */
export function ambiguousAmount(text: string): string {
  const digits = text.trim().replace(/\D/g, '');
  return `${text.trim()} can be read in two ways. Enter ${digits}, or ${dotted(text.trim()).replace(/0+$/, '00')}.`;
}
