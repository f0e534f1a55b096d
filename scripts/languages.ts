// Finds PHP and Python for the tests of the documentation's examples, or installs them from Debian.
import { run } from './install.ts';
import { messageOf } from './project.ts';

type Language = { name: string; variable: string; command: string; asks: string[]; packages: string[] };

const wanted: Language[] = [
  {
    name: 'PHP 8 with its curl extension',
    variable: 'PHP_PATH',
    command: 'php',
    asks: ['-r', 'exit(PHP_VERSION_ID >= 80000 && extension_loaded("curl") ? 0 : 1);'],
    packages: ['php-cli', 'php-curl'],
  },
  {
    name: 'Python 3.8 or newer',
    variable: 'PYTHON_PATH',
    command: 'python3',
    asks: ['-c', 'import sys; sys.exit(0 if sys.version_info >= (3, 8) else 1)'],
    packages: ['python3'],
  },
];

/** The interpreters by variable, PHP_PATH and PYTHON_PATH: as set, from the path, or installed. */
export async function findLanguages(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const language of wanted) found[language.variable] = await find(language);
  return found;
}

async function find({ name, variable, command, asks, packages }: Language): Promise<string> {
  const named = process.env[variable]?.trim();
  const works = () =>
    run(named || command, asks).then(
      () => true,
      () => false,
    );
  if (await works()) return named || command;
  if (named) throw new Error(`${variable} is ${named}, which is not ${name}.`);
  const error = await install(packages);
  if (await works()) return command;
  throw new Error(
    `The documentation's examples need ${name}, which was not found and could not be installed (${error}): ` +
      `install ${packages.join(' and ')}, or set ${variable}.`,
  );
}

/** The reason of a failure, as one sentence. */
async function install(packages: string[]): Promise<string> {
  if (process.getuid?.() !== 0) return "Debian's packages need root";
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-q'], quiet, 120);
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet, 300);
    return 'it was installed and still does not do';
  } catch (error) {
    return messageOf(error);
  }
}
