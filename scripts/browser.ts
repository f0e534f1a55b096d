// Finds or installs a Chromium for the page tests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './install.ts';
import { messageOf, root } from './project.ts';

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
  for (const get of [download, installPackage]) {
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

async function installPackage() {
  if (process.getuid?.() !== 0) throw new Error("Debian's package needs root.");
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], quiet, 120);
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium-headless-shell'], quiet, 300);
}
