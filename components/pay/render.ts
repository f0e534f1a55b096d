// Renders a model as the text of an HTML document. React's server renderer is imported on first use, because a Next
// route handler must not import it statically.
import { createElement } from 'react';
import type { PageModel } from '../../lib/payer/contract';
import { PageDocument, type RenderContext } from './document';

/** Renders one page. Its headers are those of `pageHeaders` with the same nonce. */
export async function renderPage(model: PageModel, context: RenderContext): Promise<string> {
  const { renderToStaticMarkup } = await import('react-dom/server');
  return `<!DOCTYPE html>${renderToStaticMarkup(createElement(PageDocument, { model, context }))}`;
}
