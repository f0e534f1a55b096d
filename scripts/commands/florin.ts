// The florin command line: finds the command of the arguments in the table and runs it. Unknown commands and options end
// with 2, a failed command with 1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../project.ts';
import { UsageError } from './command.ts';
import type { Row } from './deployment.ts';

/** Commands by their group's title. */
export type Groups = Record<string, Row[]>;

/** The text of `florin --help`. */
export function help(groups: Groups): string {
  const rows = Object.values(groups).flat();
  const width = Math.max(...rows.map(({ name }) => name.length));
  const sections = Object.entries(groups).map(
    ([title, list]) =>
      `${title}\n${list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}\n`,
  );
  const usage = 'npm run florin -- <command> [options]; florin <command> --help describes one.';
  return `${usage}\n\n${sections.join('\n')}`;
}

/** The command that the arguments begin with, and the arguments after its name; throws a UsageError for none. */
export function findCommand(args: string[], groups: Groups): { row: Row; rest: string[] } {
  const rows = Object.values(groups).flat();
  for (const words of [2, 1]) {
    const row = rows.find(({ name }) => name === args.slice(0, words).join(' '));
    if (row && row.name.split(' ').length === words) return { row, rest: args.slice(words) };
  }
  const [first = '', second] = args;
  const group = rows.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length === 0) throw new UsageError(`There is no command ${first}; florin --help lists all.`);
  const unknown = second === undefined ? 'The command is incomplete' : `There is no command ${first} ${second}`;
  throw new UsageError(`${unknown}: florin ${group.join(', florin ')}`);
}

/** Runs the command of the arguments and sets the exit code. */
export async function florin(args: string[], groups: Groups): Promise<void> {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help') {
    console.log(help(groups));
    return;
  }
  try {
    const { row, rest } = findCommand(args, groups);
    const wantsHelp = rest[0] === '--help' || rest[0] === '-h';
    process.exitCode = 'load' in row ? await runModule(row, rest, wantsHelp) : await runTool(row, rest, wantsHelp);
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseError(error);
    console.error(isUsage || isExpected(error) ? (error as Error).message : error);
    process.exitCode = isUsage ? 2 : 1;
  }
}

async function runModule(row: Extract<Row, { load: unknown }>, args: string[], wantsHelp: boolean) {
  const command = await row.load();
  if (wantsHelp) {
    console.log(command.usage);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\n\n${command.usage}`);
    throw error;
  }
}

// A tool is a program of its own: it reads its arguments and sets the exit code.
async function runTool({ file }: { file: string }, args: string[], wantsHelp: boolean) {
  const path = join(root, file);
  if (wantsHelp) {
    const lines = readFileSync(path, 'utf8').split('\n');
    const end = lines.findIndex((line) => !line.startsWith('//'));
    const text = lines.slice(0, end).filter((line) => !line.startsWith('// @'));
    console.log(text.map((line) => line.replace(/^\/\/ ?/, '')).join('\n'));
    return 0;
  }
  process.argv.splice(1, process.argv.length - 1, path, ...args);
  await import(pathToFileURL(path).href);
  return process.exitCode ?? undefined;
}

function isParseError(error: unknown) {
  return error instanceof TypeError && (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
}

// A plain Error is a message for the person at the terminal; a subclass or a system error is a error with a stack.
function isExpected(error: unknown) {
  return error instanceof Error && error.name === 'Error' && (error as NodeJS.ErrnoException).code === undefined;
}
