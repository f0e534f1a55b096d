// Files as providers and accidents make them: encodings, separators, truncated and hostile lines.
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { hashed, inspect, type Open } from './encoding.ts';
import { contractMapping, type Mapping, mappingSchema } from './mapping.ts';
import { type Row, readRows } from './rows.ts';

const inChunks = (bytes: Buffer, size = 7): Open =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

async function read(content: string | Buffer, mapping: Mapping = contractMapping): Promise<Row[]> {
  const open = inChunks(Buffer.from(content));
  const rows: Row[] = [];
  for await (const row of readRows(open, await inspect(open, mapping.encoding), mapping, '2026-12-01')) rows.push(row);
  return rows;
}

const errorsOf = (rows: Row[]) =>
  rows.flatMap((row) => ('errors' in row ? row.errors.map(({ line, field }) => `${line} ${field}`) : []));
const numbersOf = (rows: Row[]) => rows.flatMap((row) => ('line' in row ? [row.number] : []));

const german = mappingSchema.parse({
  decimal: ',',
  date: 'DD.MM.YYYY',
  columns: {
    reference: 'Händlerreferenz',
    type: 'Art',
    gross: 'Betrag',
    fee: 'Gebühr',
    currency: 'Währung',
    date: 'Datum',
  },
  types: { sale: ['Zahlung', 'Umsatz'], refund: ['Erstattung'] },
});
const germanText = 'Händlerreferenz;Art;Betrag;Gebühr;Währung;Datum\nbüro-1;Zahlung;1.234,56;0,30;EUR;30.11.2026\n';
const germanLine = {
  ...{ type: 'sale', reference: 'büro-1', currency: 'EUR', grossMinor: 123456n, feeMinor: 30n, netMinor: 123426n },
  ...{ day: '2026-11-30', providerReference: null, arn: null, rrn: null, batch: null },
};

const oneByte = (text: string) => Buffer.from(text, 'latin1');
const bigEndian = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

describe('encodings', () => {
  it.each([
    ['UTF-8', Buffer.from(germanText)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${germanText}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${germanText}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(germanText, 'utf16le')],
    ['UTF-16 in the other order', bigEndian(germanText)],
    ['Windows-1252', oneByte(germanText)],
    ['line ends of Windows', Buffer.from(germanText.replaceAll('\n', '\r\n'))],
    ['tabs', Buffer.from(germanText.replaceAll(';', '\t'))],
  ])('reads %s', async (_name, bytes) => {
    expect(await read(bytes, german)).toEqual([{ number: 2, line: germanLine }]);
  });

  it('names the lines of a file in two encodings', async () => {
    const second = 'büro-2;Zahlung;1,00;0,00;EUR;30.11.2026\n';
    const rows = await read(Buffer.concat([Buffer.from(germanText), oneByte(second)]), german);
    expect([numbersOf(rows), errorsOf(rows)]).toEqual([[2], ['3 reference']]);
  });

  it('has the digest of each reading of a file that changes', async () => {
    let content = germanText;
    const open: Open = async function* () {
      yield Buffer.from(content);
    };
    const { digest } = await inspect(open, 'auto');
    const again = hashed(open);
    const read = async () => {
      for await (const _ of again.open());
      return again.digest().equals(digest);
    };
    expect(await read()).toBe(true);
    content += '\n';
    expect([await read(), await read()]).toEqual([false, false]);
  });

  it('has the same digest whatever the size of the chunks', async () => {
    const bytes = Buffer.from(germanText);
    const [one, other] = await Promise.all([1, 1000].map((size) => inspect(inChunks(bytes, size), 'auto')));
    expect(one).toEqual(other);
  });
});

const header = 'reference,provider_reference,type,gross,fee,net,currency,date,batch,arn,rrn';
const good = 'order-1,p-1,sale,84.50,0.30,84.20,EUR,2026-11-30,B1,,';

describe('bad lines', () => {
  it.each([
    ['unknown type', 'order-1,,surprise,1.00,,,EUR,2026-11-30,,,', ['3 type']],
    ['empty type', 'order-1,,,1.00,,,EUR,2026-11-30,,,', ['3 type']],
    ['amount with a decimal comma', 'order-1,,sale,"1,5",,,EUR,2026-11-30,,,', ['3 gross']],
    ['negative sale', 'order-1,,sale,-1.00,,,EUR,2026-11-30,,,', ['3 gross']],
    ['unknown currency', 'order-1,,sale,1.00,,,ZZZ,2026-11-30,,,', ['3 currency']],
    ['day that does not exist', 'order-1,,sale,1.00,,,EUR,2026-11-31,,,', ['3 date']],
    ['day in the future', 'order-1,,sale,1.00,,,EUR,2027-01-01,,,', ['3 date']],
    ['net that is not gross less fee', 'order-1,,sale,1.00,0.10,0.91,EUR,2026-11-30,,,', ['3 net']],
    ['negative fee', ',,fee,-2.00,,,EUR,2026-11-30,,,', ['3 gross']],
    ['negative fee return', ',,fee_return,-2.00,,,EUR,2026-11-30,,,', ['3 gross']],
    ['negative payout', ',,payout,-50.00,,,EUR,2026-11-30,,,', ['3 gross']],
    ['net of a fee', ',,fee,0.00,5.00,-4.00,EUR,2026-11-30,,,', ['3 net']],
    ['net of a payout', ',,payout,50.00,1.00,49.00,EUR,2026-11-30,,,', ['3 net']],
    ['no reference', ',,sale,1.00,,,EUR,2026-11-30,,,', ['3 reference']],
    ['ARN of another length', ',,sale,1.00,,,EUR,2026-11-30,,123,', ['3 arn']],
    ['long RRN', ',,sale,1.00,,,EUR,2026-11-30,,,1234567890123', ['3 rrn']],
    ['NUL', 'order\0,,sale,1.00,,,EUR,2026-11-30,,,', ['3 reference']],
    ['long text', `${'x'.repeat(256)},,sale,1.00,,,EUR,2026-11-30,,,`, ['3 reference']],
    ['several at once', 'order-1,,surprise,x,,,ZZZ,2026-11-31,,,', ['3 type', '3 currency', '3 date']],
    ['truncated line', 'order-1,,sale,1.00', ['3 line']],
    ['too many columns', `${good},more`, ['3 line']],
  ])('names line and field: %s', async (_name, line, errors) => {
    const rows = await read(`${header}\n${good}\n${line}`);
    expect([numbersOf(rows), errorsOf(rows)]).toEqual([[2], errors]);
  });

  it.each([
    ['quote that is not closed', '"order-1,,sale,1.00,,,EUR,2026-11-30,,,'],
    ['quote in the wrong place', 'or"der,,sale,1.00,,,EUR,2026-11-30,,,'],
  ])('ends at a line that cannot be read on from: %s', async (_name, line) => {
    expect(errorsOf(await read(`${header}\n${good}\n${line}`))).toEqual(['3 line']);
  });

  it('never repeats an amount or a reference in a message', async () => {
    const rows = await read(
      `${header}\n${good.replace('84.50', 'secret-amount').replace('order-1', `s${'x'.repeat(300)}`)}`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/secret-amount|xxx/);
  });

  it.each([
    ['empty file', '', ['1 file']],
    [
      'missing columns',
      'reference,type\n',
      ['1 providerReference', '1 gross', '1 fee', '1 net', '1 currency', '1 date', '1 batch', '1 arn', '1 rrn'],
    ],
    ['column twice', `${header},type\n`, ['1 type']],
    ['too many columns', `${header},${'x,'.repeat(600)}\n`, ['1 file']],
  ])('refuses a header: %s', async (_name, text, errors) => {
    const rows = await read(text);
    expect([numbersOf(rows), errorsOf(rows)]).toEqual([[], errors]);
  });

  it('ends at a line without an end, in bounded memory', async () => {
    const rows = await read(Buffer.from(`${header}\n"${'x'.repeat(200_000)}`));
    expect(errorsOf(rows)).toEqual(['2 line']);
  });
});

it('reads a header alone: a day without trade', async () => {
  expect(await read(`${header}\n`)).toEqual([]);
});

it('counts lines as editors do, with empty lines and quoted line breaks', async () => {
  const rows = await read(`${header}\n\n${good}\n"order\n2",,sale,1.00,,,EUR,2026-11-30,,,\n${good}\n`);
  expect(numbersOf(rows)).toEqual([3, 5, 6]);
});

it('reads types by the words of the mapping, and by no others', async () => {
  const words = { ...contractMapping, types: { sale: ['Purchase', 'CAPTURE'], refund: ['sale'] } };
  const line = (word: string) => good.replace('sale', word).replace('84.20', '');
  const rows = await read([header, ...['purchase', 'Capture', 'sale', 'refund', 'debit'].map(line)].join('\n'), words);
  expect(rows.map((row) => ('line' in row ? row.line.type : row.errors[0]?.field))).toEqual([
    ...['sale', 'sale', 'refund', 'refund', 'type'],
  ]);
});

it('reads signs by the type and the mapping', async () => {
  const rows = await read(
    `${header}\nr,,refund,-10.00,0.30,-10.30,EUR,2026-11-30,,,\nr,,refund,10.00,-0.30,-9.70,EUR,2026-11-30,,,`,
  );
  expect(rows.map((row) => 'line' in row && [row.line.grossMinor, row.line.feeMinor, row.line.netMinor])).toEqual([
    [1000n, 30n, -1030n],
    [1000n, -30n, -970n],
  ]);
  const negative = await read(`${header}\ns,,sale,10.00,-0.30,9.70,EUR,2026-11-30,,,`, {
    ...contractMapping,
    feesNegative: true,
  });
  expect(negative.map((row) => 'line' in row && row.line.feeMinor)).toEqual([30n]);
});

const amountsOf = (rows: Row[]) =>
  rows.map((row) => 'line' in row && [row.line.type, row.line.grossMinor, row.line.feeMinor, row.line.netMinor]);

it('reads the fee of fee lines and payouts, and a net amount with either sign', async () => {
  const lines = ['fee,0.00,5.00,-5.00', 'fee,2.00,,2.00', 'fee_return,0.00,-5.00,5.00', 'payout,50.00,1.00,51.00'];
  const rows = await read([header, ...lines.map((line) => `,,${line},EUR,2026-11-30,,,`)].join('\n'));
  expect(amountsOf(rows)).toEqual([
    ['fee', 0n, 500n, -500n],
    // A cell without an amount is no fee of zero.
    ['fee', 200n, null, -200n],
    ['fee_return', 0n, -500n, 500n],
    ['payout', 5000n, 100n, -5100n],
  ]);
});

it('reads signed amounts by their effect on the payout', async () => {
  const signed = { ...contractMapping, signed: true };
  const textOf = (lines: string[]) => [header, ...lines.map((line) => `r,,${line},EUR,2026-11-30,,,`)].join('\n');
  const good = ['sale,10.00,0.30,9.70', 'refund,-10.00,0.30,-10.30', 'chargeback_won,5.00,,', 'credit,-4.00,,'];
  const turned = ['fee,-2.00,,', 'fee,2.00,,', 'fee_return,-2.00,,', 'payout,-50.00,,', 'payout,50.00,,'];
  expect(amountsOf(await read(textOf([...good, ...turned]), signed))).toEqual([
    ['sale', 1000n, 30n, 970n],
    ['refund', 1000n, 30n, -1030n],
    ['chargeback_won', 500n, null, 500n],
    ['credit', 400n, null, -400n],
    ['fee', 200n, null, -200n],
    // A rebate, and a fee that the provider names a return.
    ['fee_return', 200n, null, 200n],
    ['fee', 200n, null, -200n],
    ['payout', 5000n, null, -5000n],
    // Collected from the merchant's bank.
    ['payout', -5000n, null, 5000n],
  ]);
  const wrong = ['sale,-1.00,,', 'refund,1.00,,', 'chargeback,1.00,,', 'chargeback_won,-1.00,,', 'credit,1.00,,'];
  const nets = ['fee,-2.00,1.00,3.00', 'payout,-50.00,0.00,50.00'];
  expect(errorsOf(await read(textOf([...wrong, ...nets]), signed))).toEqual([
    ...['2 gross', '3 gross', '4 gross', '5 gross', '6 gross', '7 net', '8 net'],
  ]);
});

it.each([
  ['4111 1111 1111 1111', '411111******1111'],
  ['VISA4111111111111111', 'VISA411111******1111'],
  ['4111111111111111EUR', '411111******1111EUR'],
  ['4111_1111_1111_1111', '411111******1111'],
  ['4111\u00a01111\u00a01111\u00a01111', '411111******1111'],
  ['4111\u20111111\u20111111\u20111111', '411111******1111'],
  ['\uff14\uff11\uff11\uff11111111111111', '411111******1111'],
])('masks %s in a reference', async (reference, masked) => {
  const rows = await read(`${header}\n${reference},${reference},sale,1.00,,,EUR,2026-11-30,${reference},,`);
  const texts = rows.map((row) => 'line' in row && [row.line.reference, row.line.providerReference, row.line.batch]);
  expect(texts).toEqual([[masked, masked, masked]]);
});

it('ignores numbers of one repeated digit, which terminals send without a number', async () => {
  const rows = await read(`${header}\n,,sale,1.00,,,EUR,2026-11-30,,${'9'.repeat(23)},000000000000`);
  expect(rows.map((row) => 'line' in row && [row.line.arn, row.line.rrn])).toEqual([[null, null]]);
});

it('expects fees of transactions only', () => {
  const rule = { type: 'fee', currency: 'EUR', percent: '0', fixed: '0.30', tolerance: '0.01' };
  expect(mappingSchema.safeParse({ ...contractMapping, fees: [rule] }).success).toBe(false);
  expect(mappingSchema.safeParse({ ...contractMapping, fees: [{ ...rule, type: 'sale' }] }).success).toBe(true);
});

it('masks card numbers, but no ids that resemble them', async () => {
  const id = '9350e542-358f-4b68-8166-012300236932';
  const rows = await read(`${header}\n4111 1111 1111 1111,${id},sale,1.00,,,EUR,2026-11-30,,,`);
  expect(rows.map((row) => 'line' in row && [row.line.reference, row.line.providerReference])).toEqual([
    ['411111******1111', id],
  ]);
});
