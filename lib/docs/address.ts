// Resolves paths below /docs to a page, a payment method, or a part of the API reference.
import { type DocumentName, documentNames } from '../core/openapi.ts';
import { findMethod, methods } from '../methods/catalog.ts';
import type { Method } from '../methods/method.ts';
import { actionRegistry } from '../protocols/index.ts';
import { type DocPage, docGroups, docPages, movedPages } from './pages.ts';
import { operationSlug } from './schema-description.ts';

export type Address =
  | { kind: 'page'; page: DocPage }
  | { kind: 'method'; method: Method }
  | { kind: 'protocol'; name: DocumentName }
  /** A part of a protocol's reference: an operation, `callbacks`, or `card-parameters`. */
  | { kind: 'part'; name: DocumentName; part: string }
  | { kind: 'moved'; to: string };

const pages = new Map(docPages.map((page) => [page.slug, page]));
const sections = new Set(docGroups.map(({ title }) => title.toLowerCase()));

const protocols = { checkout: 'checkout', 's2s-card': 's2s_card', 's2s-apm': 's2s_apm' } as const;

/** The slugs of a protocol's reference in order, from the action registry: a build has no settings for documents. */
export function partsOf(name: DocumentName): string[] {
  const operations = actionRegistry.filter(({ protocol }) => protocol === protocols[name]);
  return [
    ...new Set(operations.map(({ action }) => operationSlug(action.replace('/api/v1/', '')))),
    'callbacks',
    ...(name === 's2s-apm' ? [] : ['card-parameters']),
  ];
}

/** Resolves `/docs/<path>`; null if no page has this path. */
export function addressOf(path: string): Address | null {
  const page = pages.get(path);
  if (page) return { kind: 'page', page };
  const to = Object.hasOwn(movedPages, path) ? movedPages[path] : undefined;
  if (to !== undefined) return { kind: 'moved', to };
  if (sections.has(path)) return { kind: 'moved', to: '' };
  const [folder = '', id = '', part, ...more] = path.split('/');
  if (more.length > 0) return null;
  if (folder === 'methods' && part === undefined) {
    const method = findMethod(id);
    return method ? { kind: 'method', method } : null;
  }
  const name = folder === 'reference' ? documentNames.find((each) => each === id) : undefined;
  if (!name) return null;
  if (part === undefined) return { kind: 'protocol', name };
  return partsOf(name).includes(part) ? { kind: 'part', name, part } : null;
}

/** Every path that {@link addressOf} resolves, except moved ones. */
export function allPaths(): string[] {
  return [
    ...docPages.map(({ slug }) => slug),
    ...documentNames.flatMap((name) => [
      `reference/${name}`,
      ...partsOf(name).map((part) => `reference/${name}/${part}`),
    ]),
    ...methods.map(({ id }) => `methods/${id}`),
  ];
}
