// Generates the reference of a protocol as Markdown from its OpenAPI document.

import { env } from '../config/index.ts';
import type { DocumentName, Formula, OpenApi, OperationError, Schema } from '../core/openapi.ts';
import { errorAnchor } from './error-anchor.ts';
import { tableOf } from './markdown-table.ts';
import {
  type FieldLine,
  formLines,
  formName,
  givenWords,
  kindOf,
  leavesOf,
  linesOf,
  needWords,
  operationSlug,
  type Placed,
  placedIn,
  requestLinesOf,
  schemaAt,
  titleOf,
} from './schema-description.ts';

const code = (text: string) => `\`${text}\``;
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

/** The whole reference of a protocol. */
export function referenceText(document: OpenApi, name: DocumentName): string {
  const { info, servers, components } = document;
  const card = components.schemas['parameters.card'];
  return [
    `# ${titleOf(document)}`,
    info.description,
    `Version ${info.version}, at ${code(servers[0]?.url ?? '')}. Generated from ${env.baseUrl}/openapi/${name}.json, an OpenAPI 3.1 document.`,
    ...placedIn(document).flatMap((each) => operationText(each, document)),
    ...callbackText(document),
    ...(card ? cardText(card) : []),
    '## Errors',
    'Every error code, with its cause and its remedy: [Errors](/docs/reference/errors).',
  ].join('\n\n');
}

/** One part of the reference as a page: an operation, `callbacks`, or `card-parameters`. */
export function partText(document: OpenApi, part: string): string {
  const placed = placedIn(document).find(({ operation }) => operationSlug(operation.name) === part);
  const card = document.components.schemas['parameters.card'];
  const blocks = placed
    ? operationText(placed, document)
    : part === 'callbacks' || !card
      ? callbackText(document)
      : cardText(card);
  // Headings are one level higher than in the whole reference.
  return blocks.join('\n\n').replace(/^#(#+ )/gm, '$1');
}

function operationText({ operation, method, path, withToken }: Placed, document: OpenApi): string[] {
  const { schemas } = document.components;
  const base = document.servers[0]?.url ?? '';
  const isForm = Object.keys(document.paths).length < placedIn(document).length;
  const { name, summary, request, answer, examples, formulas, errors } = operation;
  const requestSchema = schemaAt(schemas, request);
  const responseSchema = schemaAt(schemas, answer);
  const bodySchema = responseSchema.anyOf || responseSchema.properties ? responseSchema : (responseSchema.items ?? {});
  const refused = requestSchema['x-refused'] ?? [];
  return [
    `## ${name}`,
    summary,
    code(`${method} ${base}${path}`),
    ...(withToken ? ['Send the session’s token in the header `Token`.'] : []),
    fieldTable(requestLinesOf(requestSchema), needWords, isForm),
    ...(refused.length > 0 ? [`These fields are refused: ${refused.map(code).join(' ')}`] : []),
    '### Signature',
    signatureText(formulas),
    '### Request',
    ...examples.flatMap(({ summary: title, value }) => [
      ...(examples.length > 1 ? [`${title}:`] : []),
      isForm ? block('text', formLines(value).join('\n')) : block('json', JSON.stringify(value, null, 2)),
    ]),
    '### Response',
    block('json', JSON.stringify(responseSchema.examples?.[0], null, 2)),
    sentText(linesOf(bodySchema), false),
    '### Errors',
    errors.map(errorLine).join('\n'),
  ];
}

const errorLine = ({ key, code: number, message }: OperationError) =>
  `- [${code(`${number}`)}](/docs/reference/errors#${errorAnchor(key)}) ${message}`;

function signatureText(formulas: readonly Formula[]): string {
  if (formulas.length === 0) return 'This request is not signed. The token identifies the session.';
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
  return tableOf(['Field', 'Need', 'Meaning', 'Type'], rows);
}

/** The table of the fields that Florin sends, and the names of those that a mapping enables. */
function sentText(lines: readonly FieldLine[], isForm: boolean): string {
  const switched = lines.filter(({ isSwitched }) => isSwitched).map(({ path }) => code(path));
  const table = fieldTable(
    lines.filter(({ isSwitched }) => !isSwitched),
    givenWords,
    isForm,
  );
  return switched.length === 0
    ? table
    : `${table}\n\nSent where the [protocol mapping](/docs/reference/mapping#fields) enables them: ${switched.join(' ')}`;
}

function callbackText({ webhooks, components }: OpenApi): string[] {
  const { description, 'x-callback': callback } = webhooks.callback.post;
  const { body, headers, examples, formulas } = callback;
  return [
    '## Callbacks',
    `${callback.summary} ${description} Form-encoded. Answer with any 2xx within 10 seconds; the usual body is \`OK\`.`,
    sentText(linesOf(schemaAt(components.schemas, body)), true),
    '### Signature',
    signatureText(formulas),
    '### Headers',
    tableOf(
      ['Header', 'Meaning'],
      headers.map((header) => [code(header.name), header.description]),
    ),
    '### Examples',
    ...examples.flatMap(({ summary, value }) => [`${summary}:`, block('text', formLines(value).join('\n'))]),
  ];
}

function cardText(schema: Schema): string[] {
  const rows = leavesOf(schema, '').map(({ path, schema: leaf }) => [code(path), leaf.description ?? kindOf(leaf)]);
  return ['## Card parameters', schema.description ?? '', tableOf(['Name', 'Meaning'], rows)];
}
