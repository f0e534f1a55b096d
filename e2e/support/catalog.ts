// The payment method catalogue as the service prints it, and a valid value for every parameter in it, so that tests can
// run every method.
import { execFileSync } from 'node:child_process';

export type Line = { name: string; format: string; need: 'R' | 'C' | 'A' | 'O'; where: string };

export type Row = {
  id: string;
  name: string;
  kind: string;
  experience: string;
  experienceIn?: { [country: string]: string };
  voucher?: true;
  operations: string[];
  actions: string[];
  currencies?: string[];
  countries?: string[];
  parameters?: Line[];
  payout?: Line[];
  fields?: Line[];
  asks?: string[];
};

/** Every row, in catalogue order. */
export const catalog: Row[] = JSON.parse(
  execFileSync(process.execPath, ['scripts/florin.mjs', 'catalog'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 }),
);

const isNoCountry = (line: Line) => line.where.split(' ').every((word) => !/^[A-Z]{2}$/.test(word));

/** The payer's country for a row: its own country, or one that its parameters require. */
export function countryOf({ countries, parameters = [] }: Row): string {
  const named = parameters.find((line) => !isNoCountry(line) && !line.where.startsWith('not'));
  return countries?.[0] ?? named?.where.split(' ')[0] ?? 'GB';
}

/** The lines that apply to a payer of the country. */
export function linesFor(lines: Line[] = [], country: string, currency: string): Line[] {
  return lines.filter(({ where }) => {
    const [first = '', ...others] = where.split(' ').filter((word) => word !== '');
    if (first === '') return true;
    return first === 'not'
      ? !others.includes(country)
      : [first, ...others].some((w) => w === country || w === currency);
  });
}

const samples: { [format: string]: (...measures: string[]) => string } = {
  text: (most) => 'Sample text'.slice(0, Number(most)).trim(),
  between: (least) => 'a sentence of some length'.slice(0, Math.max(Number(least), 12)).trim(),
  alnum: (least, most) => 'A1'.repeat(50).slice(0, Math.max(Number(least), Math.min(Number(most), 10))),
  pin: (least) => '4071'.repeat(20).slice(0, Math.max(Number(least), 8)),
  one: (first) => first ?? '',
  digits: () => '3',
  answer: () => 'tulip',
  base64: () => 'SGVsbG8=',
  boolean: () => 'true',
  coin: () => 'USDT',
  country: () => 'GB',
  cpf: () => '529.982.247-25',
  'cpf-or-cnpj': () => '529.982.247-25',
  cuil: () => '20-12345678-6',
  curp: () => 'HEGG560427MVZRRL04',
  datetime: () => '2020-01-31T10:00:00Z',
  email: () => 'ana@example.com',
  money: () => '1.00',
  msisdn: (country) => phones[country ?? ''] ?? '+254712345678',
  phone: () => '51987654321',
  rut: () => '12.345.678-5',
  swift: () => 'MBBEMYKL',
  tckn: () => '10000000146',
  upi: () => 'ana@okbank',
  url: () => 'https://shop.example/p/1',
};

/** Valid phone numbers by country. */
export const phones: { [country: string]: string } = {
  BJ: '+2290197000000',
  GH: '+233241234567',
  TG: '+22890112345',
  GB: '+447400123456',
  IN: '+918123456789',
  EG: '+201001234567',
  ID: '+62812345678',
  SA: '+966512345678',
  UG: '+256712345678',
  AE: '+971501234567',
};

/** Values of one parameter that a method's rule ties to another parameter. */
const tied: { [name: string]: string } = {
  identity: '12345678',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
};

/** Usual documents of countries, of which the page points out mistakes in numbers of a free format. */
const documents: { [country: string]: string } = {
  AR: '12.345.678',
  BR: '529.982.247-25',
  CL: '12.345.678-5',
  CO: '1020304050',
  EC: '1710034065',
  IN: 'ABCPE1234F',
  MX: 'GODE561231GR8',
  PE: '46779354',
  TR: '10000000146',
  UY: '1.234.567-2',
};

/** A valid value for the line, of a payer in the country. */
export function sampleOf({ name, format }: Line, country = ''): string {
  const [word = '', ...measures] = format.split(' ');
  const document = word === 'text' && /^(document_number|personal_id)$/.test(name) ? documents[country] : undefined;
  if (document !== undefined) return document;
  const make = samples[word];
  if (!make) throw new Error(`no sample for the format ${format} of ${name}`);
  return tied[name] ?? make(...measures);
}

/** The parameters of these lines as a request contains them; `list[].name` becomes a list with one item. */
export function parametersOf(lines: Line[]): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const line of lines) {
    const [list = '', member] = line.name.split('[].');
    if (member === undefined) parameters[line.name] = sampleOf(line);
    else parameters[list] = [{ ...(parameters[list] as object[] | undefined)?.[0], [member]: sampleOf(line) }];
  }
  return parameters;
}
