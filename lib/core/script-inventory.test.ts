import { describe, expect, test } from 'vitest';
import { inventoryOf, pageMismatches, scriptRows } from './script-inventory.ts';

const integrity = `sha384-${'A'.repeat(64)}`;
const manifest = Object.fromEntries(scriptRows.map(({ name }) => [name, { file: `x-${name}`, integrity }]));
const inventory = inventoryOf(manifest);
const policy = "default-src 'none'; script-src 'nonce-0123456789abcdef'; style-src 'self'";
const good = `<script src="/sdk/x-pay.js" integrity="${integrity}" nonce="n" defer></script>`;

describe('a payer page', () => {
  test('with only the scripts of the inventory has no mismatch', () => {
    const data = '<script type="application/json" id="data">{"a":"<b onclick=x>"}</script>';
    expect(pageMismatches(`<html>${good}</html>`, policy, inventory)).toEqual([]);
    expect(pageMismatches(data.replace('<b onclick=x>', ''), policy, inventory)).toEqual([]);
  });

  test.each([
    ['<script>steal()</script>', policy, 'an inline script'],
    ['<script type="module">steal()</script>', policy, 'an inline script'],
    ['<script src="https://evil.example/x.js"></script>', policy, 'https://evil.example/x.js is not in the inventory'],
    ['<SCRIPT SRC="/sdk/other.js"></SCRIPT>', policy, '/sdk/other.js is not in the inventory'],
    ['<script src="/sdk/x-pay.js"></script>', policy, '/sdk/x-pay.js without its integrity'],
    [good.replace('AAAA', 'BAAA'), policy, '/sdk/x-pay.js without its integrity'],
    ['<img src=x onerror=steal()>', policy, 'an inline event handler'],
    [good, null, 'a policy that allows other scripts: no script-src'],
    [good, "script-src 'self'", "a policy that allows other scripts: 'self'"],
    [
      good,
      policy.replace("'nonce", "'unsafe-inline' 'nonce"),
      "a policy that allows other scripts: 'unsafe-inline' 'nonce-0123456789abcdef'",
    ],
  ])('%s', (html, sent, error) => expect(pageMismatches(html, sent, inventory)).toEqual([error]));
});

test('the digest changes with every script', () => {
  for (const { name } of scriptRows) {
    const other = { ...manifest, [name]: { file: `x-${name}`, integrity: integrity.replace('AAAA', 'BAAA') } };
    expect(inventoryOf(other).digest).not.toBe(inventory.digest);
  }
});
