// Builds the headers of a payer's page. The policy allows the document's own style and script only; it is derived from
// the model, because only some states frame a bank or submit a form to another origin.
import type { PageModel } from './contract.ts';

export type PolicyOptions = {
  /** The nonce of this response; the render context has the same. */
  nonce: string;
  /** Origins that may frame the page (the merchant's configured ones); empty: framing is not allowed. */
  frameAncestors: readonly string[];
  /** Origins of banks' pages in addition to all https ones, for a provider on the local network. */
  frameSources?: readonly string[];
};

/** The origin of an address, if it has one. Any other text in a policy could widen it. */
export function originOf(url: string): string[] {
  try {
    const { origin } = new URL(url);
    return origin === 'null' ? [] : [origin];
  } catch {
    return [];
  }
}

/** The hosts of banks and providers are not known in advance, so these two kinds of page allow every https one. */
function formTargets(model: PageModel): string[] {
  if (model.state !== 'redirecting' && model.state !== 'frameLeave') return ["'self'"];
  return ["'self'", 'https:', ...originOf(model.action.url)];
}

function frameSources(model: PageModel, options: PolicyOptions): string[] {
  return model.state === 'challenge' ? ["'self'", 'https:', ...(options.frameSources ?? [])] : ["'none'"];
}

/** Browsers check the addresses of Google Pay's payment handler against the policy; the page loads nothing there. */
function paymentSources(model: PageModel): string[] {
  const isOffered = model.state === 'form' && model.wallets?.some(({ id }) => id === 'googlepay');
  return isOffered ? ['https://google.com/pay', 'https://www.google.com/pay', 'https://pay.google.com'] : [];
}

/** Our own page frames the documents of the challenge frame, and the shop may frame our page. */
function ancestors(model: PageModel, options: PolicyOptions): string[] {
  const own = model.state === 'frameLeave' || model.state === 'frameReturn' ? ["'self'"] : [];
  const all = [...own, ...options.frameAncestors];
  return all.length > 0 ? all : ["'none'"];
}

/** The value of Content-Security-Policy. */
export function contentSecurityPolicy(model: PageModel, options: PolicyOptions): string {
  const source = `'nonce-${options.nonce}'`;
  const directives: [string, string[]][] = [
    ['default-src', ["'none'"]],
    ['script-src', [source]],
    ['style-src', [source]],
    ['img-src', ["'self'"]],
    ['connect-src', ["'self'", ...paymentSources(model)]],
    ['frame-src', frameSources(model, options)],
    ['form-action', formTargets(model)],
    ['frame-ancestors', ancestors(model, options)],
    ['base-uri', ["'none'"]],
    ['require-trusted-types-for', ["'script'"]],
    ['trusted-types', ["'none'"]],
  ];
  return directives.map(([name, values]) => `${name} ${values.join(' ')}`).join('; ');
}

/** All headers of a page's response. */
export function pageHeaders(model: PageModel, options: PolicyOptions): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy(model, options),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=*, publickey-credentials-get=*',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
