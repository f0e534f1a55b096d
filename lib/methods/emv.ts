// Encodes the text of EMVCo's merchant-presented codes (EMV QRCPS 1.1): fields of a two-digit tag, a
// two-digit length and a value, nested by templates, closed by a CRC. PIX, PromptPay, QRIS, DuitNow and QR Ph share it.

/** A field: its tag, and a value or the fields of its template. Fields without a value are omitted. */
export type EmvField = readonly [tag: string, value: string | readonly EmvField[] | undefined];

const checksumTag = '63';

/** CRC-16/CCITT-FALSE (polynomial 1021, initial value FFFF) of ASCII text, four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/**
 * Encodes fields in the given order. Throws a RangeError for a tag that is not two digits, and for a value that is
 * longer than 99 characters or not printable ASCII: readers count bytes, so other values have ambiguous lengths.
 */
export function writeFields(fields: readonly EmvField[]): string {
  return fields.map(([tag, value]) => writeField(tag, value)).join('');
}

function writeField(tag: string, fieldValue: EmvField[1]): string {
  const value = typeof fieldValue === 'string' || fieldValue === undefined ? fieldValue : writeFields(fieldValue);
  if (!value) return '';
  if (!/^[0-9]{2}$/.test(tag)) throw new RangeError(`Invalid tag: ${tag}`);
  if (value.length > 99)
    throw new RangeError(`Field ${tag} of a code has ${value.length} characters; the maximum is 99`);
  if (!/^[ -~]+$/.test(value)) throw new RangeError(`Field ${tag} of a code has characters that are not ASCII`);
  return tag + String(value.length).padStart(2, '0') + value;
}

/** A complete payload: the format indicator, the fields, and the CRC over everything before its own four digits. */
export function writePayload(fields: readonly EmvField[]): string {
  const prefix = `${writeFields([['00', '01'], ...fields])}${checksumTag}04`;
  return prefix + crc16(prefix);
}
