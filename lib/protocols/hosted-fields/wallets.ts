// What a page with hosted fields asks about wallets: which of them can pay this payment and what their sheets are opened
// with, and Apple's session for the page. Both are ours; the token of a wallet goes the way of the card (processing).
import { z } from 'zod';
import { refuse, texts } from '../../core/errors';
import { resolveLocale } from '../../core/locales';
import { refuseFaults } from '../../http/field-errors';
import { wordsOf } from '../../http/i18n';
import { type PayingWallet, walletOffers } from '../../routing/wallet-offers';
import { type Accepted, action, type KnownCaller } from '../pipeline/handle';
import { withoutBlanks } from '../shared/fields';
import { appleRequest, appleSession, billOf, googleRequest } from '../shared/wallet-requests';
import { byToken, type Subject } from './caller';

const blank = (issue: { input?: unknown }) => (issue.input === undefined ? texts.blank : texts.notValid);

const asked = z.preprocess(
  (body) => withoutBlanks(body, []),
  z.object({ selected_language: z.string().max(16).optional().catch(undefined) }),
);

const validation = z.preprocess(
  (body) => withoutBlanks(body, []),
  z.object({
    validation_url: z.string({ error: blank }).max(1024, texts.notValid),
    domain: z
      .string({ error: blank })
      .max(253, texts.notValid)
      .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, texts.notValid),
  }),
);

/** POST /api/v1/processing/wallets: the wallets that can pay, in the order of the contract. */
export const wallets = action<z.output<typeof asked>, Subject>({ schema: asked, ...byToken, run: listed });

/** POST /api/v1/processing/wallets/applepay: Apple's opaque session for the page on `domain`, null where Apple gives none. */
export const applePay = action<z.output<typeof validation>, Subject>({
  schema: validation,
  ...byToken,
  run: validated,
});

async function listed({ caller, input, subject }: Accepted<z.output<typeof asked>, Subject>): Promise<object> {
  const bill = billOf({ ...subject, caller });
  const language = resolveLocale(
    input.selected_language ?? subject.session.language,
    caller.mapping.defaultLanguage,
    null,
  );
  const { t } = wordsOf(language);
  const offers = await paying(caller, subject);
  return {
    wallets: offers.map((wallet) => {
      const label = t(`wallet.${wallet.kind}`);
      return wallet.kind === 'applepay'
        ? { id: wallet.kind, label, request: appleRequest(wallet.apple, bill) }
        : { id: wallet.kind, label, ...googleRequest(wallet.google, bill) };
    }),
  };
}

async function validated({ caller, input, subject }: Accepted<z.output<typeof validation>, Subject>): Promise<object> {
  const wallet = (await paying(caller, subject)).find(({ kind }) => kind === 'applepay');
  if (wallet?.kind !== 'applepay') return refuse('methodNotSupported');
  const page = { shop: caller.merchant.name, host: input.domain };
  const session = await appleSession(input.validation_url, wallet.apple, page);
  if (session === 'foreign') return refuseFaults([{ path: 'validation_url', text: texts.notValid }]);
  return { merchant_session: session };
}

async function paying(caller: KnownCaller, subject: Subject): Promise<PayingWallet[]> {
  const offers = await walletOffers({ ...subject, caller });
  return offers.filter((offer): offer is PayingWallet => offer.flow !== null);
}
