// Generates the page of a payment method as Markdown from its row of the catalogue: the payer's steps, the parameters,
// and signed requests in every language.
import { randomBytes } from 'node:crypto';
import { credentialLines, parameterLines } from '../methods/catalog/lines.ts';
import { defaultOperation, exampleOf } from '../methods/examples.ts';
import type { Experience, Method, MethodOperation } from '../methods/method.ts';
import { supportsPayment } from '../methods/payment-support.ts';
import { code, tableOf } from './markdown-table.ts';
import { credentialCells, formatCell } from './method-tables.ts';
import type { Reader } from './reader-credentials.ts';
import { signedSample } from './request-samples.ts';
import { tabBlocks } from './samples/from-request.ts';
import type { Body } from './samples/sample.ts';

const experiences: Record<Experience, string> = {
  card: 'enters a card on the payment page',
  redirect: 'opens a page of the provider or their bank, and returns',
  app: 'opens an app on their phone; on a desktop its link is shown as a QR code',
  confirm: 'confirms in an app or on a phone, while the page waits',
  details: 'receives payment data, and pays with them at their bank or in a shop',
  qr: 'scans a QR code with the app of their bank',
  message: 'receives a link',
  crypto: 'receives an address to send coins to',
  code: 'enters a one-time code',
  none: 'does nothing: the response is final',
};

const operationWords: Record<MethodOperation, string> = {
  purchase: 'payments (`purchase`)',
  debit: 'debits (`debit`)',
  credit: 'payouts (`credit`)',
  transfer: 'transfers (`transfer`)',
};

const kinds = { bank: 'bank', wallet: 'wallet', app: 'app', code: 'code or voucher', card: 'card', coin: 'coin' };

/** A method in one line: the payer's steps, currencies and countries. */
export function methodSummary({ experience, currencies = [], countries = [] }: Method): string {
  const places = [...currencies, ...countries].join(' ');
  return `The payer ${experiences[experience]}.${places === '' ? '' : ` ${places}`}`;
}

/** The text above the button that opens the method: name and properties. */
export function methodIntro(method: Method): string {
  const { name, id, note, experience, experienceIn = {} } = method;
  const elsewhere = Object.entries(experienceIn).map(
    ([country, other]) => `In ${country} the payer ${experiences[other]}.`,
  );
  return [
    `# ${name}`,
    `${code(id)} in \`methods\` of Checkout${method.actions.length > 0 ? ' and in `brand` of S2S APM' : ''}.`,
    [`The payer ${experiences[experience]}.`, ...elsewhere, note].filter(Boolean).join(' '),
    tableOf(['Property', 'Value'], factsOf(method)),
  ].join('\n\n');
}

function factsOf(method: Method): string[][] {
  const { operations, actions, currencies, countries, asks = [], amounts = {}, qr, voucher, decided } = method;
  const payment = { operation: defaultOperation(method), currency: currencies?.[0] ?? 'EUR' };
  const holds = supportsPayment(method, { ...payment, authorizeOnly: true });
  const chains = supportsPayment(method, { ...payment, authorizeOnly: false, recurringInit: true });
  const list = (values: readonly string[] | undefined, otherwise: string) =>
    values === undefined
      ? otherwise
      : values.map(code).join(' ') + (method.inferred ? ' (derived from the name; the MID decides)' : '');
  const limits = Object.entries(amounts).map(([currency, { least, most }]) => {
    return [least && `at least ${least} ${currency}`, most && `at most ${most} ${currency}`].filter(Boolean).join(', ');
  });
  const pays = operations.some((operation) => operation === 'purchase' || operation === 'debit');
  return [
    [
      'Kind',
      kinds[method.kind] + (decided ? '; the specification only names the method, Florin defines its flow' : ''),
    ],
    ['Operations', operations.map((operation) => operationWords[operation]).join(', ')],
    ['On S2S APM', actions.length > 0 ? actions.map(code).join(' ') : 'not available'],
    ['Currencies', list(currencies, 'every currency of the MID')],
    ['Countries', list(countries, 'everywhere')],
    ...(limits.length > 0 ? [['Amounts', limits.join('; ')]] : []),
    ...(asks.length > 0 ? [['Asked on the page', `${asks.map(code).join(' ')}, if the request does not have it`]] : []),
    ...(qr ? [['Code', `${code(qr)}${voucher ? ', with a voucher' : ''}`]] : []),
    ...(voucher ? [['Voucher', 'a barcode to pay with in a shop, as a page and as a PDF']] : []),
    ['Authorisation', pays && holds ? '`auth`, captured later' : 'no: captured at once'],
    ['Initial recurring payment', chains ? '`recurring_init`' : 'no: only cards are charged again'],
    [
      'Refund',
      pays ? 'in full or in parts, if the provider of the MID supports refunds' : 'no: a payout cannot be refunded',
    ],
    ['Payout', operations.includes('credit') ? 'yes' : 'no'],
  ];
}

/** The text below the button: parameters, rules, settings, and a request of each protocol that starts the method. */
export function methodText(method: Method, reader: Reader): string {
  const { id, parameters, payout, fields, credentials } = method;
  const settings = credentialLines(credentials).map(credentialCells);
  const parts = [
    ...parameterPart(
      'Parameters',
      `In \`parameters.${id}\` of Checkout, in \`parameters[...]\` of S2S APM.`,
      parameters,
      method,
    ),
    ...parameterPart('Parameters of a payout', 'For payouts.', payout, method),
    ...parameterPart('Rules for other fields', 'With their names on S2S.', fields, { ...method, defaults: {} }),
    ...(settings.length > 0 ? ['## MID settings', tableOf(['Name', 'Need', 'Kind', 'Meaning'], settings)] : []),
    '## A session on Checkout',
    `Opens the payment page with this method only. ${passwordNote(reader)}`,
    blocks(sessionBody(method, reader), { protocol: 'checkout', action: '/api/v1/session', recipe: 'session' }, reader),
    ...apmPart(method, reader),
  ];
  return parts.join('\n\n');
}

// Readers with their own key know its password; pages do not show it.
const passwordNote = ({ password, isOwn }: Reader) =>
  `The programs take the password of the key from \`FLORIN_PASSWORD\`${isOwn ? '.' : `: here ${code(password)}.`}`;

const needs: { readonly [need: string]: string } = {
  R: 'required',
  C: 'asked on the page; required on S2S APM',
  A: 'asked on the page, optional',
  O: 'optional',
};

function parameterPart(title: string, about: string, table: string | undefined, method: Method): string[] {
  const lines = parameterLines(table);
  if (lines.length === 0) return [];
  const rows = lines.map((line) => [
    code(line.name),
    needs[line.need] ?? line.need,
    formatCell(line, method),
    line.where === '' ? 'everywhere' : line.where,
  ]);
  return [`## ${title}`, about, tableOf(['Name', 'Need', 'Format', 'Where'], rows)];
}

const orderNumber = () => `order-${randomBytes(4).toString('hex')}`;

/** A session request with this method only, without its hash. */
export function sessionBody(method: Method, reader: Pick<Reader, 'key' | 'base'>): Body & { order: Body } {
  const { id } = method;
  const example = exampleOf(method, defaultOperation(method), false);
  const { operation, currency, country, amount, parameters, fields } = example;
  const { order_description: description = 'Two coffee cups', payer_phone: phone } = fields;
  const address = { ...(country && { country }), ...(phone && { phone }) };
  return {
    merchant_key: reader.key,
    operation,
    methods: [id],
    ...(Object.keys(parameters).length > 0 && { parameters: { [id]: parameters } }),
    order: { number: orderNumber(), amount, currency, description },
    success_url: `${reader.base}/?paid`,
    cancel_url: `${reader.base}/?cancelled`,
    customer: { name: 'Ana Petrovic', email: 'ana@example.com' },
    ...(Object.keys(address).length > 0 && { billing_address: address }),
    ...(operation === 'credit' && { payee_first_name: 'Mia', payee_last_name: 'Lindqvist' }),
  };
}

const payer: { readonly [name: string]: string } = {
  first_name: 'Ana',
  last_name: 'Petrovic',
  email: 'ana@example.com',
  phone: '254712345678',
  birth_date: '1990-05-17',
  city: 'Nairobi',
  zip: '00100',
  address: 'Main Street 1',
};

/** An S2S APM request for this method, without its hash; null if the protocol does not start it. */
export function apmBody(method: Method, reader: Pick<Reader, 'key' | 'base'>): { action: string; body: Body } | null {
  const [action] = method.actions;
  if (!action) return null;
  const isPayout = action.startsWith('CREDIT');
  const operation = isPayout ? 'credit' : action === 'SALE' ? 'purchase' : 'debit';
  const { currency, country, amount, parameters, fields } = exampleOf(method, operation, true);
  const asks = (method.asks ?? []).flatMap((name) => (name === 'name' ? ['first_name', 'last_name'] : [name]));
  const payerFields = asks.map((name) => {
    return [`payer_${name}`, name === 'country' ? (country ?? 'GB') : payer[name]];
  });
  const body = {
    action,
    client_key: reader.key,
    brand: method.id,
    order_id: orderNumber(),
    order_amount: amount,
    order_currency: currency,
    order_description: 'Two coffee cups',
    ...(isPayout ? {} : { identifier: 'ana@example.com', payer_ip: '203.0.113.7' }),
    ...Object.fromEntries(payerFields),
    ...(country && { payer_country: country }),
    ...(method.id === 'kora' &&
      isPayout && { payee_first_name: 'Awa', payee_last_name: 'Traore', payee_email: 'awa@example.com' }),
    ...fields,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(isPayout ? {} : { [action === 'SALE' ? 'return_url' : 'payer_return_url']: `${reader.base}/?back` }),
  };
  return { action, body };
}

function apmPart(method: Method, reader: Reader): string[] {
  const request = apmBody(method, reader);
  if (!request) return [];
  const { action, body } = request;
  const recipe = action.startsWith('CREDIT') ? 'apmCredit' : 'apmSale';
  return [
    '## The same on S2S APM',
    `With ${code(action)}; the request has the data that the page would ask for.`,
    blocks(body, { protocol: 's2s_apm', action, recipe }, reader),
  ];
}

function blocks(body: Body, request: Parameters<typeof signedSample>[0], reader: Reader): string {
  const sample = signedSample(request, body, reader);
  return tabBlocks(request.protocol, '', ({ write }) => write(sample).program);
}
