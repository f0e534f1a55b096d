// HTML of the sandbox's plain pages: an escaping template and the response headers.
import { randomBytes } from 'node:crypto';
import { type HttpResult, httpResult } from './route.ts';

/** A piece of HTML. Template values of other types are escaped. */
export type Html = { html: string };

/** A template that escapes its values unless they are HTML; pieces of a list follow each other. */
export function html(parts: TemplateStringsArray, ...values: (Html | readonly Html[] | string)[]): Html {
  let out = parts[0] ?? '';
  for (const [place, value] of values.entries()) {
    const pieces = typeof value === 'string' ? [{ html: escapeText(value) }] : [value].flat();
    out += pieces.map((piece) => piece.html).join('') + (parts[place + 1] ?? '');
  }
  return { html: out };
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

type Page = {
  title: string;
  /** An inline style sheet, or one of public/sdk. */
  style: string | { src: string; integrity?: string };
  body: Html;
  /** An inline script at the end. */
  script?: string;
  /** Directives besides those of a page that loads nothing. */
  policy: readonly string[];
  status?: number;
};

/** Returns an English page. */
export function plainPage({ title, style, body, script, policy, status = 200 }: Page): HttpResult {
  const nonce = randomBytes(16).toString('base64url');
  const isInline = typeof style === 'string';
  const sheet = isInline
    ? html`<style nonce="${nonce}">${{ html: style }}</style>`
    : html`<link rel="stylesheet" href="${style.src}"${style.integrity ? html` integrity="${style.integrity}"` : ''}>`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${sheet}
</head>
${body}
${script ? html`<script nonce="${nonce}">${{ html: script }}</script>` : ''}
</html>`;
  const rules = [
    "default-src 'none'",
    `style-src ${isInline ? `'nonce-${nonce}'` : "'self'"}`,
    // The icon, which browsers also load for pages that name none.
    "img-src 'self'",
    "base-uri 'none'",
    ...policy,
  ];
  if (script) rules.push(`script-src 'nonce-${nonce}'`);
  return httpResult(document.html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': rules.join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}
