// The redirect to the bank: an answer of S2S CARD or of the hosted fields has an address, a method and parameters. A
// separate document, so that its policy allows a form to that origin only and it works without script.
import { type HttpResult, html, plainPage } from '../../http';
import type { Order } from './orders';
import { redirectTo } from './request-bodies';

const style = `:root{color-scheme:light dark}
body{display:grid;place-content:center;gap:16px;min-height:100dvh;margin:0;padding:24px;font:16px/24px system-ui,sans-serif;text-align:center;background:light-dark(#fff,#0e1012);color:light-dark(#14171a,#eceef0)}
p{margin:0}
button{min-height:44px;padding:8px 20px;border:0;border-radius:6px;background:light-dark(#14171a,#eceef0);color:light-dark(#fff,#14171a);font:inherit;font-weight:500}`;

/** GET /sandbox/shop/orders/:id/bank: redirects the payer; to the order's page if there is no next step. */
export function leadToBank({ next, id }: Order): HttpResult {
  if (!next) return redirectTo(`/shop/${id}`);
  const params = Object.entries(next.params);
  const url = new URL(next.url);
  if (next.method === 'GET') {
    for (const [name, value] of params) url.searchParams.set(name, String(value));
    return redirectTo(url.href);
  }
  const inputs = params.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`);
  return plainPage({
    title: 'To your bank',
    style,
    body: html`<body>
<main>
<h1>Your bank asks</h1>
<form method="post" action="${next.url}">
${inputs}
<button>Continue to your bank</button>
</form>
</main>
</body>`,
    script: "document.querySelector('form').submit()",
    policy: [`form-action ${url.origin}`, "frame-ancestors 'none'"],
  });
}
