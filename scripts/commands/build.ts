// florin build: builds what is outdated.
import { build } from '../build.ts';
import { defineCommand } from './command.ts';

export const buildCommand = defineCommand({
  usage: 'florin build: builds browser scripts, server and pages, unless the last build is current.',
  run: async () => build(),
});
