// Finds or installs what the tests need: a Chromium for the pages, Firefox and WebKit for the payment page, and PHP and
// Python for the examples of the documentation.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/install.ts';
import { messageOf, root } from '../../scripts/project.ts';
import type { Engine } from '../engines/tab.ts';

// The headless shell first: it needs a fifth less CPU for the same tests.
const shell = '/usr/bin/chromium-headless-shell';
const usual = [shell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of a browser: CHROMIUM_PATH, the system's, Playwright's own download, or Debian's package. */
export async function findBrowser(): Promise<string> {
  const named = namedFile('CHROMIUM_PATH');
  if (named) return named;
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

/** The file that a variable names; throws if there is none of this name. */
function namedFile(variable: string): string | undefined {
  const named = process.env[variable]?.trim();
  if (named && !existsSync(named)) throw new Error(`${variable} names no file: ${named}`);
  return named || undefined;
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

type OtherEngine = {
  project: Engine;
  name: string;
  variable: string;
  usual: string[];
  /** A file that is needed besides. */
  needs?: string;
  packages: string[];
};

const otherEngines: OtherEngine[] = [
  {
    project: 'firefox',
    name: 'Firefox',
    variable: 'FIREFOX_PATH',
    usual: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
    packages: ['firefox-esr'],
  },
  {
    project: 'webkit',
    name: 'WebKit',
    variable: 'WEBKIT_DRIVER_PATH',
    usual: ['/usr/bin/WebKitWebDriver'],
    needs: '/usr/bin/Xvfb',
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
];

/**
 * The engines besides Chromium that are here: their Playwright projects, their paths by variable, and a line for each
 * missing one. In continuous integration (CI) a missing one is installed, and it is an error if that fails.
 */
export async function findOtherEngines() {
  const found = { projects: [] as Engine[], paths: {} as Record<string, string>, missing: [] as string[] };
  for (const { project, name, variable, usual, needs, packages } of otherEngines) {
    const find = () =>
      !needs || existsSync(needs) ? (namedFile(variable) ?? usual.find((path) => existsSync(path))) : undefined;
    const error =
      find() || !process.env.CI ? '' : await installPackages(...packages).then(() => 'not found afterwards', messageOf);
    const path = find();
    const remedy = `apt-get install ${packages.join(' ')}, or set ${variable}`;
    if (path) {
      found.projects.push(project);
      found.paths[variable] = path;
    } else if (process.env.CI) throw new Error(`${name} is missing and could not be installed (${error}): ${remedy}.`);
    else found.missing.push(`not tested in ${name}, which is missing here: ${remedy}`);
  }
  return found;
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
