// florin words: checks names and prose against docs/glossary.md.
import { checkWords } from '../words.ts';
import { defineCommand } from './command.ts';

export const words = defineCommand({
  usage: 'florin words [path ...]: checks the files and folders of the arguments, or all tracked files.',
  positionals: { least: 0, most: 10_000 },
  run: async (_values, paths) => checkWords(paths),
});
