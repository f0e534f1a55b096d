// florin imports: checks the import rules of .dependency-cruiser.cjs.
import { checkImports } from '../imports.ts';
import { defineCommand } from './command.ts';

export const imports = defineCommand({
  usage: 'florin imports: checks the import rules of .dependency-cruiser.cjs, and that every room of lib is described.',
  run: async () => checkImports(),
});
