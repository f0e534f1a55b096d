// Wallet buttons beside hosted fields, in a merchant's page: the service returns the wallets that can pay the session's
// payment, the browser reports whether its device can, and the page makes the payment with the sheet's token.
import type { WalletData } from '../../core/page-data.ts';
import type { WalletAnswer, WalletName, WalletOptions } from '../fields/hosted-fields.d.ts';
import { hasApple, hasGoogle, type Open, openApple, openGoogle } from './sheets.ts';

type Offer = { label: string } & (
  | { id: 'applepay'; request: object }
  | ({ id: 'googlepay' } & NonNullable<WalletData['googlepay']>)
);
type Endpoint = { origin: string; token: string; language?: string };
type WalletHandlers = {
  /** Makes the payment; null if the payer does not agree. */
  pay: (...payment: Parameters<WalletOptions['pay']>) => Promise<WalletAnswer | null>;
  /** Called when the sheet is closed after a payment attempt. */
  done: (wallet: WalletName, response: WalletAnswer) => void;
  failed: (label: string, error: unknown) => void;
};

const names: { [name in WalletName]: string } = { applepay: 'Apple Pay', googlepay: 'Google Pay' };

// Zero specificity, so that every rule of the page takes precedence; a policy does not block constructed style sheets.
const buttonStyle = `:where(.florin-wallet){box-sizing:border-box;display:block;width:100%;min-height:48px;margin:0 0 8px;
padding:0 16px;border:1px solid currentcolor;border-radius:8px;background:transparent;color:inherit;
font:600 16px/24px system-ui,sans-serif;cursor:pointer}
:where(.florin-wallet[aria-busy=true]){opacity:.6;cursor:progress}
@supports (-webkit-appearance:-apple-pay-button){:where(.florin-applepay){-webkit-appearance:-apple-pay-button;
-apple-pay-button-style:black;font-size:0}}`;
let isStyled = false;

/** Adds a button for each wallet that can pay to `container`; returns their names. */
export async function mountWallets(
  container: HTMLElement,
  wire: Endpoint,
  handlers: WalletHandlers,
): Promise<WalletName[]> {
  const { wallets } = (await call(wire, '', { selected_language: wire.language })) as { wallets: Offer[] };
  const able = await Promise.all(wallets.map((offer) => (offer.id === 'applepay' ? hasApple() : hasGoogle(offer))));
  const shown = wallets.filter((_offer, place) => able[place]);
  if (!isStyled && shown.length > 0 && 'adoptedStyleSheets' in document) {
    isStyled = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(buttonStyle);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  container.replaceChildren(...shown.map((offer) => buttonOf(offer, wire, handlers)));
  return shown.map(({ id }) => id);
}

function buttonOf(offer: Offer, wire: Endpoint, handlers: WalletHandlers): HTMLButtonElement {
  const { id, label } = offer;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `florin-wallet florin-${id}`;
  button.setAttribute('aria-label', label);
  button.textContent = names[id];
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    let response: WalletAnswer | null = null;
    try {
      await sheetOf(
        offer,
        wire,
      )(async (token) => {
        if (token === '') throw new Error('The wallet returned no token');
        response = await handlers.pay({ digital_wallet: id, payment_token: token });
        return response !== null && isAccepted(response);
      });
      if (response) handlers.done(id, response);
    } catch (error) {
      handlers.failed(label, error);
    }
    button.removeAttribute('aria-busy');
  });
  return button;
}

function sheetOf(offer: Offer, wire: Endpoint): Open {
  if (offer.id === 'googlepay') return openGoogle(offer);
  return openApple(offer.request, async (validationUrl) => {
    const request = { validation_url: validationUrl, domain: location.hostname };
    const { merchant_session: session } = (await call(wire, '/applepay', request)) as { merchant_session: unknown };
    if (!session) throw new Error('Apple returned no session');
    return session;
  });
}

/** Whether the sheet may show success: money has moved, may have moved, or moves after the bank's challenge. */
function isAccepted({ result = '' }: WalletAnswer): boolean {
  return ['success', 'redirect', 'waiting', 'undefined'].includes(result);
}

async function call({ origin, token }: Endpoint, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1/processing/wallets${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}
