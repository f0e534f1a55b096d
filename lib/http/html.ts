import { type HttpResult, httpResult } from './route';
// HTML of the sandbox's plain pages: an escaping template and the response headers.

/** A piece of HTML. Template values of other types are escaped. */
export type Html = { html: string };

/** A template that escapes its values unless they are HTML. */
export function html(parts: TemplateStringsArray, ...values: (Html | string)[]): Html {
  let out = parts[0] ?? '';
  for (const [place, value] of values.entries()) {
    out += (typeof value === 'string' ? escapeText(value) : value.html) + (parts[place + 1] ?? '');
  }
  return { html: out };
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Returns an English page without scripts. `frames` is its frame-ancestors policy (`'none'`, `*`). */
export function plainPage(title: string, style: string, body: Html, frames: string, status = 200): HttpResult {
  const nonce = crypto.randomUUID();
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${{ html: style }}</style>
</head>
${body}
</html>`;
  return httpResult(document.html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors ${frames}`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}
