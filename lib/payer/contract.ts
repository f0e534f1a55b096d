// Everything a payer's page shows, as data: one case per state of the page. The room lib/payer makes
// such a model from the database, the renderers turn it into HTML, and neither knows the other.
import type { WalletData } from '../core/page-data';
import type { PlacedTexts } from '../core/page-texts';
import type { Message } from '../core/words';
import type { CardFieldName, PayerFieldName, TypedFieldName } from '../methods/fields';
import type { MethodKind } from '../methods/method';
import type { ParameterField as AskedParameter } from '../methods/parameters';
import type { PresentStep } from './present-step';

export type { SubmitResult } from '../core/page-data';
export type { MethodKind } from '../methods/method';
export type { CodeImage, PresentStep, StepOf } from './present-step';

/** Names of everything a payer can type; they are the names of the form's fields on the wire, too. */
export type FieldName = TypedFieldName | ParameterFieldName | 'consent';

/** A parameter of a method that the payer types; lengths in characters. */
export type ParameterField = Omit<AskedParameter, 'format'>;

/** The field of a method's own parameter: `parameter_document_number`. */
export type ParameterFieldName = `parameter_${string}`;

export type Merchant = {
  name: string;
  /** The shop's address as words ('orme-ceramics.example'), never a link. */
  site?: string;
  /** A picture served by this application. `square` gets the radius, `plate` (a logo with transparency) gets a white plate in dark. */
  logo?: { src: string; square?: boolean; plate?: boolean };
  /** Accent as '#rrggbb'; radius in pixels, 0 to 14. Both default to Florin's own. */
  accent?: string;
  radius?: number;
};

export type Money = { minor: bigint; currency: string };

export type Order = {
  number: string;
  description: string;
  amount: Money;
  email?: string;
};

/** One entry of the language menu; `code` goes into the query as `lang`. */
export type Language = { code: string; lang: string; name: string };

/**
 * How the open page follows the server. `version` is an opaque word that changes exactly when the
 * document would be another one (form, challenge, receipt ...); a page that learns of another
 * version loads itself again. A decline that this payer has just been told of is no new version.
 */
export type Live = {
  /** GET, text/event-stream: `event: state`, `data: {"version":"..."}`. */
  eventsUrl: string;
  /** GET, the same data as JSON, for browsers or networks without event streams. */
  stateUrl: string;
  version: string;
  /** End of the session; absent where time no longer matters (a paid order). */
  expiresAt?: Date;
};

/** The sandbox's bar: choosing an outcome fills in the test card that leads to it. */
export type TestBar = {
  outcomes: { id: TestOutcome; number: string; expiry: string; cvv: string }[];
  /** The chosen one (query `test`), whose card the form model then carries in `values`. */
  chosen?: TestOutcome;
};
export type TestOutcome = 'approve' | 'decline' | 'challenge' | 'redirect' | 'pending' | 'down';

/** A payout is received, a transfer goes on to another card. */
export type Purpose = 'purchase' | 'debit' | 'credit' | 'transfer';

/** What stands around every state. Addresses are paths of this application unless said otherwise. */
export type PageShell = {
  merchant: Merchant;
  /** What the payer is here for; it changes the words. Absent: to pay. */
  purpose?: Purpose;
  order: Order;
  /** The page itself, '/pay/:token': GET shows the state, POST pays. */
  pageUrl: string;
  /** POST: gives the payment up and leads back to the shop ("Back to ..."). Absent: no such link. */
  cancelUrl?: string;
  /** Hidden fields of every form of the page (the guard against foreign forms, the attempt's number). */
  hidden: Record<string, string>;
  languages: Language[];
  /** Addresses of the merchant's own texts, and the e-mail address for questions; absent: no link. */
  legal?: { privacy?: string; terms?: string; support?: string };
  /** The merchant's own lines, in the page's language or in the one that serves for all. */
  texts?: PlacedTexts;
  live?: Live;
  testBar?: TestBar;
};

// ---- the form ----

/** A field outside the card's own four, in the order in which it is asked. */
export type PayerFormField = { name: PayerFieldName; optional?: boolean };

export type CardBrand = string;

export type CardForm = {
  /** Marks shown in the row, brands as brandOf names them; an empty list shows none. */
  brands: CardBrand[];
  /** The only brands that may be used; absent: every brand. */
  accepted?: CardBrand[];
  /** What is asked of a card that is typed in. */
  cardFields: readonly CardFieldName[];
  /** Only the saved cards can be chosen. */
  savedOnly?: boolean;
  /** Offer to save the card (checkbox `save_card`, value 1). */
  offerSaving?: boolean;
  /** What the request lacks and the mapping requires. */
  fields: PayerFormField[];
};

/** A card of the payer's earlier payments; `id` is opaque and is sent as `saved_card`. */
export type SavedCard = {
  id: string;
  brand: CardBrand;
  last4: string;
  /** 'MM/YY' */
  expiry: string;
  expired: boolean;
  /** What is asked of it. */
  cardFields: readonly CardFieldName[];
};

/** A way to pay that is no card: a form with its asked fields and a button whose words follow `step`. */
export type OtherMethod = {
  id: string;
  /** A proper name, the same in every language. */
  name: string;
  note?: string;
  /** The glyph; brand marks exist for card schemes only. */
  kind: MethodKind;
  /**
   * What the button leads to: payment at once, the method's own page or app, a code to scan, payment data, a coin's
   * address, a request in an app, a link by e-mail or SMS, or just the next step.
   */
  step: 'pay' | 'leave' | 'code' | 'details' | 'address' | 'request' | 'link' | 'next';
  /** What the request lacks of the payer's own data. */
  fields: PayerFormField[];
  /** What the request lacks of the method's parameters; typed in fields named `parameter_<name>`. */
  parameters: ParameterField[];
  /**
   * GET: the page with this row chosen and its form open. A row with an address carries no form of its own, so that a
   * list of hundreds stays light; the chosen row never has one.
   */
  href?: string;
  card?: undefined;
};

/** A row of the method list; the card's row opens the card form. */
export type MethodRow = { id: 'card'; card: CardForm } | OtherMethod;

/** Why the last attempt failed, by the class that decides the advice; lib/core/declines. */
export type DeclineAlert = {
  kind: 'data' | 'funds' | 'bank' | 'technical' | 'unconfirmed';
  /** With 'data': the field to blame, if the bank named one. */
  field?: 'card_number' | 'card_expiry' | 'card_cvv';
  /** The display name of the method that was tried; absent: a card. */
  method?: string;
};

/** A wallet of the payer's device, which the script shows once the device has said that it can pay. */
export type WalletButton =
  | ({ id: 'applepay'; name: string } & NonNullable<WalletData['applepay']>)
  | ({ id: 'googlepay'; name: string } & NonNullable<WalletData['googlepay']>);

export type FormPage = PageShell & {
  state: 'form';
  methods: MethodRow[];
  wallets?: WalletButton[];
  saved: SavedCard[];
  /** The open row: a method's id, or a saved card's id; default the first. */
  chosen?: string;
  /** Every form has a box which the payer has to tick: they may be charged again. */
  consent?: boolean;
  /** The only row asks for nothing and leads away: its form sends itself, with its button for browsers without script. */
  auto?: boolean;
  alert?: DeclineAlert;
  errors?: Partial<Record<FieldName, Message>>;
  /** Typed values to show again. Card number and code are never among them, test cards excepted. */
  values?: Partial<Record<FieldName, string>>;
  /** The payer's country where the request names it; a chosen one (`values.country`) goes before it. */
  country?: string;
  /** GET with `&country=US` behind it: {"states":[{code,name}]}; an empty list where a country has none. */
  statesUrl: string;
};

// ---- on the way ----

export type ChallengePage = PageShell & {
  state: 'challenge';
  /** The document inside the frame, which sends the browser to the card's bank: '/pay/:token/challenge'. */
  frameUrl: string;
  /** POST: leaves the challenge for another way to pay. */
  abandonUrl: string;
};

/** Nobody knows yet what became of the money. */
export type WaitingPage = PageShell & {
  state: 'waiting';
  /** Who is asked, where it is no card's bank: the method's display name. */
  method?: string;
  /** POST; absent where the payment can no longer be left. */
  abandonUrl?: string;
};

/** A payment that is under way, and what the payer does to finish it. */
export type PresentPage = PageShell & {
  state: 'present';
  /** The method's display name. */
  method: string;
  kind: MethodKind;
  step: PresentStep;
  /** POST; absent where the payment can no longer be left. */
  abandonUrl?: string;
  /** Sandbox only: a page where the tester plays the provider. */
  testUrl?: string;
};

/** Leads to a provider: a form that sends itself, with a button for browsers without script. */
export type RedirectingPage = PageShell & {
  state: 'redirecting';
  /** Where to, in words ('iDEAL'); absent: the bank's page. */
  to?: string;
  action: { url: string; method: 'GET' | 'POST'; params: Record<string, string> };
  /** Where the link opens (contract: url_target and the MID's override). */
  target?: LinkTarget;
};

export type LinkTarget = '_self' | '_blank' | '_parent' | '_top';

/** Breaks out of a shop's frame: nothing happens before the payer presses Continue. */
export type ContinuePage = PageShell & { state: 'continue'; url: string; target: LinkTarget };

// ---- ends ----

export type ReceiptPage = PageShell & {
  state: 'receipt';
  /** 'authorised': held only, never called complete. */
  result: 'paid' | 'authorised';
  /** Shows "Card  Visa •••• 4242", or how else it was paid. */
  how: { kind: 'card'; brand: CardBrand; last4: string } | { kind: 'method'; name: string };
  /** The last digits of the card that a transfer went to. */
  payee?: string;
  at: Date;
  paymentId: string;
  /** The shop's success_url with the signed query. */
  returnUrl?: string;
  target?: LinkTarget;
};

/** The link was used already: paid elsewhere, or in another tab. */
export type AlreadyPaidPage = PageShell & { state: 'alreadyPaid'; returnUrl?: string; target?: LinkTarget };

export type ExpiredPage = PageShell & {
  state: 'expired';
  expiredAt: Date;
  /** 'none': certainly not charged. 'unknown': a payment was under way, so nothing may be promised. */
  money: 'none' | 'unknown';
  returnUrl?: string;
  target?: LinkTarget;
};

/** The payer, or the mapping's limit of declines, gave the payment up. */
export type CancelledPage = PageShell & {
  state: 'cancelled';
  reason: 'payer' | 'declines';
  /**
   * Leads to `returnUrl` at once, by the document itself: a redirect in answer to a form would have to
   * pass the policy's form-action, which cannot know where a shop redirects to in turn.
   */
  leaveNow?: boolean;
  returnUrl?: string;
  target?: LinkTarget;
};

/**
 * Back from the bank, for a payment that the shop's own server makes: there is no page of ours to go on with. With
 * `url` the payer leaves a frame, or goes to another window, by pressing Continue.
 */
export type ReturnedPage = PageShell & { state: 'returned'; url?: string; target?: LinkTarget };

/** A document inside the challenge's frame that sends the browser on to the card's bank. */
export type FrameLeavePage = {
  state: 'frameLeave';
  action: { url: string; method: 'GET' | 'POST'; params: Record<string, string> };
};
/** The document that ends inside the challenge's frame: it loads the page around the frame again. */
export type FrameReturnPage = { state: 'frameReturn'; pageUrl: string };

/** Pages that belong to no session, so that neither merchant nor order can be shown. */
export type UnknownLinkPage = { state: 'unknownLink'; languages: Language[]; pageUrl: string };
/** Something of ours failed. `reference` finds the log line. */
export type ErrorPage = {
  state: 'error';
  reference?: string;
  /** Nothing has failed: it is one request too many. */
  limited?: true;
  languages: Language[];
  pageUrl: string;
};

export type SessionPage =
  | FormPage
  | ChallengePage
  | WaitingPage
  | PresentPage
  | RedirectingPage
  | ContinuePage
  | ReceiptPage
  | AlreadyPaidPage
  | ExpiredPage
  | CancelledPage
  | ReturnedPage;

export type PageModel = SessionPage | FrameLeavePage | FrameReturnPage | UnknownLinkPage | ErrorPage;
