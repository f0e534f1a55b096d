/**
 * Describes the formats of lib/methods/formats.ts as text, as JSON Schema and by a valid sample, for the documentation,
 * the API documents and the examples. A test compares them with the checks.
 */

type FormatDescription = { text: string; schema: { readonly [name: string]: unknown }; sample: string };
type FormatDescriber = (...measures: string[]) => FormatDescription;

const string = { type: 'string' };
/** JSON numbers are accepted. */
const number = { type: ['string', 'number'] };

const fixed =
  (text: string, sample: string, schema: object = string) =>
  (): FormatDescription => ({
    text,
    sample,
    schema: { ...schema },
  });

/** Plausible numbers of each country. */
const phones: { readonly [country: string]: string } = {
  BJ: '+2290197000000',
  GH: '+233241234567',
  TG: '+22890112345',
  IN: '+918123456789',
  EG: '+201001234567',
  ID: '+62812345678',
  SA: '+966512345678',
  UG: '+256712345678',
  AE: '+971501234567',
  CI: '+2250701020304',
  CM: '+237671234567',
  TZ: '+255621234567',
};

const lengths = (least: string | undefined, most: string | undefined) => ({
  ...string,
  minLength: Number(least),
  maxLength: Number(most),
});
const span = (least: string | undefined, most: string | undefined) => (least === most ? least : `${least} to ${most}`);
const cut = (text: string, most: string | undefined) => text.slice(0, Number(most)).trim();

const describers: { readonly [word: string]: FormatDescriber } = {
  text: (most) => ({
    text: `text, up to ${most} characters`,
    schema: { ...string, minLength: 1, maxLength: Number(most) },
    sample: cut('Sample text', most),
  }),
  digits: (most) => ({
    text: `digits, up to ${most}`,
    schema: { ...number, pattern: `^[0-9]{1,${most}}$` },
    sample: '3',
  }),
  exactly: (count) => ({
    text: `${count} digits`,
    schema: { ...string, pattern: `^[0-9]{${count}}$` },
    sample: '1'.repeat(Number(count)),
  }),
  decimal: (most) => ({
    text: `decimal number, up to ${most} characters`,
    schema: { ...number, pattern: '^[0-9]+(\\.[0-9]+)?$', maxLength: Number(most) },
    sample: '1.00',
  }),
  money: (whole, parts) => ({
    text: `decimal number, up to ${whole} digits and ${parts} decimals`,
    schema: { ...number, pattern: `^[0-9]{1,${whole}}(\\.[0-9]{1,${parts}})?$` },
    sample: '1.00',
  }),
  phone: (most) => ({
    text: `phone number, up to ${most} characters`,
    schema: { ...number, pattern: '^\\+?[0-9]+$', maxLength: Number(most) },
    sample: '51987654321',
  }),
  country: fixed('country, alpha-2', 'GB', { ...string, pattern: '^[A-Za-z]{2}$' }),
  'country-or-digits': fixed('country, alpha-2 or three digits', 'GB', {
    ...string,
    pattern: '^([A-Za-z]{2}|[0-9]{3})$',
  }),
  currency: fixed('currency, three letters', 'EUR', { ...string, pattern: '^[A-Za-z]{3}$' }),
  one: (...choices) => ({
    text: `one of ${choices.join(', ')}`,
    schema: { ...number, anyOf: [{ enum: choices }, { type: 'number' }] },
    sample: choices[0] ?? '',
  }),
  url: fixed('http or https address', 'https://shop.example/p/1', { ...string, format: 'uri' }),
  boolean: fixed('true or false', 'true', { enum: [true, false, 'true', 'false', '1', '0', 1, 0] }),
  uuid: fixed('UUID', '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88', { ...string, format: 'uuid' }),
  month: fixed('month, two digits', '01', { ...string, pattern: '^(0[1-9]|1[0-2])$' }),
  year: fixed('year, four digits', '2038', { ...string, pattern: '^20[0-9]{2}$' }),
  expiry: fixed('MM/YYYY', '01/2038', { ...string, pattern: '^(0[1-9]|1[0-2])/20[0-9]{2}$' }),
  between: (least, most) => ({
    text: `text, ${least} to ${most} characters`,
    schema: lengths(least, most),
    sample: 'a sentence of some length'.slice(0, Math.max(Number(least), Math.min(Number(most), 12))).trim(),
  }),
  alnum: (least, most) => ({
    text: `letters and digits, ${span(least, most)}`,
    schema: { ...string, pattern: `^[A-Za-z0-9]{${least},${most}}$` },
    sample: 'A1'.repeat(50).slice(0, Math.max(Number(least), Math.min(Number(most), 10))),
  }),
  answer: (least, most) => ({
    text: `text without spaces, ${least} to ${most} characters`,
    schema: { ...lengths(least, most), pattern: '^\\S+$' },
    sample: 'tulip',
  }),
  email: fixed('e-mail address', 'ana@example.com', {
    ...string,
    maxLength: 255,
    pattern: '^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$',
  }),
  msisdn: (country) => ({
    text: country ? `phone number of ${country}` : 'phone number with country code',
    schema: number,
    sample: phones[country ?? ''] ?? '+254712345678',
  }),
  upi: fixed('UPI address, name@bank', 'ana@okbank', {
    ...string,
    pattern: '^[A-Za-z0-9._-]+@[A-Za-z][A-Za-z0-9.-]+$',
  }),
  swift: fixed('SWIFT code, 8 or 11 characters', 'MBBEMYKL', {
    ...string,
    pattern: '^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$',
  }),
  coin: fixed('code of a currency or coin', 'USDT', { ...string, pattern: '^[A-Za-z0-9]{2,10}$' }),
  datetime: fixed('ISO 8601, UTC', '2020-01-31T10:00:00Z', { ...string, format: 'date-time' }),
  base64: fixed('Base64', 'SGVsbG8=', { ...string, contentEncoding: 'base64' }),
  pin: (least, most) => ({
    text: `digits and letters, ${span(least, most)}`,
    schema: string,
    sample: '4071'.repeat(20).slice(0, Math.max(Number(least), Math.min(Number(most), 16))),
  }),
  header: (most) => ({
    text: `visible ASCII without blanks, up to ${most}`,
    schema: { ...string, pattern: `^[!-~]{1,${most}}$` },
    sample: 'key-1',
  }),
  'by-currency': fixed('a text for each currency', 'EUR=1234', string),
  'cpf-or-cnpj': fixed('CPF or CNPJ', '529.982.247-25'),
  cuil: fixed('CUIL', '20-12345678-6'),
  rut: fixed('RUT', '12.345.678-5'),
  tckn: fixed('TCKN', '10000000146'),
  curp: fixed('CURP', 'HEGG560427MVZRRL04'),
  cpf: fixed('CPF', '529.982.247-25'),
  account: fixed('card number, or #NA', '#NA'),
};

/** Describes a format: `text 100`, `one M CM KG`. Throws for an unknown one. */
export function describeFormat(format: string): FormatDescription {
  const [word = '', ...measures] = format.split(' ');
  const make = describers[word];
  if (!make) throw new Error(`no description for the format ${format}`);
  return make(...measures);
}

/** The first words of the described formats. */
export const describedFormats: readonly string[] = Object.keys(describers);
