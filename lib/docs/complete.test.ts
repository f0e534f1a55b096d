// What the documentation has to speak of, asked of the tables that the service works by; and that no link of it, or of the
// README, leads nowhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { errors } from '../core/errors';
import { locales } from '../core/locales';
import { configurableNames, mappingProtocols, mappingSettings } from '../core/mapping-options';
import { sandboxCards } from '../core/sandbox-cards';
import { methods } from '../methods/catalog';
import { actionRegistry } from '../protocols/pipeline/action-registry';
import { checks } from '../protocols/pipeline/handle';
import { checkoutStatus, optionalFields, s2sStatus } from '../protocols/shared/wire-fields';
import { headingId } from './heading';
import { readPage } from './page';
import { docPages } from './pages';

const root = join(import.meta.dirname, '..', '..');
const pages = new Map<string, string>();
let whole = '';

beforeAll(async () => {
  // Nothing is connected to; the texts have addresses in them.
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none');
  vi.stubEnv('VAULT_KEY', 'a'.repeat(64));
  for (const { slug } of docPages) pages.set(slug, (await readPage(slug))?.text ?? '');
  whole = [...pages.values()].join('\n');
});

/** Those that stand nowhere as a word of code. */
function missing(words: Iterable<string>): string[] {
  const code = [...whole.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span).join('\n');
  const escaped = (word: string) => word.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&');
  return [...new Set(words)].filter((word) => !new RegExp(`(?<![\\w-])${escaped(word)}(?![\\w-])`).test(code));
}

/** The names that a source file puts into callbacks: members of what it makes. */
function fieldsIn(file: string): string[] {
  const source = readFileSync(join(root, 'lib', file), 'utf8');
  return [...source.matchAll(/^ {4,8}([a-z][a-z0-9]*(?:_[a-z0-9]+)+):/gm)].map(([, name = '']) => name);
}

describe('the documentation speaks of', () => {
  it('every page that it has, and has every page that it speaks of', () => {
    const files = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'glossary.md');
    expect(files.sort()).toEqual(docPages.map(({ slug }) => `${slug}.md`).sort());
  });

  it('every error', () => {
    expect(missing(Object.values(errors).map(({ code }) => String(code)))).toEqual([]);
  });

  it('every check of a request, and every refusal of the strong signature', () => {
    for (const { refuses } of checks) expect(whole).toContain(refuses);
    const source = readFileSync(join(root, 'lib', 'core', 'request-signature.ts'), 'utf8');
    const texts = [...source.matchAll(/path: (\w+)Header, text: ['`]([^'`]+)['`]/g)].map(([, header, text = '']) => {
      return `X-Florin-${header === 'timestamp' ? 'Timestamp' : 'Signature'}: ${text.replace(/\$\{\w+\}/, '300')}`;
    });
    expect(texts.length).toBeGreaterThan(4);
    expect(missing([...texts, 'X-Florin-Signature: This value was used before.'])).toEqual([]);
  });

  it('every action', () => {
    expect(missing(actionRegistry.map(({ action }) => action))).toEqual([]);
  });

  it('every method', () => {
    expect(missing(methods.map(({ id }) => id))).toEqual([]);
  });

  it('every field of a callback', () => {
    const fields = [
      'callbacks/render.ts',
      'callbacks/render-s2s.ts',
      'protocols/s2s-apm/responses.ts',
      'protocols/shared/s2s-responses.ts',
      'protocols/shared/payee.ts',
    ].flatMap(fieldsIn);
    expect(fields.length).toBeGreaterThan(40);
    expect(missing([...fields, ...Object.keys(optionalFields)])).toEqual([]);
  });

  it('every option of a mapping', () => {
    const names = mappingProtocols.flatMap((protocol) =>
      (['required', 'callback', 'status'] as const).flatMap((place) => configurableNames(protocol, place)),
    );
    expect(missing([...mappingSettings, ...names])).toEqual([]);
  });

  it('every state, sandbox card and language', () => {
    expect(missing([...Object.values(checkoutStatus), ...Object.values(s2sStatus)])).toEqual([]);
    const numbers = sandboxCards.map(({ number }) => number);
    expect(numbers.filter((number) => !whole.replaceAll(' ', '').includes(number))).toEqual([]);
    expect(missing(locales.map(({ code }) => code))).toEqual([]);
  });
});

describe('the documentation says', () => {
  const textOf = (slug: string) => (pages.get(slug) ?? '').replace(/\s+/g, ' ');

  it('docs 1: how a refund is repeated, and promises nothing of repeats without a key', () => {
    expect(whole).not.toContain('Nobody is charged twice');
    for (const slug of ['florin', 'first-payment', 'going-live', 'checkout', 's2s-card', 's2s-apm', 'client-sdk']) {
      expect(textOf(slug), slug).toContain('`Idempotency-Key`');
      expect(linked(slug), slug).toContain('idempotency');
    }
  });

  it('docs 2: that three words together mean paid', () => {
    expect(textOf('first-payment')).not.toContain('Only `settled` means paid');
    for (const slug of ['first-payment', 'going-live', 'callbacks', 'states']) {
      expect(textOf(slug), slug).toMatch(
        /`type`,? (and )?`status`,? and `order_status`|`order_status` alone is not enough/,
      );
    }
  });

  it('docs 3: that trans_id is the attempt, and what identifies a refund', () => {
    expect(textOf('florin')).not.toContain('a refund; by `trans_id`');
    for (const slug of ['callbacks', 'idempotency']) {
      expect(textOf(slug), slug).toContain('`Florin-Operation-Id`');
      expect(textOf(slug), slug).toContain('`trans_id` is the attempt');
    }
  });

  it('docs 4: what the end of a session does, and which methods are passed over', () => {
    expect(textOf('checkout')).toContain('The end of a session changes no state and sends no callback');
    expect(textOf('checkout')).toMatch(/204010 when none of the names exists, 204004 when none is served/);
    expect(textOf('callbacks')).toContain('No callback is sent when a session ends unpaid');
    expect(textOf('states')).toContain('The end of a session is no move');
  });

  const linked = (slug: string) =>
    [...(pages.get(slug) ?? '').matchAll(/\]\(([\w-]+)\.md/g)].map(([, target]) => target);
});

describe('no link leads nowhere', () => {
  const linksOf = (text: string) =>
    [...text.replace(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);

  const anchorsOf = (text: string) => [
    ...[...text.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) =>
      headingId(heading),
    ),
    ...[...text.matchAll(/^\| \[?`([^`]+)`/gm)].flatMap(([, name]) => [`method-${name}`, `setting-${name}`]),
  ];

  it.each(docPages.map(({ slug }) => slug))('of %s', (slug) => {
    const dead = linksOf(pages.get(slug) ?? '').filter((href) => {
      if (/^(https?:|mailto:|\/)/.test(href)) return false;
      const [, file = '', anchor] = /^([^#]*)(?:#(.+))?$/.exec(href) ?? [];
      const target = pages.get(file === '' ? slug : file.replace(/\.md$/, ''));
      if (target === undefined) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it('of the Markdown that is served, methods and reference included', async () => {
    const { markdownOf, markdownPaths: paths } = await import('./routes');
    const texts = new Map(
      await Promise.all(paths.map(async (path) => [path, (await markdownOf(path)) ?? ''] as const)),
    );
    const dead = paths.flatMap((path) =>
      linksOf(texts.get(path) ?? '')
        .filter((href) => !/^(https?:|mailto:)/.test(href))
        .filter((href) => {
          const { pathname, hash } = new URL(href, `http://florin.invalid/docs/${path}.md`);
          const [, target] = /^\/docs\/(.+)\.md$/.exec(pathname) ?? [];
          const text = texts.get(target ?? '');
          return !text || (hash !== '' && !anchorsOf(text).includes(hash.slice(1)));
        })
        .map((href) => `${path}: ${href}`),
    );
    expect(dead).toEqual([]);
  });

  it.each(['README.md'])('of %s', (file) => {
    const dead = linksOf(readFileSync(join(root, file), 'utf8')).filter((href) => {
      if (/^(https?:|mailto:)/.test(href)) return false;
      const [, path = '', anchor] = /^([^#]*)(?:#(.+))?$/.exec(href) ?? [];
      if (path !== '' && !existsSync(join(root, path))) return true;
      const text = readFileSync(join(root, path === '' ? file : path), 'utf8');
      return anchor !== undefined && !anchorsOf(text).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});
