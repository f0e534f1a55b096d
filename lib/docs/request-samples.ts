// Writes the example requests and the callback receivers in every language, as Markdown blocks that pages render as
// tabs.
import { layOut } from '../core/signatures.ts';
import { findRegisteredAction, valuesIn } from '../protocols/index.ts';
import { type Operation, operations } from './example-requests.ts';
import { fileText } from './pages.ts';
import { orderNumberFor, type Reader } from './reader-credentials.ts';
import { sampleOf, tabBlocks } from './samples/from-request.ts';
import type { Body, Sample } from './samples/sample.ts';

/** Returns the blocks of an operation, one per language, each with a new order number. */
export function exampleBlocks(name: string, reader: Reader): string {
  const operation = operations[name];
  if (!operation) throw new Error(`There is no operation ${name}.`);
  const { needs, says } = operation;
  const rules = `${needs === undefined ? '' : ` needs=${needs}`} says=${says}`;
  return tabBlocks(name, rules, ({ write }) => {
    const body = operation.body({ key: reader.key, base: reader.base, number: orderNumberFor(reader) });
    return write(signedSample(operation, body, reader)).program;
  });
}

type Signed = Pick<Operation, 'protocol' | 'action' | 'recipe' | 'known' | 'headers'>;

/** A request of an action as a sample, signed for the reader; `known` are signed values that it does not carry. */
export function signedSample({ protocol, action, recipe, known, headers }: Signed, body: Body, reader: Reader): Sample {
  const registered = findRegisteredAction(protocol, action);
  if (!registered) throw new Error(`${protocol} has no ${action}.`);
  const values = { ...valuesIn(body), ...known, password: reader.password };
  const signed = recipe === null ? null : { layout: layOut(recipe, values), digest: reader.digest };
  return sampleOf(registered, body, signed, headers);
}

/** Returns the receiver for the callbacks of a protocol (`s2s-card`), one block per language. */
export function receiverBlocks(protocol: string): string {
  return tabBlocks(`receiver-${protocol}`, ` receives=${protocol}`, ({ id, fence }) => {
    const file = `docs/templates/receivers/${id}.md`;
    const text = fileText(file);
    const part = (name: string) => {
      const block = new RegExp(`^\`\`\`${fence} ${name}\\n(.*?)\\n\`\`\`$`, 'ms').exec(text)?.[1];
      if (block === undefined) throw new Error(`${file} has no ${name}.`);
      return block;
    };
    return part('receiver').replace(/^HASH$/m, () => part(protocol));
  });
}
