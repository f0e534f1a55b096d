// Wallets for pages with hosted fields: the wallets that can pay a payment with their payment requests, and Apple Pay
// merchant sessions. `processing.ts` accepts the wallet tokens.
import { z } from 'zod';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import { resolveLocale } from '../../core/locales.ts';
import { translationsOf } from '../../http/index.ts';
import { type UsableWallet, walletOffers } from '../../routing/index.ts';
import { type ActionContext, action, type KnownCaller } from '../pipeline/handle.ts';
import { ignoringBlanks, wrongType } from '../shared/fields.ts';
import { appleRequest, appleSession, googleRequest, paymentSummaryOf } from '../shared/wallets.ts';
import { type SessionSubject, tokenAuthenticated } from './token-caller.ts';

const walletsSchema = ignoringBlanks(z.object({ selected_language: z.string().max(16).optional().catch(undefined) }));

const validationSchema = ignoringBlanks(
  z.object({
    validation_url: z.string({ error: wrongType }).max(1024, fieldErrorTexts.notValid),
    domain: z
      .string({ error: wrongType })
      .max(253, fieldErrorTexts.notValid)
      .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, fieldErrorTexts.notValid),
  }),
);

/** POST /api/v1/processing/wallets: the available wallets in the order of the contract. */
export const wallets = action<z.output<typeof walletsSchema>, SessionSubject>({
  schema: walletsSchema,
  ...tokenAuthenticated,
  run: listWallets,
});

/** POST /api/v1/processing/wallets/applepay: Apple's opaque session for a page on `domain`, null without one. */
export const applePay = action<z.output<typeof validationSchema>, SessionSubject>({
  schema: validationSchema,
  ...tokenAuthenticated,
  run: validateMerchant,
});

type Context<Schema extends z.ZodType> = ActionContext<z.output<Schema>, SessionSubject>;

async function listWallets({ caller, input, subject }: Context<typeof walletsSchema>): Promise<object> {
  const summary = paymentSummaryOf({ ...subject, caller });
  const asked = input.selected_language ?? subject.session.language;
  const { t } = translationsOf(resolveLocale(asked, caller.mapping.defaultLanguage, null));
  const offers = await payingWallets(caller, subject);
  return {
    wallets: offers.map((wallet) => {
      const label = t(`wallet.${wallet.kind}`);
      return wallet.kind === 'applepay'
        ? { id: wallet.kind, label, request: appleRequest(wallet.apple, summary) }
        : { id: wallet.kind, label, ...googleRequest(wallet.google, summary) };
    }),
  };
}

async function validateMerchant({ caller, input, subject }: Context<typeof validationSchema>): Promise<object> {
  const wallet = (await payingWallets(caller, subject)).find(({ kind }) => kind === 'applepay');
  if (wallet?.kind !== 'applepay') return throwApiError('methodNotSupported');
  const page = { shop: caller.merchant.name, host: input.domain };
  const session = await appleSession(input.validation_url, wallet.apple, page);
  if (session === 'foreign') return throwFieldErrors([{ path: 'validation_url', text: fieldErrorTexts.notValid }]);
  return { merchant_session: session };
}

async function payingWallets(caller: KnownCaller, subject: SessionSubject): Promise<UsableWallet[]> {
  const offers = await walletOffers({ ...subject, caller });
  return offers.filter((offer): offer is UsableWallet => offer.flow !== null);
}
