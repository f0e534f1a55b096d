#!/usr/bin/env node
// The florin command: `npm run florin -- <command>`, `npm start`, `npm test`. Commands are in scripts/commands.
import { ensureNode } from './node.mjs';

try {
  await ensureNode();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const { florin } = await import('./commands/florin.ts');
const { groups } = await import('./commands/table.ts');
await florin(process.argv.slice(2), groups);
