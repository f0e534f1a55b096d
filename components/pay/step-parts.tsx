// Parts that the states between form and end share: forward and back actions, remaining time, the code, the note, and
// the status line at the sheet's foot.
import { Fragment, type ReactNode } from 'react';
import { isolate } from '../../lib/core/bidi.ts';
import type { Translations } from '../../lib/core/translations.ts';
import type { CodeImage, PageShell, PresentPage, PresentStep, StepOf } from '../../lib/payer/contract.ts';
import { Icon, type IconName } from './icons.tsx';
import { HiddenFields, Instant, type PartProps, ShopLink, withNodes } from './shell.tsx';

export type StepProps<Kind extends PresentStep['kind']> = PartProps<PresentPage & { step: StepOf<Kind> }>;

/** A form of one button; `children` are its icon and text. */
export function PostButton(props: PartProps & { url: string; className: string; children: ReactNode }) {
  return (
    <form method="post" action={props.url}>
      <HiddenFields page={props.page} words={props.words} />
      <button type="submit" className={props.className}>
        {props.children}
      </button>
    </form>
  );
}

type Abandonable = PartProps<PageShell & { abandonUrl?: string }>;

/** Cancels the current attempt and returns to the method list; empty if that is no longer possible. */
export function ChangeMethod({ page, words, label = 'waiting.anotherWay' }: Abandonable & { label?: string }) {
  if (!page.abandonUrl) return null;
  return (
    <PostButton page={page} words={words} url={page.abandonUrl} className="plain">
      {words.t(label)}
    </PostButton>
  );
}

/** The same where money may be on its way: the payer is asked first. */
export function AskedChange({ page, words }: Abandonable) {
  const { t } = words;
  if (!page.abandonUrl) return null;
  return (
    <details className="asked">
      <summary className="plain">{t('waiting.anotherWay')}</summary>
      {/* The link back leads here, and so opens the question. */}
      <div id="leave">
        <p>
          <b>{t('leave.heading')}</b> {t('leave.text')}
        </p>
        <PostButton page={page} words={words} url={page.abandonUrl} className="outlined">
          {t('leave.button')}
        </PostButton>
        {page.asksToLeave && page.cancelUrl ? (
          <PostButton page={page} words={words} url={page.cancelUrl} className="outlined">
            {t('summary.back', { merchant: isolate(page.merchant.name, words) })}
          </PostButton>
        ) : null}
      </div>
    </details>
  );
}

/** A reload would close the question of AskedChange, so without script a page with it only says how to get its news. */
function Unscripted({ page, words }: Abandonable) {
  const { t } = words;
  if (!page.abandonUrl) return null;
  return (
    <noscript>
      <p className="help">{t('waiting.unscripted', { check: t('waiting.check') })}</p>
    </noscript>
  );
}

type LaterProps = Abandonable & {
  line?: string;
  /** The check is the main action, because there is no way back. */
  filled?: boolean;
};

/** The payer's part is done, or is done elsewhere: what happens next, and the way back of a payer who pays later. */
export function Later({ page, words, line, filled }: LaterProps) {
  return (
    <>
      {line ? <WaitingLine text={line} words={words} /> : null}
      <CloseHelp page={page} words={words} />
      <Unscripted page={page} words={words} />
      <ShopLink way={page.later} className="filled">
        <span>{words.t('summary.back', { merchant: page.merchant.name })}</span>
      </ShopLink>
      <CheckNow page={page} words={words} filled={filled} />
    </>
  );
}

/** A masked address inside a sentence: left to right in every language. */
export const latin = (text: string): string => `\u2066${text.replaceAll(' ', '\u00a0')}\u2069`;

/** A plain reload, which polls the provider. */
function CheckNow({ page, words, filled }: PartProps & { filled?: boolean }) {
  return (
    <a className={filled ? 'filled' : 'outlined'} href={page.pageUrl}>
      {words.t('waiting.check')}
    </a>
  );
}

/** One sentence for wide windows and one for phones. */
export function ByWidth({ wide, phone }: { wide: string; phone: string }) {
  return (
    <>
      <span className="wide">{wide}</span>
      <span className="narrow">{phone}</span>
    </>
  );
}

/** How long the data is valid: the expiry time; with script the time left, for '{time}' in `sentence`, and a bar. */
export function TimeLeft({ until, sentence, words }: { until?: Date; sentence: string; words: Translations }) {
  if (!until) return null;
  const time = <Instant at={until} form="dateTime" words={words} />;
  return (
    <div className="time-left" role="timer">
      <p data-left={sentence}>{withNodes(words, 'present.until', { time })}</p>
      <progress max={60} value={0} hidden aria-hidden="true" />
    </div>
  );
}

/** The awaited event, with a spinner and, at its end, the remaining time. */
export function WaitingLine({ text, until, words }: { text: string; until?: Date; words: Translations }) {
  const time = until ? <Instant at={until} form="dateTime" words={words} /> : null;
  return (
    <p className="line">
      <span className="ring" aria-hidden="true" />
      <span>{text}</span>
      {until ? (
        <span className="left" role="timer" data-left={words.t('waiting.left', { time: '{time}' })}>
          {withNodes(words, 'present.until', { time })}
        </span>
      ) : null}
    </p>
  );
}

/** The foot of the sheet: the awaited event at its start, the actions at its end. */
export function Foot(props: Abandonable & { text: string; still?: boolean; children?: ReactNode }) {
  return (
    <div className="foot">
      {props.still ? null : <span className="ring" aria-hidden="true" />}
      <p>{props.text}</p>
      <div className="ways-on">
        <a className="plain unscripted" href={props.page.pageUrl}>
          {props.words.t('waiting.check')}
        </a>
        {props.children}
      </div>
      <Unscripted page={props.page} words={props.words} />
    </div>
  );
}

/** Numbered steps beside a code, and an alternative below. */
export function Steps(props: { texts: string[]; className?: string; children?: ReactNode }) {
  return (
    <div className={props.className ? `steps ${props.className}` : 'steps'}>
      <ol>
        {props.texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
      {props.children}
    </div>
  );
}

/** A code on its white plate, which stays white in dark mode; `children` overlay it. */
export function CodePlate(props: {
  code: CodeImage;
  words: Translations;
  small?: boolean;
  past?: boolean;
  children?: ReactNode;
}) {
  const { code } = props;
  const classes = ['plate', props.small && 'small', props.past && 'past'].filter(Boolean).join(' ');
  return (
    <div className={classes}>
      <svg
        viewBox={`0 0 ${code.size} ${code.size}`}
        role="img"
        aria-label={props.words.t('qr.image')}
        shapeRendering="crispEdges"
      >
        <path d={code.path} />
      </svg>
      {props.children}
    </div>
  );
}

/** An ochre note, at most one per page, for mistakes that cost money. The first sentence is bold. */
export function Note({ first, rest }: { first: string; rest: ReactNode }) {
  return (
    <div className="note">
      <Icon name="warn" />
      <p>
        <b>{first}</b> {rest}
      </p>
    </div>
  );
}

/** The head of a screen whose next step is elsewhere: icon, heading, destination. */
export function IconHead({ glyph, heading, text }: { glyph: IconName; heading: string; text: string }) {
  return (
    <>
      <span className="sign">
        <Icon name={glyph} />
      </span>
      <h2 className="state">{heading}</h2>
      <p className="intro">{text}</p>
    </>
  );
}

/** Heading and introduction of a sheet. */
export function Head({ heading, text }: { heading: ReactNode; text?: ReactNode }) {
  return (
    <div className="head">
      <h2>{heading}</h2>
      {text ? <p className="intro">{text}</p> : null}
    </div>
  );
}

/** That the page may be closed. */
function CloseHelp({ page, words }: PartProps) {
  return <p className="help">{words.t('waiting.close', { merchant: isolate(page.merchant.name, words) })}</p>;
}

type AlertProps = {
  kind?: 'decline' | 'unknown';
  heading?: string;
  text?: string;
  /** The heading takes the focus when the document appears. */
  focus?: boolean;
  children?: ReactNode;
};

/** The alert at the top: red for 'decline', never for 'unknown'. It is always there, for the script to fill in. */
export function AlertBox({ kind = 'decline', heading, text, focus, children }: AlertProps) {
  return (
    <div className="alert" id="alert" data-kind={kind} hidden={!heading}>
      <Icon name="error" className="when-decline" />
      <Icon name="clock" className="when-unknown" />
      <div>
        {/* biome-ignore lint/a11y/noAutofocus: after a failed attempt the reason comes first */}
        <h2 tabIndex={-1} autoFocus={focus}>
          {heading}
        </h2>
        <p>{text}</p>
        {children}
      </div>
    </div>
  );
}

/** Runs of letters and digits from this length on are grouped. */
const longCharacters = 12;

/** Characters at each end of an address that payers compare. */
const comparedCharacters = 8;

/** A value in groups of four. With `ends` the first and last eight characters are emphasised, by whole groups. */
function Groups({ value, ends }: { value: string; ends?: boolean }) {
  const starts = Array.from({ length: Math.ceil(value.length / 4) }, (_, place) => place * 4);
  const isEnd = (start: number) => start < comparedCharacters || start + 4 > value.length - comparedCharacters;
  return starts.map((start) => {
    const group = value.slice(start, start + 4);
    return (
      <Fragment key={start}>
        {ends && !isEnd(start) ? <i>{group}</i> : <span>{group}</span>}
        <wbr />
      </Fragment>
    );
  });
}

type CopyRowProps = {
  name: string;
  value: string;
  /** The displayed text, if it differs from the copied one ('91.27 USDT'). */
  shown?: string;
  /** The value that identifies the payment. */
  decisive?: boolean;
  /** A coin's address: monospaced, its ends in ink. */
  address?: boolean;
  /** A long value on one line, for copying only. */
  opaque?: boolean;
  /** The text of its button, which is the page's main one on a phone. */
  main?: string;
  words: Translations;
};

/** A row of payment data, in a `dl`. Margins group long values, so that text selected by hand has no spaces either. */
export function CopyRow({ name, value, shown, decisive, address, opaque, main, words }: CopyRowProps) {
  const isLong = address || (/^[0-9A-Za-z]+$/.test(value) && value.length >= longCharacters);
  const classes = ['value', decisive && 'decisive', address && 'address', opaque && 'opaque'].filter(Boolean).join(' ');
  return (
    <div className={main ? 'copy-row main' : 'copy-row'}>
      <dt>{name}</dt>
      <dd>
        <bdi className={classes} dir={isLong || opaque ? 'ltr' : undefined}>
          {isLong && !shown && !opaque ? <Groups value={value} ends={address} /> : (shown ?? value)}
        </bdi>
        <button type="button" className="copy" data-copy={value}>
          <span className="todo">
            <Icon name="copy" />
            {main ?? words.t('copy.button')} <span className="quiet">{name}</span>
          </span>
          <span className="done">
            <Icon name="tick" />
            <span>{words.t('copy.done')}</span>
          </span>
        </button>
      </dd>
    </div>
  );
}
