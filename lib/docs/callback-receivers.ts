// Builds callback receivers in every language. docs/templates/receivers has a file per language with the receiver, and
// per protocol the part that computes the hash.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fenceWords } from './request-samples.ts';
import { languages } from './samples/index.ts';

/** Returns the receiver for the callbacks of a protocol (`s2s-card`), one block per language. */
export async function receiverBlocks(protocol: string): Promise<string> {
  const blocks = languages.map(async ({ id }) => {
    const text = await readFile(join(process.cwd(), 'docs', 'templates', 'receivers', `${id}.md`), 'utf8');
    const word = fenceWords[id];
    const part = (name: string) => {
      const block = new RegExp(`^\`\`\`${word} ${name}\\n(.*?)\\n\`\`\`$`, 'ms').exec(text)?.[1];
      if (block === undefined) throw new Error(`docs/templates/receivers/${id}.md has no ${name}.`);
      return block;
    };
    const program = part('receiver').replace(/^HASH$/m, () => part(protocol));
    return `\`\`\`${word} tab=receiver-${protocol} receives=${protocol}\n${program}\n\`\`\``;
  });
  return (await Promise.all(blocks)).join('\n\n');
}
