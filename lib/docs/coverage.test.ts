// Checks that the documentation covers the tables of the service, has no dead link, and that generated files are up to
// date.
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { demoMerchant } from '../core/demo-merchant.ts';
import { errors } from '../core/errors.ts';
import { locales } from '../core/locales.ts';
import { configurableNames, mappingProtocols, mappingSettings } from '../core/mapping-options.ts';
import { documentNames } from '../core/openapi.ts';
import { sandboxCards } from '../core/sandbox-cards.ts';
import { sign } from '../core/signatures.ts';
import { methods } from '../methods/catalog.ts';
import { actionRegistry } from '../protocols/pipeline/action-registry.ts';
import { checks } from '../protocols/pipeline/handle.ts';
import { checkoutStatus, optionalFields, s2sStatus } from '../protocols/shared/wire-fields.ts';
import { metrics } from '../telemetry/index.ts';
import { addressOf } from './address.ts';
import { headingIds, pageLink } from './links.ts';
import { readPage } from './page.ts';
import { docGroups, docPages, movedPages } from './pages.ts';
import { renderedFiles } from './render.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = new Map<string, string>();
let whole = '';

beforeAll(async () => {
  // The texts contain the base URL; the test does not connect to the database.
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none');
  vi.stubEnv('VAULT_KEY', 'a'.repeat(64));
  for (const { slug } of docPages) pages.set(slug, readPage(slug)?.text ?? '');
  whole = [...pages.values()].join('\n');
});

/** Returns the words that no page contains as inline code. */
function missing(words: Iterable<string>): string[] {
  const code = [...whole.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span).join('\n');
  const escaped = (word: string) => word.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&');
  return [...new Set(words)].filter((word) => !new RegExp(`(?<![\\w-])${escaped(word)}(?![\\w-])`).test(code));
}

/** The field names in a source file that builds callbacks: members of its object literals. */
function fieldsIn(file: string): string[] {
  const source = readFileSync(join(root, 'lib', file), 'utf8');
  return [...source.matchAll(/^ {4,8}([a-z][a-z0-9]*(?:_[a-z0-9]+)+):/gm)].map(([, name = '']) => name);
}

describe('the documentation covers', () => {
  it('every page of the list as a file, and every file in the list', () => {
    const folders = docGroups.map(({ title }) => title.toLowerCase());
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, 'docs', folder)).map((name) => `${folder}/${name}`),
    );
    const pageFiles = files.filter((name) => name.endsWith('.md')).map((name) => name.replace(/\.md$/, ''));
    const references = documentNames.map((name) => `reference/${name}`);
    expect(pageFiles.sort()).toEqual([...docPages.map(({ slug }) => slug), ...references].sort());
  });

  it('every error', () => {
    expect(missing(Object.values(errors).map(({ code }) => String(code)))).toEqual([]);
  });

  it('every check of a request, and every error of the strong signature', () => {
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
      'protocols/s2s-apm/responses.ts',
      'protocols/shared/s2s-responses.ts',
      'protocols/shared/wire-fields.ts',
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

  it('how a refund is repeated, and makes no promise for repeats without a key', () => {
    expect(whole).not.toMatch(/[Nn]o(body| payer| customer) is charged twice/);
    for (const name of [
      'overview',
      'quickstart',
      'going-live',
      'hosted-checkout',
      's2s-card',
      's2s-apm',
      'client-sdk',
    ]) {
      expect(textOf(`guide/${name}`), name).toContain('`Idempotency-Key`');
      expect(linked(`guide/${name}`), name).toContain('guide/idempotency');
    }
  });

  it('which three fields together mean paid', () => {
    expect(textOf('guide/quickstart')).not.toContain('Only `settled` means paid');
    for (const slug of ['guide/quickstart', 'guide/going-live', 'guide/callbacks', 'reference/states']) {
      expect(textOf(slug), slug).toMatch(
        /`type`,? (and )?`status`,? and `order_status`|`order_status` alone is not enough/,
      );
    }
  });

  it('that trans_id is the attempt, and what identifies a refund', () => {
    expect(textOf('guide/overview')).not.toContain('a refund; by `trans_id`');
    for (const slug of ['guide/callbacks', 'guide/idempotency']) {
      expect(textOf(slug), slug).toContain('`Florin-Operation-Id`');
      expect(textOf(slug), slug).toMatch(
        /`trans_id` is the attempt|`trans_id` identifies the attempt|`trans_id` is the payment attempt/,
      );
    }
  });

  it('the effect of the end of a session, and which methods are omitted', () => {
    expect(textOf('guide/hosted-checkout')).toContain('The end of a session changes no state and sends no callback');
    expect(textOf('guide/hosted-checkout')).toMatch(/204010 when none of the names exists, 204004 when none is served/);
    expect(textOf('guide/callbacks')).toContain('No callback is sent when a session ends unpaid');
    expect(textOf('reference/states')).toContain('The end of a session is no move');
  });

  const linked = (slug: string) => linksOf(pages.get(slug) ?? '').map((href) => pageLink(href, slug)?.slug);
});

const linksOf = (text: string) =>
  [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);

const anchorsOf = (text: string) => [
  ...headingIds(
    [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => heading),
  ),
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id),
  ...[...text.matchAll(/^\| \[?`([^`]+)`/gm)].flatMap(([, name]) => [`method-${name}`, `setting-${name}`]),
];

/** The links of a file to a missing file or anchor. */
function deadLinks(file: string): string[] {
  return linksOf(readFileSync(join(root, file), 'utf8')).filter((href) => {
    if (/^(https?:|mailto:)/.test(href)) return false;
    const [, path = '', anchor] = /^([^#]*)(?:#(.+))?$/.exec(href) ?? [];
    const target = path === '' ? join(root, file) : join(root, dirname(file), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
}

describe('the documentation names', () => {
  it('no metric that does not exist, and neither do the alerts', async () => {
    const text = await metrics.registry.metrics();
    const exported = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    // The changelog keeps the names of former metrics.
    const files = [...pages].filter(([slug]) => slug !== 'reference/changelog').map(([, page]) => page);
    files.push(readFileSync(join(root, 'docs/operations/alerts.yml'), 'utf8'));
    const named = files.flatMap(
      (file) =>
        file.match(/\bflorin_\w+_(?:total|seconds|bytes|mismatches|faults|connections)\w*\b|\bflorin_rows\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(20);
    const series = new Set(named.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')));
    expect([...series].filter((name) => !exported.has(name))).toEqual([]);
  });
});

describe('the documentation has no dead link', () => {
  it.each(docPages.map(({ slug }) => slug))('in %s', (slug) => {
    const dead = linksOf(pages.get(slug) ?? '').filter((href) => {
      if (/^(https?:|mailto:|\/)/.test(href)) return false;
      const { slug: target, anchor } = href.startsWith('#')
        ? { slug, anchor: href }
        : (pageLink(href, slug) ?? { slug: '', anchor: '' });
      const text = pages.get(target);
      return text === undefined || (anchor !== '' && !anchorsOf(text).includes(anchor.slice(1)));
    });
    expect(dead).toEqual([]);
  });

  it('in the served Markdown, including methods and reference', async () => {
    const { markdownOf, markdownPaths: paths } = await import('./routes.ts');
    const texts = new Map(paths.map((path) => [path, markdownOf(path) ?? ''] as const));
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

  it('in the README and in every file of docs', () => {
    const folders = docGroups.map(({ title }) => title.toLowerCase());
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
    );
    const texts = ['README.md', 'docs/README.md', ...files.filter((name) => name.endsWith('.md'))];
    expect(texts.flatMap((file) => deadLinks(file).map((href) => `${file}: ${href}`))).toEqual([]);
  });
});

describe('the samples that the tests cannot run', () => {
  const text = () => pages.get('guide/other-languages') ?? '';
  const { password } = demoMerchant;

  it('print the hash of the session', () => {
    const order = { orderId: 'order-1001', amount: '84.50', currency: 'EUR', description: 'Two coffee cups' };
    const hash = sign('session', { ...order, password }, { digest: 'md5' });
    expect(text()).toContain(`\`\`\`text\n${hash}\ntrue\n\`\`\``);
    expect(text()).toContain(`password \`${password}\``);
  });

  it('verify a genuine callback, the same in every language', () => {
    const body = 'order_number=order-1001&type=sale&status=success&order_status=settled';
    const secret = createHmac('sha256', password).update('florin callbacks').digest();
    const signature = `v1,${createHmac('sha256', secret).update(`msg-1.1795429800.${body}`).digest('base64')}`;
    const blocks = [...text().matchAll(/^```(http|java|csharp|go)\n(.*?)^```$/gms)];
    expect(blocks.map(([, language]) => language)).toEqual(['http', 'java', 'csharp', 'go']);
    for (const [, language, code = ''] of blocks) {
      for (const value of [body, signature, 'msg-1', '1795429800']) expect(code, language).toContain(value);
    }
  });
});

describe('the test of a shop in guide/testing', () => {
  it('uses the labels of the payment page', () => {
    const labels = [...(pages.get('guide/testing') ?? '').matchAll(/getBy(?:Label|Text)\('([^']+)'\)/g)].map(
      ([, label]) => label,
    );
    expect(labels.length).toBeGreaterThanOrEqual(5);
    const messages: Record<string, string> = JSON.parse(readFileSync(join(root, 'messages', 'en.json'), 'utf8'));
    expect(labels.filter((label = '') => !Object.values(messages).includes(label))).toEqual([]);
  });
});

describe('the generated files', () => {
  it('are up to date: npm run docs writes them', async () => {
    vi.stubEnv('APP_ENV', 'sandbox');
    // A process reads its settings once, and another test file may have read them before.
    vi.resetModules();
    const fresh = await import('./render.ts');
    const stale = [...(await fresh.renderedFiles())].filter(([path, text]) => {
      return !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;
    });
    expect(stale.map(([path]) => path)).toEqual([]);
  });

  it('are the same at every run', async () => {
    expect([...(await renderedFiles()).values()]).toEqual([...(await renderedFiles()).values()]);
  });

  it('leave no placeholder and no directive', async () => {
    const left = [...(await renderedFiles())].filter(([, text]) =>
      /\{\{\w+\}\}|<!-- (insert|example|receiver):/.test(text),
    );
    expect(left.map(([path]) => path)).toEqual([]);
  });
});

describe('former paths', () => {
  it.each(Object.entries(movedPages))('%s redirects to a page', (before, to) => {
    expect(addressOf(before)).toEqual({ kind: 'moved', to });
    expect(addressOf(to)?.kind).toBe('page');
  });
});
