// Generates the tables of payment methods from the catalogue.
import { type CredentialLine, credentialLines, type ParameterLine, parameterLines } from '../methods/catalog/lines.ts';
import { methods } from '../methods/catalog.ts';
import { formatOf } from '../methods/formats.ts';
import type { Experience, Method } from '../methods/method.ts';
import { code, tableOf } from './markdown-table.ts';

const experiences: Record<Experience, string> = {
  card: 'enters a card',
  redirect: 'opens another page',
  app: 'opens an app',
  confirm: 'confirms elsewhere',
  details: 'receives payment data',
  qr: 'scans a QR code',
  message: 'receives a link',
  crypto: 'sends coins',
  code: 'enters a one-time code',
  none: 'nothing',
};

const sorted = [...methods].sort((a, b) => (a.id < b.id ? -1 : 1));

const decidedCount = methods.filter(({ decided }) => decided).length;

const methodCount = () =>
  `${methods.length} identifiers. The specification only names the ${decidedCount} that are marked ` +
  'with a star; Florin defines their flow. Currencies and countries in brackets are derived from the ' +
  'method’s name; the MID decides.';

function purposeOf({ operations }: Method): string {
  const pays = operations.includes('purchase') ? ['payments'] : [];
  return [...pays, ...(operations.includes('credit') ? ['payouts'] : [])].join(', ');
}

function placesOf({ currencies = [], countries = [], inferred }: Method): string {
  const text = [...currencies, ...countries].join(' ');
  return inferred ? `(${text})` : text;
}

const methodTable = () =>
  tableOf(
    ['Identifier', 'Name', 'The payer', 'For', 'Currencies, countries'],
    sorted.map((method) => [
      `[${code(method.id)}](/docs/methods/${method.id})`,
      method.note === undefined ? method.name : `${method.name}: ${method.note}`,
      experiences[method.experience] + (method.decided ? ' \\*' : ''),
      purposeOf(method),
      placesOf(method),
    ]),
  );

const needs: { [need: string]: string } = { R: 'required', C: 'asked', A: 'asked, optional', O: 'optional' };

/** The format of a parameter, with its default. */
export const formatCell = ({ name, format }: ParameterLine, { defaults = {} }: Method) =>
  formatOf(format).text + (defaults[name] === undefined ? '' : `, ${defaults[name]} when absent`);

/** The cells of a setting of a MID. */
export const credentialCells = ({ name, required, secret, about }: CredentialLine) => [
  ...[code(name), required ? 'required' : 'optional', secret ? 'secret' : 'plain', about],
];

// Methods with the same lines share rows.
function linesTable(linesOf: (method: Method) => ParameterLine[]): string {
  const shared = new Map<string, { ids: string[]; method: Method; lines: ParameterLine[] }>();
  for (const method of sorted) {
    const lines = linesOf(method);
    const key = JSON.stringify([lines, method.defaults]);
    const known = shared.get(key);
    if (known) known.ids.push(method.id);
    else if (lines.length > 0) shared.set(key, { ids: [method.id], method, lines });
  }
  const rows = [...shared.values()].flatMap(({ ids, method, lines }) =>
    lines.map((line) => [
      ids.map(code).join(' '),
      code(line.name),
      needs[line.need] ?? line.need,
      formatCell(line, method),
      line.where,
    ]),
  );
  return tableOf(['Method', 'Name', 'Need', 'Format', 'Where'], rows);
}

function credentialTable(): string {
  const rows = sorted.flatMap(({ id, credentials }) =>
    credentialLines(credentials).map((line) => [code(id), ...credentialCells(line)]),
  );
  return tableOf(['Method', 'Name', 'Need', 'Kind', 'Meaning'], rows);
}

/** By the names that templates use. */
export const methodTables = {
  'method-count': methodCount,
  methods: methodTable,
  'method-parameters': () =>
    linesTable(({ parameters, payout }) => [...parameterLines(parameters), ...parameterLines(payout)]),
  'method-fields': () => linesTable(({ fields }) => parameterLines(fields)),
  'method-credentials': credentialTable,
} as const;
