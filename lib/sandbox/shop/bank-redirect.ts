// The redirect to the bank: an answer of S2S CARD or of the hosted fields has an address, a method and parameters. A
// separate document, so that its policy allows a form to that origin only and it works without script.
import { randomBytes } from 'node:crypto';
import { type Html, type HttpResult, html, httpResult } from '../../http';
import type { Order } from './orders';

const style = `:root{color-scheme:light dark}
body{display:grid;place-content:center;gap:16px;min-height:100dvh;margin:0;padding:24px;font:16px/24px system-ui,sans-serif;text-align:center;background:light-dark(#fff,#0e1012);color:light-dark(#14171a,#eceef0)}
p{margin:0}
button{min-height:44px;padding:8px 20px;border:0;border-radius:6px;background:light-dark(#14171a,#eceef0);color:light-dark(#fff,#14171a);font:inherit;font-weight:500}`;
const script = `document.querySelector('form').submit()`;

/** GET /sandbox/shop/orders/:id/bank: redirects the payer; to the order's page if there is no next step. */
export function leadToBank(order: Order): HttpResult {
  const { next, id } = order;
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  if (!next) return httpResult(null, { status: 303, headers: { ...headers, location: `/shop/${id}` } });
  if (next.method === 'GET') {
    const url = new URL(next.url);
    for (const [name, value] of Object.entries(next.params)) url.searchParams.set(name, String(value));
    return httpResult(null, { status: 303, headers: { ...headers, location: url.href } });
  }
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `form-action ${new URL(next.url).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return httpResult(page(next, nonce), {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
    },
  });
}

function page({ url, params }: NonNullable<Order['next']>, nonce: string): string {
  const inputs: Html[] = Object.entries(params).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>To your bank</title>
<style nonce="${nonce}">${{ html: style }}</style>
</head>
<body>
<main>
<h1>Your bank asks</h1>
<form method="post" action="${url}">
${{ html: inputs.map((input) => input.html).join('\n') }}
<button>Continue to your bank</button>
</form>
</main>
<script nonce="${nonce}">${{ html: script }}</script>
</body>
</html>`.html;
}
