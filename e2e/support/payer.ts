// A payer whose browser has no script: follows redirects, submits forms and reads frames over HTTP. API tests run whole
// payments with it, which also proves that the pages work without script.
import { type Form, formsOf, framesOf, linksOf, textOf } from './html.ts';

/** A page as the payer sees it, or the external address to which the browser was redirected. */
export type Screen = { url: string; status: number; headers: Headers; html: string; forms: Form[]; outside: boolean };

/** A card as typed. */
export type Card = { number: string; expiry: string; cvv?: string; holder?: string };

type PageRequest = { method?: string; body?: string; framed?: boolean };

/** The payer's action at the bank's page: approve, reject, type this code, or leave the page open. */
export type ChallengeAnswer = 'confirm' | 'refuse' | 'stay' | { code: string };

export type Payer = ReturnType<typeof startPayer>;

/** The card that settles, and the other cards of protocol.md 9 by outcome. */
export const cards = {
  settled: { number: '4111 1111 1111 1111', expiry: '01/38' },
  declined: { number: '4111 1111 1111 1111', expiry: '02/38' },
  captureDeclined: { number: '4111 1111 1111 1111', expiry: '03/38' },
  challenge: { number: '4111 1111 1111 1111', expiry: '05/38' },
  challengeDeclined: { number: '4111 1111 1111 1111', expiry: '06/38' },
  redirect: { number: '4111 1111 1111 1111', expiry: '12/38' },
  redirectDeclined: { number: '4111 1111 1111 1111', expiry: '12/39' },
} satisfies Record<string, Card>;

/** A new browser with its own cookies, for the server at `florinUrl`. */
export function startPayer(florinUrl: string, browserHeaders: Record<string, string> = {}) {
  const origin = new URL(florinUrl).origin;
  const cookies = new Map<string, string>();

  // The sandbox's bank may have an origin of its own.
  const isInside = (url: string) => new URL(url).origin === origin || new URL(url).pathname.startsWith('/sandbox/');

  async function visit(address: string, init: PageRequest = {}): Promise<Screen> {
    let url = address;
    const { framed = false } = init;
    let { method = 'GET', body } = init;
    for (let hops = 0; hops < 20; hops += 1) {
      if (!isInside(url)) return { url, status: 0, headers: new Headers(), html: '', forms: [], outside: true };
      const response = await fetch(url, {
        method,
        body,
        redirect: 'manual',
        headers: {
          accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
          'accept-language': 'en',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) TestPayer/1.0',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': framed ? 'iframe' : 'document',
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', origin }),
          ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...browserHeaders,
        },
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const [name = '', value = ''] = pair.split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location && response.status >= 300 && response.status < 400) {
        url = new URL(location, url).href;
        if (response.status < 307) {
          method = 'GET';
          body = undefined;
        }
        await response.arrayBuffer();
        continue;
      }
      const html = await response.text();
      const { status, headers } = response;
      return { url, status, headers, html, forms: formsOf(html, url), outside: false };
    }
    throw new Error(`${address} redirects endlessly`);
  }

  /** Submits a page's form with `values` over its own. */
  async function submit(form: Form, values: Record<string, string> = {}, framed = false): Promise<Screen> {
    const fields = new URLSearchParams();
    for (const control of form.controls) if (!(control.name in values)) fields.append(control.name, control.value);
    for (const [name, value] of Object.entries(values)) fields.append(name, value);
    if (form.method === 'POST') return visit(form.action, { method: 'POST', body: fields.toString(), framed });
    const url = new URL(form.action);
    url.search = fields.toString();
    return visit(url.href, { framed });
  }

  /** Types a card into the card form of a page and presses the button. */
  async function payOn(screen: Screen, card: Card, more: Record<string, string> = {}): Promise<Screen> {
    const form = cardFormOf(screen);
    if (!form) throw new Error(`no card form on ${screen.url}: ${textOf(screen.html).slice(0, 300)}`);
    const fieldNames = new Set(form.controls.map((control) => control.name));
    const values: Record<string, string> = {
      card_number: card.number,
      card_expiry: card.expiry,
      card_cvv: card.cvv ?? '123',
      ...(fieldNames.has('card_holder') && { card_holder: card.holder ?? 'Ana Petrovic' }),
      ...more,
    };
    return submit(form, values);
  }

  /** Completes the bank's or the provider's pages until Florin's page returns or the payer stops. */
  async function through(link: string, start: Screen, act: ChallengeAnswer): Promise<Screen> {
    let screen = start;
    for (let steps = 0; steps < 12; steps += 1) {
      if (screen.outside || act === 'stay') return screen;
      const frame = framesOf(screen.html, screen.url)[0];
      if (!frame && !bankForm(screen)) return screen;
      const end = await throughBank(frame ? await visit(frame, { framed: true }) : screen, act, frame !== undefined);
      // The frame ends in a small document with a link to the page around it.
      const backLink = linksOf(end.html, end.url).find(
        (each) => isPageOf(link, each.href) && each.target === '_parent',
      );
      screen = backLink ? await visit(backLink.href) : end;
    }
    throw new Error(`the pages do not end at ${screen.url}`);
  }

  /** The bank's pages, from the page that leads to them. Returns the page after them. */
  async function throughBank(start: Screen, act: Exclude<ChallengeAnswer, 'stay'>, framed: boolean): Promise<Screen> {
    let screen = start;
    for (let steps = 0; steps < 8; steps += 1) {
      const form = bankForm(screen);
      if (screen.outside || !form) return screen;
      screen = await submit(form, answerOf(form, act), framed);
    }
    return screen;
  }

  return {
    cookies,
    visit,
    submit,
    payOn,
    /** Opens the link, pays with the card and completes the steps. Returns the final screen. */
    async pay(
      link: string,
      card: Card,
      act: ChallengeAnswer = 'confirm',
      more: Record<string, string> = {},
    ): Promise<Screen> {
      const screen = await payOn(await visit(link), card, more);
      return through(link, screen, act);
    },
    /** Continues from a screen on which the payer stopped. */
    goOn: through,
  };
}

/** The card form. */
export function cardFormOf(screen: Screen): Form | undefined {
  return screen.forms.find((form) => form.controls.some((control) => control.name === 'card_number'));
}

/** The form whose address ends in `ending`: `/cancel`, `/abandon`. */
export function formTo(screen: Screen, ending: string): Form {
  const form = screen.forms.find((each) => new URL(each.action).pathname.endsWith(ending));
  if (!form) throw new Error(`no form to ${ending} on ${screen.url}: ${textOf(screen.html).slice(0, 300)}`);
  return form;
}

/** The link back to the shop, with the signed query. */
export function returnLinkOf(screen: Screen): URL | undefined {
  const links = linksOf(screen.html, screen.url);
  const found = links.find((link) => new URL(link.href).searchParams.has('hash'));
  return found && new URL(found.href);
}

function isPageOf(link: string, address: string): boolean {
  return new URL(address).pathname === new URL(link).pathname;
}

// A form to the sandbox's bank or wallet, or on one of their pages.
function bankForm(screen: Screen): Form | undefined {
  return screen.forms.find((form) => /^\/sandbox\/(acs|redirect)\//.test(new URL(form.action).pathname));
}

// The forms contain their parameters; the answer is the pressed button and a code.
function answerOf(form: Form, act: Exclude<ChallengeAnswer, 'stay'>): Record<string, string> {
  const { pathname } = new URL(form.action);
  if (!pathname.endsWith('/answer')) return {};
  const refuses = act === 'refuse';
  if (pathname.startsWith('/sandbox/redirect/')) return { choice: refuses ? 'decline' : 'approve' };
  const asksCode = form.controls.some((control) => control.name === 'code');
  const code = typeof act === 'object' ? act.code : '1234';
  return { choice: refuses ? 'cancel' : 'submit', ...(asksCode && { code }) };
}
