// Where the flags of a serving process are written out, because nothing can be imported there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, serverFlags } from './project.mjs';

const text = (file: string) => readFileSync(join(root, file), 'utf8');

it('everybody who starts the server tells Node the same', () => {
  expect(serverFlags).not.toEqual([]);
  const flags = serverFlags.join(' ');
  expect(JSON.parse(text('package.json')).scripts.start).toBe(`exec node ${flags} scripts/start.mjs`);
  expect(text('Dockerfile')).toContain(
    `CMD ${JSON.stringify(['node', ...serverFlags, 'dist/server.js']).replaceAll(',', ', ')}`,
  );
  expect(text('docs/scaling.md')).toContain(`\`node ${flags} dist/server.js\``);
});
