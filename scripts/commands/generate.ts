// florin generate: Prisma's client.
import { generateClient } from '../generate.ts';
import { defineCommand } from './command.ts';

export const generate = defineCommand({
  usage: "florin generate: generates the database client from Prisma's schema, unless it is current.",
  run: async () => generateClient(),
});
