// The reference of a protocol as Markdown, made of the same document that its page is drawn from.

import { env } from '../config';
import type { DocumentName, Formula, OpenApi, Schema } from '../core/openapi';
import { tableOf } from './markdown-table';
import {
  type FieldLine,
  formLines,
  formName,
  givenWords,
  kindOf,
  leavesOf,
  linesOf,
  needWords,
  type Placed,
  placedIn,
  schemaAt,
  titleOf,
} from './reference-words';

type Schemas = OpenApi['components']['schemas'];

const code = (text: string) => `\`${text}\``;
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

/** The reference that stands at /docs/reference/`name`. */
export function referenceText(document: OpenApi, name: DocumentName): string {
  const { info, servers, components } = document;
  const placed = placedIn(document);
  const base = servers[0]?.url ?? '';
  const isForm = Object.keys(document.paths).length < placed.length;
  const card = components.schemas['parameters.card'];
  return [
    `# ${titleOf(document)}`,
    info.description,
    `Version ${info.version}, at ${code(base)}. Made of ${env.baseUrl}/openapi/${name}.json, an OpenAPI 3.1 document.`,
    ...placed.flatMap((each) => operationText(each, base, isForm, components.schemas)),
    ...callbackText(document),
    ...(card ? cardText(card) : []),
    '## All refusals',
    tableOf(
      ['Code', 'HTTP', 'Message', 'When'],
      document['x-errors'].map(({ code: number, http, message, when }) => [
        code(`${number}`),
        `${http}`,
        message,
        when,
      ]),
    ),
  ].join('\n\n');
}

function operationText(
  { operation, method, path, withToken }: Placed,
  base: string,
  isForm: boolean,
  schemas: Schemas,
): string[] {
  const { name, summary, request, answer, examples, formulas, errors } = operation;
  const asked = schemaAt(schemas, request);
  const given = schemaAt(schemas, answer);
  const refused = asked['x-refused'] ?? [];
  return [
    `## ${name}`,
    summary,
    code(`${method} ${base}${path}`),
    ...(withToken ? ['With the header `Token`: the session’s token.'] : []),
    fieldTable(linesOf(asked), needWords, isForm),
    ...(refused.length > 0 ? [`Refused where they are sent: ${refused.map(code).join(' ')}`] : []),
    '### Signature',
    signatureText(formulas),
    '### Request',
    ...examples.flatMap(({ summary: title, value }) => [
      ...(examples.length > 1 ? [`${title}:`] : []),
      isForm ? block('text', formLines(value).join('\n')) : block('json', JSON.stringify(value, null, 2)),
    ]),
    '### Answer',
    block('json', JSON.stringify(given.examples?.[0], null, 2)),
    givenText(linesOf(given.anyOf || given.properties ? given : (given.items ?? {})), false),
    '### Refusals',
    errors.map(({ code: number, message }) => `- ${code(`${number}`)} ${message}`).join('\n'),
  ];
}

function signatureText(formulas: readonly Formula[]): string {
  if (formulas.length === 0) return 'Nothing is signed: the token says whose session it is.';
  if (formulas.length === 1) return code(formulas[0]?.formula ?? '');
  return formulas.map(({ when, formula }) => `- ${when}: ${code(formula)}`).join('\n');
}

function fieldTable(lines: readonly FieldLine[], words: Record<FieldLine['need'], string>, isForm: boolean): string {
  const rows = lines.map(({ path, need, kind, description, rules }) => [
    code(isForm ? formName(path) : path),
    words[need],
    path === 'hash' ? 'The signature.' : [description, ...rules].filter(Boolean).join(' '),
    kind,
  ]);
  return tableOf(['Field', 'Need', 'What it is', 'Kind'], rows);
}

/** Of what Florin sends: the fields, and by name alone those that a mapping switches on. */
function givenText(lines: readonly FieldLine[], isForm: boolean): string {
  const switched = lines.filter(({ isSwitched }) => isSwitched).map(({ path }) => code(path));
  const table = fieldTable(
    lines.filter(({ isSwitched }) => !isSwitched),
    givenWords,
    isForm,
  );
  return switched.length === 0
    ? table
    : `${table}\n\nWhere the [protocol mapping](/docs/mapping#fields) has them on: ${switched.join(' ')}`;
}

function callbackText({ webhooks, components }: OpenApi): string[] {
  const { description, 'x-callback': callback } = webhooks.callback.post;
  const { body, headers, examples, formulas } = callback;
  return [
    '## Callbacks',
    `${callback.summary} ${description} Form-encoded. Answer with any 2xx within 10 seconds; the usual body is \`OK\`.`,
    givenText(linesOf(schemaAt(components.schemas, body)), true),
    '### Signature',
    signatureText(formulas),
    '### Headers',
    tableOf(
      ['Header', 'What it says'],
      headers.map((header) => [code(header.name), header.description]),
    ),
    '### Examples',
    ...examples.flatMap(({ summary, value }) => [`${summary}:`, block('text', formLines(value).join('\n'))]),
  ];
}

function cardText(schema: Schema): string[] {
  const rows = leavesOf(schema, '').map(({ path, schema: leaf }) => [code(path), leaf.description ?? kindOf(leaf)]);
  return ['## Card parameters', schema.description ?? '', tableOf(['Name', 'What it is'], rows)];
}
