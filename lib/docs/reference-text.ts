// Writes the reference of a protocol as Markdown.
import { env } from '../config/index.ts';
import type { DocumentName, OpenApi } from '../core/openapi.ts';
import { code, tableOf } from './markdown-table.ts';
import { type Block, type FieldTable, type Inline, type Part, partsIn } from './reference.ts';
import { formName, titleOf } from './schema-description.ts';

/** The whole reference of a protocol. */
export function referenceText(document: OpenApi, name: DocumentName): string {
  const { info, servers } = document;
  return [
    `# ${titleOf(document)}`,
    info.description,
    `Version ${info.version}, at ${code(servers[0]?.url ?? '')}. Generated from ${env.baseUrl}/openapi/${name}.json, an OpenAPI 3.1 document.`,
    ...partsIn(document).map((part) => textOf(part, 2)),
    '## Errors',
    'Every error code, with its cause and its remedy: [Errors](/docs/reference/errors).',
  ].join('\n\n');
}

/** One part of the reference as a page; '' for an unknown one. */
export function partText(document: OpenApi, slug: string): string {
  const part = partsIn(document).find((each) => each.slug === slug);
  return part ? textOf(part, 1) : '';
}

/** A part whose heading has the level `depth`. */
function textOf({ name, blocks }: Part, depth: number): string {
  const shown = blocks().filter(({ only }) => only !== 'page');
  return [`${'#'.repeat(depth)} ${name}`, ...shown.map((block) => blockText(block, depth + 1))].join('\n\n');
}

function blockText(block: Block, depth: number): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(depth)} ${block.text}`;
    case 'text':
      return block.parts.map(inlineText).join('').trimEnd();
    case 'list':
      return block.items.map((item) => `- ${item.map(inlineText).join('')}`).join('\n');
    case 'table':
      return tableOf(
        block.head,
        block.rows.map(({ name, text }) => [code(name), text]),
      );
    case 'fields':
      return fieldTable(block);
    case 'formulas': {
      const [only, ...others] = block.formulas;
      if (only && others.length === 0) return code(only.formula);
      return block.formulas.map(({ when, formula }) => `- ${when}: ${code(formula)}`).join('\n');
    }
    case 'code': {
      const { title, language, text } = block;
      return `${title === undefined ? '' : `${title}:\n\n`}\`\`\`${language}\n${text}\n\`\`\``;
    }
  }
}

function inlineText(part: Inline): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return code(part.code);
  return 'name' in part ? `${code(part.name)} ` : `[${inlineText(part.link)}](${part.href})`;
}

function fieldTable({ lines, words, isForm }: FieldTable): string {
  const rows = lines.map(({ path, need, kind, description, rules }) => [
    code(isForm ? formName(path) : path),
    words[need],
    path === 'hash' ? 'The signature.' : [description, ...rules].filter(Boolean).join(' '),
    kind,
  ]);
  return tableOf(['Field', 'Need', 'Meaning', 'Type'], rows);
}
