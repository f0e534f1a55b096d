// The model of a payer's page: one case per state of the page. lib/payer builds a model from the database and
// components/pay renders it, so neither depends on the other.
import type { Agreement } from '../core/agreement.ts';
import type { DeclineClass } from '../core/declines.ts';
import type { Money } from '../core/money.ts';
import type { AddressForm, WalletData } from '../core/page-data.ts';
import type { PlacedTexts } from '../core/page-texts.ts';
import type { NextAction } from '../core/provider-data.ts';
import type { Message } from '../core/translations.ts';
import type { CardFieldName, PayerFieldName, TypedFieldName } from '../methods/fields.ts';
import type { MethodKind } from '../methods/method.ts';
import type { ParameterField as AskedParameter } from '../methods/parameters.ts';
import type { Installments } from './installments.ts';
import type { PresentStep } from './present-step.ts';

export type { SubmitResult } from '../core/page-data.ts';
export type { MethodKind } from '../methods/method.ts';
export type { Barcode, CodeImage, PresentStep, StepOf } from './present-step.ts';

/** Names of all fields that a payer can fill in; also the form field names on the wire. */
export type FieldName = TypedFieldName | ParameterFieldName | 'consent' | 'zip_checked' | 'document_checked';

/** A parameter of a method that the payer enters; lengths in characters. */
export type ParameterField = Omit<AskedParameter, 'format'>;

/** The form field of a method's parameter: `parameter_document_number`. */
export type ParameterFieldName = `parameter_${string}`;

export type Merchant = {
  name: string;
  /** The shop's host as text ('orme-ceramics.example'), never a link. */
  site?: string;
  /** A picture of this application. `square` gets the radius, `plate` (transparency) a white ground in dark mode. */
  logo?: { src: string; square?: boolean; plate?: boolean };
  /** Colours as '#rrggbb'; radius in pixels, 0 to 14; an id of lib/core/page-fonts. All have defaults. */
  accent?: string;
  background?: string;
  radius?: number;
  font?: string;
};

/** `email` is masked. */
export type Order = { number: string; description: string; amount: Money; email?: string };

/** One entry of the language menu; `code` is the value of the query parameter `lang`. */
export type Language = { code: string; lang: string; name: string };

/**
 * How an open page follows the server. `version` is an opaque text that changes exactly when the page's state changes
 * (form, challenge, receipt ...); a page that receives another version reloads. A decline that the submit's response
 * already reported does not change the version.
 */
export type Live = {
  /** GET, text/event-stream: `event: state`, `data: {"version":"..."}`. */
  eventsUrl: string;
  /** GET, the same data as JSON, for browsers or networks without event streams. */
  stateUrl: string;
  version: string;
  /** End of the session; absent for states that do not expire (a paid order). */
  expiresAt?: Date;
};

/** The sandbox's test bar: choosing an outcome fills in the test card that leads to it. */
export type TestBar = {
  outcomes: { id: TestOutcome; number: string; expiry: string; cvv: string }[];
  /** The chosen outcome (query `test`); the form model has its card in `values`. */
  chosen?: TestOutcome;
};
export type TestOutcome = 'approve' | 'decline' | 'challenge' | 'redirect' | 'pending' | 'down';

/** The payment's operation: it decides which texts the page uses. */
export type Purpose = 'purchase' | 'debit' | 'credit' | 'transfer';

/** The data that every state has. Addresses are paths of this application unless said otherwise. */
export type PageShell = {
  merchant: Merchant;
  /** Selects the texts; absent: a purchase. */
  purpose?: Purpose;
  order: Order;
  /** The page itself, '/pay/:token': GET shows the state, POST pays. */
  pageUrl: string;
  /** POST: cancels the session and returns to the shop ("Back to ..."); absent: no such link. */
  cancelUrl?: string;
  /** Money may be on its way: a payer who leaves is asked first. */
  asksToLeave?: true;
  /** The shop's address for a payer who completes the payment later, instead of `cancelUrl`. */
  later?: WayBack;
  /** Hidden fields of every form of the page: the CSRF token and the number of attempts. */
  hidden: Record<string, string>;
  languages: Language[];
  /** Addresses of the merchant's own pages, and the email address for questions; absent: no link. */
  legal?: { privacy?: string; terms?: string; support?: string };
  /** The merchant's own texts, in the page's language or the default one. */
  texts?: PlacedTexts;
  live?: Live;
  testBar?: TestBar;
};

// ---- form ----

/** A field other than the card's own four; the list is in display order. */
export type PayerFormField = { name: PayerFieldName; optional?: boolean };

export type CardBrand = string;

export type CardForm = {
  /** Logos shown in the row, named as by brandOf; an empty list shows none. */
  brands: CardBrand[];
  /** The only brands that may be used; absent: every brand. */
  accepted?: CardBrand[];
  cardFields: readonly CardFieldName[];
  /** Only the saved cards can be chosen. */
  savedOnly?: boolean;
  /** Offers to save the card (checkbox `save_card`, value 1). */
  offerSaving?: boolean;
  /** Fields that the mapping requires and the request lacks. */
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
  cardFields: readonly CardFieldName[];
};

/** A method other than a card: a form with its required fields and a button whose text depends on `step`. */
export type OtherMethod = {
  id: string;
  /** A proper name, the same in every language. */
  name: string;
  /** Selects the line below the name: what the payer will do. */
  line: MethodLine;
  /** Selects the icon; only card schemes have brand logos. */
  kind: MethodKind;
  /** Letters instead of the icon, where other methods of the list have the same; `tone` (0 to 7) is their colour. */
  tile?: { text: string; tone: number };
  /** Countries of the method (alpha-2), by which the search finds it. */
  countries?: readonly string[];
  /**
   * The next step after the button: the payment itself, the method's own page or app, a code to scan, payment data, a
   * coin's address, a request in an app, a link by email or SMS, or another step.
   */
  step: 'pay' | 'leave' | 'code' | 'details' | 'address' | 'request' | 'link' | 'next';
  /** Payer fields that the request lacks. */
  fields: PayerFormField[];
  /** Parameters of the method that the request lacks; form fields named `parameter_<name>`. */
  parameters: ParameterField[];
  /**
   * GET: the page with this row chosen and its form open. A row with an address is folded and has no form of its own,
   * which keeps a page with hundreds of methods small; the chosen row never has one.
   */
  href?: string;
  card?: undefined;
};

/** The line below a method's name: the text `way.<line>`. The last three are those of payouts. */
export type MethodLine =
  | MethodKind
  | 'request'
  | 'confirm'
  | 'transfer'
  | 'shop'
  | 'link'
  | 'address'
  | 'otp'
  | 'onPage'
  | 'toBank'
  | 'toWallet'
  | 'toCoins';

/** A row of the method list; the card's row opens the card form. */
export type MethodRow = { id: 'card'; card: CardForm } | OtherMethod;

/** Why the last attempt failed: a decline class of lib/core/declines, which decides the advice. */
export type DeclineAlert = {
  kind: DeclineClass;
  /** With 'data': the field that the bank named, if any. */
  field?: 'card_number' | 'card_expiry' | 'card_cvv';
  /** The display name of the attempt's method; absent: a card. */
  method?: string;
  /** The payer completed it elsewhere, so that money may be on its way although the attempt has ended. */
  late?: true;
};

/** A wallet of the payer's device. The script shows it once the device reports that it can pay. */
export type WalletButton =
  | ({ id: 'applepay'; name: string } & NonNullable<WalletData['applepay']>)
  | ({ id: 'googlepay'; name: string } & NonNullable<WalletData['googlepay']>);

export type FormPage = PageShell & {
  state: 'form';
  methods: MethodRow[];
  wallets?: WalletButton[];
  saved: SavedCard[];
  /** The open row: a method's id or a saved card's id; default: the first. */
  chosen?: string;
  /** Shown in the forms of cards and wallets. */
  agreement?: Agreement;
  /** Shown in the forms of cards. */
  installments?: Installments;
  /** Every form has a required checkbox: the payer consents to later charges. */
  consent?: boolean;
  /** The text that the payer searches for, maybe empty; absent: the list is too short for a search field. */
  find?: string;
  /** The page offers to remember the chosen method; `method` is the remembered one. Absent: it does not. */
  remember?: { method?: string };
  /** The only row has no fields and redirects: the script submits its form, else its button is shown. */
  auto?: boolean;
  alert?: DeclineAlert;
  errors?: Partial<Record<FieldName, Message>>;
  /** Values to redisplay. Card number and code are never included, except those of test cards. */
  values?: Partial<Record<FieldName, string>>;
  /** The country of the address form: typed, of the request, or of the page's region. */
  country?: string;
  /** The address form of that country, with the fields that any row may ask for. */
  address?: AddressForm;
  /** GET with `&country=US` appended: the AddressForm of another country. */
  addressUrl: string;
};

// ---- in progress ----

export type ChallengePage = PageShell & {
  state: 'challenge';
  /** The document inside the frame, which sends the browser to the card's bank: '/pay/:token/challenge'. */
  frameUrl: string;
  /** POST: leaves the challenge for another card or method. */
  abandonUrl: string;
  /** There is no other way to pay than by card. */
  cardOnly: boolean;
};

/** The outcome of the payment is not known yet. */
export type WaitingPage = PageShell & {
  state: 'waiting';
  /** The display name of the method; absent: a card, whose bank is asked. */
  method?: string;
  /** POST; absent if the attempt can no longer be cancelled. */
  abandonUrl?: string;
};

/** Sends what a page shows to the payment's address (`to`, masked), else to an e-mail address that the payer types. */
export type SendForm = {
  /** POST. */
  url: string;
  to?: string;
  /** Where it was just sent, masked. */
  sentTo?: string;
  /** A rejected address and why. */
  typed?: string;
  error?: Message;
};

/** A payment in progress, and the step that completes it. */
export type PresentPage = PageShell & {
  state: 'present';
  method: string;
  kind: MethodKind;
  step: PresentStep;
  /** POST; absent if the attempt can no longer be cancelled. */
  abandonUrl?: string;
  /** Sends the payment data, once for an attempt; absent if there is none, or no transport. */
  reminder?: SendForm;
  /** Sandbox only: a page where the tester acts as the provider. */
  testUrl?: string;
};

/** A form to a provider; the script submits it, and browsers without script show its button. */
export type RedirectingPage = PageShell & {
  state: 'redirecting';
  /** The display name of the destination ('iDEAL'); absent: the bank's page. */
  to?: string;
  action: NextAction;
  /** Whether the payer has just chosen this: only then the script leads on by itself. */
  auto: boolean;
  abandonUrl: string;
  /** The window in which the link opens (contract: url_target and the MID's override). */
  target?: LinkTarget;
};

export type LinkTarget = '_self' | '_blank' | '_parent' | '_top';

/** Leaves a shop's frame; the payer has to press Continue. */
export type ContinuePage = PageShell & { state: 'continue'; url: string; target: LinkTarget };

// ---- final states ----

/** The shop's address with its signed query, and the window that it opens in. */
export type WayBack = { returnUrl?: string; target?: LinkTarget };

export type ReceiptPage = PageShell &
  WayBack & {
    state: 'receipt';
    /** 'authorised': reserved only, never called complete. 'returned': the money went back since. */
    result: 'paid' | 'authorised' | 'returned';
    /** "Card Visa •••• 4242", or the name of another method. */
    how: { kind: 'card'; brand: CardBrand; last4: string } | { kind: 'method'; name: string };
    /** The last digits of a transfer's recipient card. */
    payee?: string;
    at: Date;
    paymentId: string;
    /** The payer has just paid in this window: the page leads on to the shop by itself. */
    isNew: boolean;
    /** Sends the receipt; absent if no e-mail is sent. */
    email?: SendForm;
  };

export type ExpiredPage = PageShell &
  WayBack & {
    state: 'expired';
    expiredAt: Date;
    /** 'none': certainly not charged. 'unknown': an attempt was in progress, so the page makes no promise. */
    money: 'none' | 'unknown';
  };

/** Cancelled by the payer or by the mapping's limit of declines. */
export type CancelledPage = PageShell &
  WayBack & {
    state: 'cancelled';
    reason: 'payer' | 'declines';
    /** Money may be on its way although the last attempt has ended. */
    late?: boolean;
    /**
     * The document itself redirects to `returnUrl`. An HTTP redirect in response to a form would be checked against the
     * policy's form-action, which cannot know where a shop redirects next.
     */
    leaveNow?: boolean;
  };

/**
 * The payer returns from the bank for a payment made by the merchant's server, which has no payment page. With a return
 * address the payer leaves a frame, or goes to another window, by pressing Continue.
 */
export type ReturnedPage = PageShell & WayBack & { state: 'returned' };

/** A document inside the challenge frame that sends the browser to the card's bank. */
export type FrameLeavePage = { state: 'frameLeave'; action: NextAction };
/** The last document inside the challenge frame: it reloads the page around the frame. */
export type FrameReturnPage = { state: 'frameReturn'; pageUrl: string };

/** Pages without a session: neither merchant nor order is known. */
export type UnknownLinkPage = { state: 'unknownLink'; languages: Language[]; pageUrl: string };
/** An internal error. `reference` finds the log line. */
export type ErrorPage = { state: 'error'; reference?: string; languages: Language[]; pageUrl: string };

export type SessionPage =
  | FormPage
  | ChallengePage
  | WaitingPage
  | PresentPage
  | RedirectingPage
  | ContinuePage
  | ReceiptPage
  | ExpiredPage
  | CancelledPage
  | ReturnedPage;

export type PageModel = SessionPage | FrameLeavePage | FrameReturnPage | UnknownLinkPage | ErrorPage;
