// The reference of a protocol as a tree of blocks, made from its OpenAPI document. components/docs/reference renders it
// as pages, reference-text.ts as Markdown.
import { type ErrorKey, errors } from '../core/errors.ts';
import type { Callback, Formula, OpenApi, Schema } from '../core/openapi.ts';
import type { FormFields } from '../http/index.ts';
import * as fields from './schema-description.ts';

/** A piece of a sentence: text, code, a name of a list of names, or a link to a page. */
export type Inline = string | { code: string } | { name: string } | { href: string; link: string | { code: string } };

/** A table of fields; `hasIds` gives each row the path of its field as its id. */
export type FieldTable = {
  kind: 'fields';
  name: string;
  lines: readonly fields.FieldLine[];
  words: Record<fields.FieldLine['need'], string>;
  isForm: boolean;
  hasIds: boolean;
};

/** `only` marks what a page or the Markdown has alone. */
export type Block = { only?: 'page' | 'text' } & (
  | { kind: 'heading'; text: string }
  | { kind: 'text'; parts: readonly Inline[]; look?: 'quiet' | 'address' }
  | { kind: 'list'; items: readonly (readonly Inline[])[] }
  | {
      kind: 'table';
      name: string;
      head: readonly string[];
      rows: readonly { name: string; text: string }[];
      hasIds?: boolean;
    }
  | FieldTable
  | { kind: 'formulas'; formulas: readonly Formula[] }
  | { kind: 'code'; language: 'json' | 'text'; text: string; title?: string; status?: string; copies?: string }
);

/** An operation, the callbacks, or the card parameters; `anchor` is its id in the list of all parts. */
export type Part = Record<'slug' | 'anchor' | 'name' | 'title' | 'summary', string> & { blocks: () => Block[] };

/** The parts of a protocol's reference in their order. */
export function partsIn(document: OpenApi): Part[] {
  const { components, webhooks } = document;
  const card = components.schemas['parameters.card'];
  const placed = fields.placedIn(document);
  // Actions of the form protocols share their paths.
  const isForm = hasActions(document);
  return [
    ...placed.map((each) => {
      const { name, summary } = each.operation;
      const blocks = () => operationBlocks(each, document, isForm);
      return { slug: fields.operationSlug(name), anchor: fields.anchorOf(name), name, title: name, summary, blocks };
    }),
    {
      ...ownPart('callbacks', 'Callbacks', 'The notification of a change to your server.', () =>
        callbackBlocks(webhooks.callback.post, components.schemas),
      ),
      title: fields.titleOf(document).replace('reference', 'callbacks'),
    },
    ...(card ? [ownPart('card-parameters', 'Card parameters', card.description ?? '', () => cardBlocks(card))] : []),
  ];
}

/** A part that is no operation. */
const ownPart = (slug: string, name: string, summary: string, blocks: Part['blocks']): Part => {
  return { slug, anchor: slug, name, title: name, summary, blocks };
};

/** Reports whether operations are actions at shared paths, in forms. */
export const hasActions = (document: OpenApi) => Object.keys(document.paths).length < fields.placedIn(document).length;

type Schemas = OpenApi['components']['schemas'];

const text = (...parts: Inline[]): Block => ({ kind: 'text', parts });
const heading = (title: string): Block => ({ kind: 'heading', text: title });

function operationBlocks(placed: fields.Placed, { components, servers }: OpenApi, isForm: boolean): Block[] {
  const { operation, method, path, withToken } = placed;
  const { name, summary, request, answer, examples, formulas } = operation;
  const requestSchema = fields.schemaAt(components.schemas, request);
  const response = fields.schemaAt(components.schemas, answer);
  const body = response.anyOf || response.properties ? response : (response.items ?? {});
  const refused = requestSchema['x-refused'] ?? [];
  const lines = fields.requestLinesOf(requestSchema);
  return [
    text(summary),
    { ...text({ code: `${method} ${servers[0]?.url ?? ''}${path}` }), look: 'address' } as Block,
    ...(withToken ? [text('Send the session’s token in the header ', { code: 'Token' }, '.')] : []),
    { ...heading('Fields'), only: 'page' },
    { kind: 'fields', name: `Fields of ${name}`, lines, words: fields.needWords, isForm, hasIds: true },
    ...namesBlock(refused, 'These fields are refused: '),
    heading('Signature'),
    formulas.length === 0
      ? text('This request is not signed. The token identifies the session.')
      : { kind: 'formulas', formulas },
    heading('Request'),
    ...examples.map(({ summary: title, value }): Block => {
      const shown = isForm ? formExample(value) : ({ language: 'json', text: JSON.stringify(value, null, 2) } as const);
      return { kind: 'code', ...shown, ...(examples.length > 1 && { title }), copies: `the request ${name}` };
    }),
    heading('Response'),
    { kind: 'code', language: 'json', text: JSON.stringify(response.examples?.[0], null, 2), status: '200' },
    ...sentBlocks({ name: `Response of ${name}`, isForm: false, hasIds: false }, body),
    heading('Errors'),
    {
      kind: 'list',
      items: operation.errors.map(({ key, code, message }) => {
        const href = `/docs/reference/errors#${errorAnchor(key)}`;
        return [{ href, link: { code: `${code}` } }, ` ${message}`];
      }),
    },
  ];
}

/** The id of an error's row: `error-204005`, or `error-100000-duplicate-payment` for a further error with the code. */
export function errorAnchor(key: string): string {
  const { code } = errors[key as ErrorKey];
  const [first] = Object.entries(errors).find(([, row]) => row.code === code) ?? [];
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return first === key ? `error-${code}` : `error-${code}-${name}`;
}

const formExample = (value: object) =>
  ({ language: 'text', text: fields.formLines(value as FormFields).join('\n') }) as const;

const namesBlock = (names: readonly string[], ...before: Inline[]): Block[] =>
  names.length === 0 ? [] : [{ kind: 'text', parts: [...before, ...names.map((name) => ({ name }))], look: 'quiet' }];

/** The fields that Florin sends, and the names of those that a mapping enables. */
function sentBlocks(table: Pick<FieldTable, 'name' | 'isForm' | 'hasIds'>, schema: Schema): Block[] {
  const lines = fields.linesOf(schema);
  const mapping = { href: '/docs/reference/mapping#fields', link: 'protocol mapping' };
  const switched = lines.filter(({ isSwitched }) => isSwitched).map(({ path }) => path);
  return [
    { kind: 'fields', ...table, lines: lines.filter(({ isSwitched }) => !isSwitched), words: fields.givenWords },
    ...namesBlock(switched, 'Sent where the ', mapping, ' enables them: '),
  ];
}

type Webhook = OpenApi['webhooks']['callback']['post'];

function callbackBlocks({ description, 'x-callback': callback }: Webhook, schemas: Schemas): Block[] {
  const { summary, body, headers, examples, formulas }: Callback = callback;
  const page = text(
    'Florin posts a callback, form-encoded, to your server when a payment changes. Answer with any 2xx status within 10 seconds; the usual body is ',
    { code: 'OK' },
    '. ',
    { href: '/docs/guide/callbacks', link: 'Callbacks' },
    ' describes retries and has receivers in four languages.',
  );
  const alone = text(
    `${summary} ${description} Form-encoded. Answer with any 2xx within 10 seconds; the usual body is `,
    { code: 'OK' },
    '.',
  );
  return [
    { ...page, only: 'page' },
    { ...alone, only: 'text' },
    { ...heading('Fields'), only: 'page' },
    ...sentBlocks({ name: 'Fields of a callback', isForm: true, hasIds: true }, fields.schemaAt(schemas, body)),
    heading('Signature'),
    { kind: 'formulas', formulas },
    heading('Headers'),
    {
      kind: 'table',
      name: 'Headers of a callback',
      head: ['Header', 'Meaning'],
      rows: headers.map(({ name, description: meaning }) => ({ name, text: meaning })),
    },
    heading('Examples'),
    ...examples.map(({ summary: title, value }): Block => {
      return { kind: 'code', ...formExample(value), title, copies: `the callback: ${title}` };
    }),
  ];
}

const cardBlocks = (schema: Schema): Block[] => [
  text(schema.description ?? ''),
  {
    kind: 'table',
    name: 'Card parameters',
    head: ['Name', 'Meaning'],
    hasIds: true,
    rows: fields
      .leavesOf(schema, '')
      .map(({ path, schema: leaf }) => ({ name: path, text: leaf.description ?? fields.kindOf(leaf) })),
  },
];
