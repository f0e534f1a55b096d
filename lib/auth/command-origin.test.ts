import { hostname, userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { commandOrigin } from './command-origin.ts';

const own = `${userInfo().username}@${hostname()}`;

it.each([
  ['', own],
  ['ann', `ann as ${own}`],
  ['Jörg.Müller@corp', `Jörg.Müller@corp as ${own}`],
  ['ann\nbob', own],
  ['ann as bob', own],
  ['x'.repeat(65), own],
])('the origin of a command with SUDO_USER %j is %s', (sudoUser, wanted) => {
  expect(commandOrigin(sudoUser)).toBe(wanted);
});
