// Generates the tables of callback fields from the schemas of the OpenAPI documents.

import type { DocumentName } from '../core/openapi';
import { documentOf } from '../openapi';
import { tableOf } from './markdown-table';
import { givenWords, linesOf, schemaAt } from './schema-description';

/** Fields with the same description share a row. The fields that a mapping enables are in its own table. */
function fieldTable(name: DocumentName): string {
  const { webhooks, components } = documentOf(name);
  const rows = new Map<string, string[]>();
  for (const line of linesOf(schemaAt(components.schemas, webhooks.callback.post['x-callback'].body))) {
    const { path, need, description, isSwitched } = line;
    const words = path === 'hash' ? 'The signature' : description.replace(/\.$/, '');
    const key = [givenWords[need], words].join('|');
    if (!isSwitched) rows.set(key, [...(rows.get(key) ?? []), `\`${path}\``]);
  }
  const cells = [...rows].map(([key, fields]) => [fields.join(', '), ...key.split('|')]);
  return tableOf(['Field', 'There', 'Meaning'], cells);
}

/** By the names that templates use. */
export const callbackTables: Readonly<Record<string, () => string>> = {
  'callback-checkout': () => fieldTable('checkout'),
  'callback-card': () => fieldTable('s2s-card'),
  'callback-apm': () => fieldTable('s2s-apm'),
};
