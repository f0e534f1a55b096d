// Writes the example requests in every language, as Markdown blocks that pages render as tabs.
import { layOut, type SignatureValues } from '../core/signatures.ts';
import { findRegisteredAction, valuesIn } from '../protocols/index.ts';
import { type Operation, operations } from './example-requests.ts';
import { orderNumberFor, type Reader } from './reader-credentials.ts';
import { sampleOf } from './samples/from-request.ts';
import { languages } from './samples/index.ts';
import type { Language, Sample } from './samples/sample.ts';

/** The language names of Markdown fences. */
export const fenceWords: Readonly<Record<Language['id'], string>> = {
  shell: 'sh',
  node: 'js',
  php: 'php',
  python: 'python',
};

/** Returns the blocks of an operation, one per language, each with a new order number. */
export function exampleBlocks(name: string, reader: Reader): string {
  const operation = operations[name];
  if (!operation) throw new Error(`There is no operation ${name}.`);
  const { needs, says } = operation;
  const rules = `${needs === undefined ? '' : ` needs=${needs}`} says=${says}`;
  const blocks = languages.map(({ id, write }) => {
    const { program } = write(requestOf(operation, reader));
    return `\`\`\`${fenceWords[id]} tab=${name}${rules}\n${program.trimEnd()}\n\`\`\``;
  });
  return blocks.join('\n\n');
}

function requestOf(operation: Operation, reader: Reader): Sample {
  const { protocol, action, recipe, known, headers } = operation;
  const registered = findRegisteredAction(protocol, action);
  if (!registered) throw new Error(`${protocol} has no ${action}.`);
  const number = orderNumberFor(reader);
  const body = operation.body({ key: reader.key, base: reader.base, number });
  const values: SignatureValues = { ...valuesIn(body), ...known, password: reader.password };
  const signed = recipe === null ? null : { layout: layOut(recipe, values), digest: reader.digest };
  return sampleOf(registered, body, signed, headers);
}
