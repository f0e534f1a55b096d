// The headers of a payer's page. The policy allows this document's own style and script and nothing
// else; it is derived from the model, because only some states frame a bank or send a form away.
import type { PageModel } from './contract';

export type PolicyOptions = {
  /** The random value of this one answer; the same goes into the render context. */
  nonce: string;
  /** Origins that may frame the page (the merchant's configured ones); empty: nobody may. */
  frameAncestors: readonly string[];
  /** Origins of banks' pages beside all https ones, for a provider on the local network. */
  frameSources?: readonly string[];
};

function originOf(url: string): string[] {
  try {
    const { origin } = new URL(url);
    return origin === 'null' ? [] : [origin];
  } catch {
    return [];
  }
}

/** Banks and providers redirect among hosts that nobody can list, so these two kinds of page allow every https one. */
function formTargets(model: PageModel): string[] {
  if (model.state !== 'redirecting' && model.state !== 'frameLeave') return ["'self'"];
  return ["'self'", 'https:', ...originOf(model.action.url)];
}

function frameSources(model: PageModel, options: PolicyOptions): string[] {
  return model.state === 'challenge' ? ["'self'", 'https:', ...(options.frameSources ?? [])] : ["'none'"];
}

/**
 * A browser looks up who handles Google Pay by these addresses, and asks the page's policy whether it may. Nothing is
 * loaded into the page from there.
 */
function paymentSources(model: PageModel): string[] {
  const isOffered = model.state === 'form' && model.wallets?.some(({ id }) => id === 'googlepay');
  return isOffered ? ['https://google.com/pay', 'https://www.google.com/pay', 'https://pay.google.com'] : [];
}

/** The documents inside the challenge's frame are framed by our own page, which the shop may frame in turn. */
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

/** All headers of the answer that carries a page. */
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
