// HTML written by hand for the sandbox's plain pages: a template that escapes, and the headers that such a page has.

/** A piece of HTML; everything else is text and is escaped where it is put in. */
export type Html = { html: string };

/** A template whose values are escaped unless they are HTML already. */
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

/** A whole page without script, in English. `frames` says who may frame it (`'none'`, `*`). */
export function plainPage(title: string, style: string, body: Html, frames: string, status = 200): Response {
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
  return new Response(document.html, {
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
