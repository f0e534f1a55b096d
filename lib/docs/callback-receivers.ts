// Builds callback receivers in every language. docs/templates/receivers has a file per language with the receiver, and
// per protocol the part that computes the hash.
import { fileText } from './page-source.ts';
import { tabBlocks } from './samples/index.ts';

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
