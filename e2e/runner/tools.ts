// Finds or installs what the tests need: a Chromium for the pages, and PHP and Python for the examples of the
// documentation.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/install.ts';
import { messageOf, root } from '../../scripts/project.ts';

// The headless shell first: it needs a fifth less CPU for the same tests.
const shell = '/usr/bin/chromium-headless-shell';
const usual = [shell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of a browser: CHROMIUM_PATH, the system's, Playwright's own download, or Debian's package. */
export async function findBrowser(): Promise<string> {
  const named = process.env.CHROMIUM_PATH?.trim();
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names no file: ${named}`);
    return named;
  }
  const present = usual.find((path) => existsSync(path));
  if (present) return present;
  const { chromium } = await import('playwright');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  const errors: string[] = [];
  for (const get of [download, () => installPackages('chromium-headless-shell')]) {
    try {
      await get();
    } catch (error) {
      errors.push(messageOf(error));
    }
    const found = [chromium.executablePath(), ...usual].find((path) => existsSync(path));
    if (found) return found;
  }
  throw new Error(`No Chromium was found or could be installed: set CHROMIUM_PATH.\n${errors.join('\n')}`);
}

function download() {
  const tool = join(root, 'node_modules', 'playwright', 'cli.js');
  return run(process.execPath, [tool, 'install', '--with-deps', 'chromium'], {}, 300);
}

/** Installs Debian's packages. */
async function installPackages(...names: string[]) {
  if (process.getuid?.() !== 0) throw new Error("Debian's packages need root.");
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], quiet, 120);
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], quiet, 300);
}

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
  const error = await installPackages(...packages).then(() => 'it was installed and still does not do', messageOf);
  if (await works()) return command;
  throw new Error(
    `The documentation's examples need ${name}, which was not found and could not be installed (${error}): ` +
      `install ${packages.join(' and ')}, or set ${variable}.`,
  );
}
