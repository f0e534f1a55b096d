// The client SDK's package as a merchant gets it: built, imported by Node from another folder, and used by the
// documentation's examples under TypeScript's strictest resolution rules.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'lib', 'client-sdk');
const timeout = 120_000;
let consumer = '';

/** Runs a program in the consumer's folder and returns its output. */
function node(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: consumer, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts', 'florin.mjs'), 'client'], { stdio: 'pipe' });
  mkdirSync(join(root, '.data'), { recursive: true });
  consumer = mkdtempSync(join(root, '.data', 'client-consumer-'));
  mkdirSync(join(consumer, 'node_modules', '@florin'), { recursive: true });
  symlinkSync(folder, join(consumer, 'node_modules', '@florin', 'client'), 'dir');
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
}, timeout);

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

test('Node imports every entry by its name', { timeout }, () => {
  const script = `
    for (const entry of ['', '/react', '/server'])
      console.log(Object.keys(await import('@florin/client' + entry)).sort().join(' '));
  `;
  expect(node('--input-type=module', '-e', script).trim().split('\n')).toEqual([
    'FlorinError createPaymentView initialize openPayment reportOutcome',
    'PaymentView',
    'createBackend verifyReturn',
  ]);
});

test('an error of one entry is the same class in the other', { timeout }, () => {
  const script = `
    import { FlorinError } from '@florin/client';
    import { createBackend } from '@florin/client/server';
    try { createBackend({}); } catch (error) { console.log(error instanceof FlorinError, error.code); }
  `;
  expect(node('--input-type=module', '-e', script).trim()).toBe('true argument');
});

test('the built files need React at most', () => {
  const built = join(folder, 'dist');
  const imported = readdirSync(built)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...readFileSync(join(built, name), 'utf8').matchAll(/\bfrom\s*"([^"]+)"/g)])
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('./'));
  expect(imported).toEqual(['react']);
  expect(readFileSync(join(built, 'noble-hashes.license.txt'), 'utf8')).toContain('Paul Miller');
});

test("the documentation's examples have the right types", { timeout }, () => {
  const page = readFileSync(join(root, 'docs', 'templates', 'guide', 'client-sdk.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(5);
  blocks.forEach(([, kind, code], index) => {
    writeFileSync(join(consumer, `example-${index}.${kind}`), `${code}\nexport {};\n`);
  });
  writeFileSync(
    join(consumer, 'webview.d.ts'),
    "declare module 'react-native-webview' { export const WebView: unknown; }",
  );
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, jsx: 'react-jsx', types: ['node'] };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }));
  try {
    node(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.');
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout));
  }
});

test('a wrong use has the wrong types', { timeout }, () => {
  writeFileSync(
    join(consumer, 'wrong.mts'),
    `import { initialize } from '@florin/client';
     const client = initialize({ backendUrl: 'https://shop.example' });
     // @ts-expect-error: an amount is a text.
     client.refundPayment({ paymentId: 'p', amount: 1 });
     // @ts-expect-error: a password goes with a key.
     initialize({ backendUrl: 'https://shop.example', password: 'p' });
     // @ts-expect-error: with a size it is a list.
     client.checkStatus({ orderId: 'o', size: 2 }).then((payment) => payment.status);
     client.checkStatus({ orderId: 'o' }).then((payment) => payment.status === 'settled');
    `,
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    node(tsc, '--module', 'nodenext', '--strict', '--noEmit', '--types', 'node', '--ignoreConfig', 'wrong.mts');
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout));
  }
});
