// The HTML document around a sheet: a title that begins with the state, inline styles (they save a round trip on a
// phone), and the script by address with its integrity.
import type { ReactNode } from 'react';
import { isolate } from '../../lib/core/bidi.ts';
import type { Translations } from '../../lib/core/translations.ts';
import type { PageModel, PresentStep } from '../../lib/payer/contract.ts';
import { translationsFor } from '../../lib/payer/payout-texts.ts';
import { DetailsSheet } from './details-sheets.tsx';
import {
  CancelledSheet,
  ErrorSheet,
  ExpiredSheet,
  ReceiptSheet,
  ReturnedSheet,
  UnknownLinkSheet,
} from './final-sheets.tsx';
import { FormSheet } from './form.tsx';
import { pageData } from './page-data.ts';
import { AppSheet, ConfirmSheet, CryptoSheet, MessageSheet, OneTimeCodeSheet, QrSheet } from './present-sheets.tsx';
import { type PartProps, type SheetProps, TestBarRegion } from './shell.tsx';
import type { StepProps } from './step-parts.tsx';
import { ChallengeSheet, ContinueSheet, FrameLeave, FrameReturn, RedirectingSheet, WaitingSheet } from './steps.tsx';
import { themeStyle } from './theme.ts';

export type RenderContext = {
  words: Translations;
  now: Date;
  /** The nonce of the policy. */
  nonce: string;
  /** From lib/http/browser-assets: the texts of the style sheets, address and integrity of the script. */
  assets: { style: string; formStyle: string; script: { src: string; integrity: string } };
};

const receiptTitles = {
  paid: 'receipt.title',
  authorised: 'receipt.titleAuthorised',
  returned: 'receipt.titleReturned',
} as const;

/** The document's title; it begins with the state, because a tab shows little more. */
export function titleOf(model: PageModel, words: Translations): string {
  const { t } = words;
  if (model.state === 'frameLeave' || model.state === 'frameReturn') return t('challenge.frame');
  if (model.state === 'returned') return t('challenge.returned');
  if (model.state === 'unknownLink') return t('unknownLink.title');
  if (model.state === 'error') return t('failure.title');
  const merchant = isolate(model.merchant.name, words);
  if (model.state === 'form') {
    const hasErrors = Object.keys(model.errors ?? {}).length > 0;
    return t(model.alert && !model.alert.late ? 'decline.title' : hasErrors ? 'pay.titleErrors' : 'pay.title', {
      merchant,
    });
  }
  if (model.state === 'receipt') return t(receiptTitles[model.result], { merchant });
  if (model.state === 'present') {
    return t(model.step.kind === 'code' ? 'challenge.title' : 'waiting.title', { merchant });
  }
  return t(`${model.state}.title`, { merchant });
}

// All steps that the payer takes elsewhere follow the server's state and work without script by a plain reload.
const stepSheets: { [Kind in PresentStep['kind']]: (props: StepProps<Kind>) => ReactNode } = {
  app: AppSheet,
  qr: QrSheet,
  confirm: ConfirmSheet,
  details: DetailsSheet,
  message: MessageSheet,
  crypto: CryptoSheet,
  code: OneTimeCodeSheet,
};

function PresentSheet(props: SheetProps<'present'>): ReactNode {
  const Sheet = stepSheets[props.page.step.kind] as (props: SheetProps<'present'>) => ReactNode;
  return <Sheet {...props} />;
}

const sheets: { [State in PageModel['state']]: (props: SheetProps<State>) => ReactNode } = {
  form: FormSheet,
  challenge: ChallengeSheet,
  waiting: WaitingSheet,
  present: PresentSheet,
  redirecting: RedirectingSheet,
  continue: ContinueSheet,
  receipt: ReceiptSheet,
  expired: ExpiredSheet,
  cancelled: CancelledSheet,
  returned: ReturnedSheet,
  frameLeave: FrameLeave,
  frameReturn: FrameReturn,
  unknownLink: UnknownLinkSheet,
  error: ErrorSheet,
};

/** How often a page without script asks for the outcome that it waits for. */
const unscriptedRefreshSeconds = 10;

/** Escapes '<', which could end the script element; the JSON means the same. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

// biome-ignore-start lint/style/noHeadElement: a document, no page of Next
// biome-ignore-start lint/security/noDangerouslySetInnerHtml: our own style sheet, numbers of a parsed theme, and escaped JSON
function Head({ model, context }: { model: PageModel; context: RenderContext }) {
  const { assets, nonce, words } = context;
  const theme = 'merchant' in model ? themeStyle(model.merchant) : '';
  const leaves = model.state === 'cancelled' && model.leaveNow && model.returnUrl;
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{titleOf(model, words)}</title>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      {model.state === 'waiting' && !model.abandonUrl ? (
        <noscript>
          <meta httpEquiv="refresh" content={String(unscriptedRefreshSeconds)} />
        </noscript>
      ) : null}
      {leaves ? <meta httpEquiv="refresh" content={`0;url=${leaves}`} /> : null}
      <style
        nonce={nonce}
        dangerouslySetInnerHTML={{ __html: model.state === 'form' ? assets.formStyle : assets.style }}
      />
      {theme ? <style nonce={nonce} dangerouslySetInnerHTML={{ __html: theme }} /> : null}
      <script src={assets.script.src} integrity={assets.script.integrity} nonce={nonce} defer />
    </head>
  );
}

function PageDocument({ model, context: requested }: { model: PageModel; context: RenderContext }) {
  const words = translationsFor('purpose' in model ? model.purpose : undefined, requested.words);
  const context = { ...requested, words };
  const { now } = context;
  const Sheet = sheets[model.state] as (props: PartProps<PageModel>) => ReactNode;
  const playUrl = model.state === 'present' ? model.testUrl : undefined;
  const bare = model.state === 'frameLeave' || model.state === 'frameReturn';
  return (
    <html lang={words.lang} dir={words.dir} data-intl={words.intl}>
      <Head model={model} context={context} />
      <body className={bare ? 'in-frame' : undefined} data-state={model.state}>
        {'merchant' in model ? (
          <TestBarRegion bar={model.testBar} playUrl={playUrl} pageUrl={model.pageUrl} words={words} />
        ) : null}
        <Sheet page={model} words={words} />
        <script
          type="application/json"
          id="page-data"
          dangerouslySetInnerHTML={{ __html: embedded(pageData(model, words, now)) }}
        />
      </body>
    </html>
  );
}
// biome-ignore-end lint/security/noDangerouslySetInnerHtml: as above
// biome-ignore-end lint/style/noHeadElement: as above

/** Renders one page. React's server renderer is imported on first use: a Next route handler must not import it. */
export async function renderPage(model: PageModel, context: RenderContext): Promise<string> {
  const { renderToStaticMarkup } = await import('react-dom/server');
  return `<!DOCTYPE html>${renderToStaticMarkup(<PageDocument model={model} context={context} />)}`;
}
