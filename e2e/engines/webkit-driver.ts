// WebKit by WebDriver: Debian's WebKitWebDriver drives WebKitGTK's own small browser on a virtual screen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.ts';
import { type Browser, patience, screen, selectAll, type Tab } from './tab.ts';

const [miniBrowser = 'MiniBrowser'] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
// Full screen hides the tool bar, which is wider than a phone.
const shown = ['--full-screen'];

/** Starts a screen and the driver at `driverPath`. */
export async function startWebkit(driverPath: string): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'florin-webkit-'));
  const children: ChildProcess[] = [];
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', end);
  const size = `${screen.width}x${screen.height}x24`;
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  children.push(xvfb);
  const [display] = await once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data');
  // The bus of assistive technology is absent, and would be looked for.
  const env = {
    ...process.env,
    NO_AT_BRIDGE: '1',
    HOME: home,
    DISPLAY: `:${String(display).trim()}`,
    LANGUAGE: 'en_US',
  };
  const port = await freePort();
  children.push(spawn(driverPath, [`--port=${port}`], { env, stdio: 'ignore' }));
  const driver = `http://127.0.0.1:${port}`;
  await until(() => send('GET', `${driver}/status`));
  return {
    open: () => openTab(driver, (url) => consoleOf(url, env)),
    close: async () => {
      process.off('exit', end);
      end();
    },
  };
}

async function send(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, {
    method,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(3 * patience),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${address}: ${JSON.stringify(value)}`);
  return value;
}

async function until<Value>(work: () => Promise<Value>): Promise<Value> {
  const last = Date.now() + patience;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > last) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

/**
 * The errors that a page's documents write to the console while they load. The driver cannot read them, and a driven
 * browser does not print them: a second one, which is not driven, loads the page and ends.
 */
async function consoleOf(url: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const args = [...shown, '--exit-after-load', '--enable-write-console-messages-to-stdout=true', url];
  const child = spawn(miniBrowser, args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: patience });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  return output.split('\n').filter((line) => /CONSOLE .*ERROR/.test(line));
}

// Collects the errors of a document from the first command on.
const collect = `if (!window.testFaults) {
  const faults = (window.testFaults = []);
  const write = console.error;
  console.error = (...values) => { faults.push(values.join(' ')); write.apply(console, values); };
  addEventListener('error', (event) => {
    // An element may have an event of that name.
    if (!(event instanceof CustomEvent)) faults.push(event.message ?? 'failed: ' + event.target.outerHTML);
  }, true);
  addEventListener('unhandledrejection', (event) => faults.push(String(event.reason)));
  addEventListener('securitypolicyviolation', (event) =>
    faults.push('content security policy: ' + event.effectiveDirective + ' ' + event.blockedURI));
}`;

/** The names of WebDriver. */
const keys = { tab: '\uE004', shift: '\uE008' };

async function openTab(driver: string, loadErrors: (url: string) => Promise<string[]>): Promise<Tab> {
  const options = { binary: miniBrowser, args: ['--automation', ...shown] };
  const alwaysMatch = { 'webkitgtk:browserOptions': options };
  const started = await send('POST', `${driver}/session`, { capabilities: { alwaysMatch } });
  const session = `${driver}/session/${(started as { sessionId: string }).sessionId}`;
  const post = (path: string, body: object = {}) => send('POST', session + path, body);
  await post('/window/rect', screen);
  const faults: string[] = [];
  const elementOf = async (value: string) => {
    const found = (await post('/element', { using: 'css selector', value })) as Record<string, string>;
    return { found, path: `/element/${Object.values(found)[0]}` };
  };
  const enter = async (frame?: string) => {
    await post('/frame', { id: null });
    if (frame) await post('/frame', { id: (await elementOf(frame)).found });
  };
  const evaluate = async (expression: string, frame?: string) => {
    await enter(frame);
    const script = `${collect} return [${expression}, window.testFaults.splice(0)];`;
    const [value, found] = (await post('/execute/sync', { script, args: [] })) as [unknown, string[]];
    faults.push(...found);
    return value;
  };
  const press = (selector: string, frame?: string) =>
    until(async () => {
      await evaluate('null', frame);
      const { path } = await elementOf(selector);
      await post(`${path}/click`);
      return path;
    });
  return {
    faults,
    goto: async (url) => {
      const [errors] = await Promise.all([loadErrors(url), post('/url', { url })]);
      faults.push(...errors);
    },
    type: async (text, selector, frame) => {
      // Only a press may move the focus into a frame of another origin.
      const field = await press(selector, frame);
      await evaluate(selectAll(selector), frame);
      await post(`${field}/value`, { text });
    },
    press,
    tab: async (direction) => {
      await enter();
      const held = direction ? [keys.shift] : [];
      const key = (type: string) => (value: string) => ({ type, value });
      const down = [...held, keys.tab].map(key('keyDown'));
      const actions = [...down, ...[keys.tab, ...held].map(key('keyUp'))];
      await post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    evaluate: (expression, frame) => evaluate(expression, frame).catch(() => undefined),
    picture: async () => Buffer.from((await send('GET', `${session}/screenshot`)) as string, 'base64'),
    close: () => send('DELETE', session),
  };
}
