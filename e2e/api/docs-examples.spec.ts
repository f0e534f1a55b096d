// The documentation that runs: every block of code of every page and of the README is tried, by a rule for its kind, and
// counted. A block that fails, or one that no rule covers, fails here.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { type Block, blocksOf, filesIn, slugs } from '../support/docs-blocks.ts';
import { needsOf } from '../support/example-preconditions.ts';
import { runnable, runProgram } from '../support/example-programs.ts';
import { demo } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';

const pages = [...slugs, 'README'];
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);

/** How a block is checked; null if no rule covers it. */
function ruleOf({
  language,
  rules,
}: Block): 'run' | 'receive' | 'serve' | 'command' | 'syntax' | 'parse' | 'compile' | 'page' | 'show' | null {
  if ('receives' in rules) return 'receive';
  // Run with its page by e2e/pages/card-page.spec.ts.
  if ('serves' in rules) return 'serve';
  if (language === 'sh' && 'command' in rules) return 'command';
  if (language === 'sh' && 'show' in rules) return 'syntax';
  if (runnable.includes(language)) return 'run';
  if (language === 'json') return 'parse';
  if (language === 'ts' || language === 'tsx') return 'compile';
  if (language === 'html') return 'page';
  // Compiled and run by hand, because the tests need no compiler of these languages.
  if (['java', 'csharp', 'go'].includes(language)) return 'show';
  return ['', 'text', 'http', 'yaml', 'ini', 'nginx', 'sql', 'diff'].includes(language) ? 'show' : null;
}

const nameOf = ({ page, place, language }: Block) => `${page}, block ${place} (${language})`;

// One test per page and language, so that slow examples run in parallel.
for (const page of pages) {
  for (const language of runnable) {
    test(`the ${language} examples of ${page} run`, async ({ florin, shopServer }) => {
      const needs = needsOf(florin, shopServer, language);
      const blocks = await blocksOf(florin, page);
      for (const block of blocks.filter((each) => each.language === language && ruleOf(each) === 'run')) {
        await test.step(nameOf(block), async () => {
          const { needs: name, says } = block.rules;
          const prepare = name === undefined ? async () => ({ words: {}, password: demo.password }) : needs[name];
          expect(prepare, `${nameOf(block)} needs ${name}`).toBeDefined();
          const { words, password = demo.password } = (await prepare?.()) ?? { words: {} };
          const program = Object.entries(words).reduce(
            (text, [placeholder, value]) => replaced(text, placeholder, value),
            block.text,
          );
          const { code, said } = await runProgram(language, program, {
            environment: { FLORIN_PASSWORD: password },
            files: filesIn(blocks),
          });
          expect(code, `${nameOf(block)}:\n${said}\n${program}`).toBe(0);
          if (says !== undefined) expect(said, `${nameOf(block)}:\n${program}`).toContain(says);
        });
      }
    });
  }

  test(`the blocks of ${page} that do not run are well-formed`, async ({ florin }) => {
    for (const block of await blocksOf(florin, page)) {
      await test.step(nameOf(block), () => expectWellFormed(block));
    }
  });
}

// A wallet token is JSON between quotes of the language.
function replaced(text: string, placeholder: string, value: string): string {
  return text.replaceAll(`"${placeholder}"`, () => JSON.stringify(value)).replaceAll(placeholder, () => value);
}

async function expectWellFormed(block: Block): Promise<void> {
  const { text, language } = block;
  const rule = ruleOf(block);
  expect(rule, `no rule covers ${nameOf(block)}`).not.toBeNull();
  // A part of an object is shown without its braces.
  const json = 'part' in block.rules ? `{${text}}` : text;
  if (rule === 'syntax') {
    const checked = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    expect(checked.status, `${nameOf(block)}: ${checked.stderr}`).toBe(0);
  }
  if (rule === 'parse') expect(() => JSON.parse(json), nameOf(block)).not.toThrow();
  if (rule === 'compile') await transform(text, { loader: language as 'ts' | 'tsx' });
  if (rule === 'page') {
    for (const [, script = ''] of text.matchAll(/<script>(.*?)<\/script>/gs)) await transform(script, { loader: 'js' });
  }
  if (rule === 'command') {
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    for (const line of lines) {
      const [, script] = /\bnpm (?:run )?(?:--silent )?([\w:-]+)/.exec(line) ?? [];
      const [, file = ''] = /\bnode (\S+)/.exec(line) ?? [];
      expect(scripts.includes(script ?? '') || existsSync(file), line).toBe(true);
    }
  }
}

test('every operation has an example in four languages, and the blocks are counted', async ({ florin }) => {
  const blocks = (await Promise.all(pages.map((page) => blocksOf(florin, page)))).flat();
  const tabs = new Map<string, string[]>();
  for (const { page, rules, language } of blocks) {
    if (rules.tab === undefined) continue;
    const name = `${page} ${rules.tab}`;
    tabs.set(name, [...(tabs.get(name) ?? []), language]);
  }
  for (const [name, languages] of tabs) expect(languages, name).toEqual(['sh', 'js', 'php', 'python']);
  const counts: Record<string, number> = {};
  for (const block of blocks) {
    const rule = ruleOf(block) ?? 'no rule';
    counts[rule] = (counts[rule] ?? 0) + 1;
  }
  const actual = Object.entries(counts).map(([rule, count]) => `${rule} ${count}`);
  console.log(`     blocks of code in the documentation: ${blocks.length} (${actual.join(', ')})`);
  expect(tabs.size).toBeGreaterThanOrEqual(46);
  expect(counts.run).toBeGreaterThanOrEqual(170);
  expect(counts['no rule']).toBeUndefined();
});
