// Codes that are written from payers' and providers' texts (QR payloads, barcodes, vouchers, CSV files) and the other
// formats that are read: images, BIN lists, parameters of methods, header fields, log lines. What is written must be read
// back by an independent reader.
import fc from 'fast-check';
import { readFields, readPayload } from '../../../lib/methods/code-readers.test.support.ts';
import type { QrInput } from '../../../lib/methods/qr-input.ts';
import { plainPng } from '../../support/logo-png.ts';
import { hostileText, mutatedBytes, mutatedJson, mutatedPairs } from './mutations.ts';
import type { Parser } from './parser.ts';

type Parsers = { [name: string]: Parser };

/** The parsers of codes, files and texts. */
export function codeParsers(target: 'emv' | 'csv' | 'documents'): Promise<Parsers> {
  return { emv: qrParsers, csv: csvParsers, documents: documentParsers }[target]();
}

const textOf = (text: string) => Buffer.from(text);
const texts = hostileText.map(textOf);

const schemes = { ips: 'RSD', pix: 'BRL', promptpay: 'THB', qris: 'IDR', duitnow: 'MYR', qrph: 'PHP', upi: 'INR' };
type Scheme = keyof typeof schemes;

const order = {
  amount: '1234.50',
  orderNumber: 'order-4711',
  description: 'Two tickets',
  merchantName: 'Kiosk am Eck',
  merchantCity: 'Novi Sad',
  reference: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
};

/** Whether a reader of EMVCo codes understands the payload and the templates in it. */
function isReadable(payload: string): boolean {
  const fields = readPayload(payload);
  const isTemplate = (tag: string) => (tag >= '26' && tag <= '51') || tag === '62';
  return fields?.every(({ tag, value }) => !isTemplate(tag) || readFields(value) !== null) ?? false;
}

async function qrParsers(): Promise<Parsers> {
  const [{ qrPayload, sandboxPayee }, { qrImage, qrPng }, { parseAmount }, { readPresent }, { parseJson }] =
    await Promise.all([
      import('../../../lib/methods/qr-payload.ts'),
      import('../../../lib/methods/qr.ts'),
      import('../../../lib/core/money.ts'),
      import('../../../lib/connectors/present.wire.ts'),
      import('../../../lib/connectors/http.wire.ts'),
    ]);
  const { barsOf } = await import('../../../lib/payer/barcode.ts');
  const corpus = Object.entries(schemes).map(([scheme, currency]) =>
    Object.entries({ scheme, payeeAccount: sandboxPayee(scheme as Scheme, currency), ...order }),
  );
  const write = async (input: Buffer) => {
    // No text of an order is longer.
    const shortened = (_name: string, value: unknown) => (typeof value === 'string' ? value.slice(0, 1024) : value);
    const {
      scheme: named,
      amount: text,
      ...fields
    } = JSON.parse(input.toString(), shortened) as Record<string, string>;
    const scheme: Scheme = named !== undefined && Object.hasOwn(schemes, named) ? (named as Scheme) : 'pix';
    const amount = parseAmount(text ?? '', schemes[scheme]);
    if (!amount.ok) return;
    const money = { minor: amount.minor, currency: schemes[scheme] };
    try {
      const payload = qrPayload(scheme, { ...order, payeeAccount: '', ...fields, amount: money } as QrInput);
      if (scheme !== 'ips' && scheme !== 'upi' && !isReadable(payload)) throw new Error(`Unreadable: ${payload}`);
      qrImage(payload);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
    }
  };
  const presents = [
    { kind: 'qr', scheme: 'pix', payload: '00020126580014br.gov.bcb.pix', renewable: true },
    { kind: 'details', rows: [{ name: 'IBAN', value: 'RS35' }], barcode: '840000012345678901', symbology: 'itf' },
    { kind: 'app', url: 'upi://pay?pa=a@b' },
    { kind: 'crypto', address: 'bc1qar0srrr7xfkvy5l643', network: 'Bitcoin', currency: 'BTC', amount: '0.1' },
  ];
  const json = (value: unknown) => textOf(JSON.stringify(value));
  return {
    'payload of an order': {
      inputs: mutatedPairs(corpus).map((pairs) => json(Object.fromEntries(pairs))),
      parse: write,
    },
    "provider's presentation": {
      inputs: fc
        .oneof(
          mutatedJson(presents),
          // Long payloads in letters of several bytes.
          fc
            .tuple(fc.constantFrom('0', 'A', 'a', 'é', '漢', '💳'), fc.integer({ min: 1, max: 2100 }))
            .map(([letter, count]) => ({ ...presents[0], payload: letter.repeat(count) })),
        )
        .map(json),
      parse: async (input) => {
        const present = readPresent(parseJson(input.toString()));
        if (present?.kind === 'qr') {
          qrImage(present.payload);
          await qrPng(present.payload);
        }
        if (present?.kind === 'details' && present.barcode) await barsOf(present.barcode, present.symbology);
      },
    },
  };
}

/** The cells of a CSV file by RFC 4180. Throws if a quoted cell is not closed. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw new Error('The file is not CSV.');
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
    else if (match[3] === '') break;
  }
  return rows.filter((row) => row.length > 0);
}

async function csvParsers(): Promise<Parsers> {
  const [{ csvOf }, { readBinCountries }] = await Promise.all([
    import('../../../lib/dashboard/lists/csv.ts'),
    import('../../../lib/core/bins.ts'),
  ]);
  const rows = fc.array(fc.array(hostileText, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 });
  return {
    export: {
      inputs: rows.map((cells) => textOf(JSON.stringify(cells))),
      parse: (input) => {
        const cells = JSON.parse(input.toString()) as string[][];
        const read = readCsv(csvOf(cells));
        // The only difference that is allowed are the apostrophes before formulas.
        const bare = (table: string[][]) => JSON.stringify(table).replaceAll("'", '');
        if (bare(read) !== bare(cells)) throw new Error('The file is read back as other cells.');
        const formula = read.flat().find((cell) => cell.split(/[;\t\r\n]/).some((part) => /^[=+\-@|%]/.test(part)));
        if (formula !== undefined) throw new Error('A cell is a formula to a spreadsheet.');
      },
    },
    'BIN list': {
      inputs: mutatedBytes([textOf('\uFEFFprefix,country\r\n457173,DK\n"411111";US\n# none\n5555\tDE\n')]),
      parse: (input) => readBinCountries(input.toString()),
    },
  };
}

const jpeg = Buffer.from('ffd8ffe000104a46494600010101004800480000ffc0001108001000200301220002110103110100', 'hex');
const webp = Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBPVP8X', 'latin1'), Buffer.alloc(20, 1)]);
const svg = textOf('<?xml version="1.0"?><!-- a --><svg viewBox="0 0 20 10"></svg>');

async function documentParsers(): Promise<Parsers> {
  const [{ readImageInfo }, { voucherPdf }, { translationsOf }, { scrubLine, scrubText }] = await Promise.all([
    import('../../../lib/core/image-info.ts'),
    import('../../../lib/payer/voucher.ts'),
    import('../../../lib/http/i18n.ts'),
    import('../../../lib/telemetry/log.ts'),
  ]);
  const drawn = [order.merchantName, order.orderNumber, order.description, '8400 0001 2345', '840000012345678901'];
  return {
    image: {
      inputs: mutatedBytes([plainPng(20, 10, [1, 2, 3]), jpeg, webp, Buffer.from('GIF89a\x10\0\x10\0', 'latin1'), svg]),
      parse: (input) => readImageInfo(input),
    },
    voucher: {
      inputs: mutatedPairs([drawn.map((text, place) => [String(place), text] as const)]).map((pairs) =>
        textOf(JSON.stringify(pairs.map(([, text]) => text.slice(0, 255)))),
      ),
      parse: async (input) => {
        const [merchant = 'a', number = 'b', description = 'c', value = 'd', barcode = '1'] = JSON.parse(
          input.toString(),
        );
        const rows = [{ name: 'reference', value }];
        const amount = { minor: 123_450n, currency: 'EUR' };
        const voucher = { merchant, method: 'Axxi Cash', order: number, description, amount, rows, barcode };
        await voucherPdf(voucher, translationsOf('de'));
      },
    },
    'log line': {
      inputs: texts,
      parse: (input) => {
        // The length of a text that the request log keeps.
        const text = input.toString().slice(0, 8192);
        scrubText(text);
        scrubLine(JSON.stringify({ msg: text }));
      },
    },
    ...(await fieldParsers()),
  };
}

/** Values of single fields: of methods, of the payment page, of headers. */
async function fieldParsers(): Promise<Parsers> {
  const [{ methods }, { checkMethodParameters, requestFieldErrors }, { payerFieldNames, typedFieldError }] =
    await Promise.all([
      import('../../../lib/methods/catalog.ts'),
      import('../../../lib/methods/parameters.ts'),
      import('../../../lib/methods/fields.ts'),
    ]);
  const [{ resolveLocale }, { regionOf }] = await Promise.all([
    import('../../../lib/core/locales.ts'),
    import('../../../lib/payer/region.ts'),
  ]);
  const { parameterLinesOf } = await import('../../../lib/methods/parameters.ts');
  const withLines = methods.filter((method) => parameterLinesOf(method, {}).length > 0);
  const cards = ['card_number', 'card_expiry', 'card_cvv', 'card_holder'] as const;
  return {
    'parameters of a method': {
      inputs: fc
        .tuple(fc.nat({ max: withLines.length - 1 }), hostileText)
        .map(([place, text]) => textOf(JSON.stringify([place, text.slice(0, 4096)]))),
      parse: (input) => {
        const [place, text] = JSON.parse(input.toString()) as [number, string];
        const method = withLines[place] as (typeof withLines)[number];
        const values = Object.fromEntries(parameterLinesOf(method, {}).map(({ name }) => [name, text]));
        checkMethodParameters(method, values, { path: 'parameters', demandCollected: true, country: 'BR' });
        requestFieldErrors(method, { payer_phone: text, identifier: text, order_description: text }, true);
      },
    },
    'typed field': {
      inputs: texts,
      parse: (input) => {
        const text = input.toString().slice(0, 1000);
        for (const name of [...payerFieldNames, ...cards])
          typedFieldError(name, text, { now: new Date(0), cardNumber: text });
      },
    },
    'accepted languages': {
      inputs: texts,
      parse: (input) => {
        const acceptLanguage = input.toString().slice(0, 16_000);
        const language = resolveLocale(null, null, acceptLanguage);
        regionOf(language, { tags: [acceptLanguage.slice(0, 64)], acceptLanguage, country: acceptLanguage });
      },
    },
  };
}
