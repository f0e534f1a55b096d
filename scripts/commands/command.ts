// What a command of the florin command line is: its options, and its work. Options are parsed here, so that every command
// rejects unknown ones in the same way.
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A command with parsed options; `run` returns the exit code, 0 when absent. */
export type Command = { usage: string; run: (args: string[]) => Promise<number | undefined> };

/** The values that Node parses for the options `Options`. */
export type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: true }>
>['values'];

type Definition<Options extends ParseArgsOptionsConfig> = {
  /** The lines that --help prints. */
  usage: string;
  options?: Options;
  /** Accepted numbers of arguments that are not options; none by default. */
  positionals?: { least: number; most: number };
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing.
  run: (values: Values<Options>, positionals: string[]) => Promise<number | void>;
};

/** Wrong arguments: the command line prints the message with the usage and ends with 2. */
export class UsageError extends Error {}

/** A command from its definition. */
export function defineCommand<const Options extends ParseArgsOptionsConfig = Record<never, never>>({
  usage,
  options,
  positionals = { least: 0, most: 0 },
  run,
}: Definition<Options>): Command {
  return {
    usage,
    run: async (args) => {
      const parsed = parse({ args, options, allowPositionals: true, strict: true });
      if (parsed.positionals.length < positionals.least) throw new UsageError('An argument is missing.');
      // The arguments are not repeated: one may be a card number or a key.
      if (parsed.positionals.length > positionals.most) {
        throw new UsageError(`Too many arguments: this command takes ${positionals.most || 'none'}.`);
      }
      return (await run(parsed.values as Values<Options>, parsed.positionals)) ?? undefined;
    },
  };
}

function parse(config: ParseArgsConfig) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
