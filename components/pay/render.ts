// From a model to the text of an HTML document. React's server renderer is imported when first used,
// because a route handler of Next may not import it at its head.
import { createElement } from 'react';
import type { PageModel } from '../../lib/payer/contract';
import { PageDocument, type RenderContext } from './document';

/** Renders one page. The headers that belong to it are those of `pageHeaders` with the same nonce. */
export async function renderPage(model: PageModel, context: RenderContext): Promise<string> {
  const { renderToStaticMarkup } = await import('react-dom/server');
  return `<!DOCTYPE html>${renderToStaticMarkup(createElement(PageDocument, { model, context }))}`;
}
