// A row of payment data with a button that copies it. What is long stands in groups of four that are made with margins,
// so that text selected by hand has no spaces either.
import { Fragment } from 'react';
import type { Translations } from '../../lib/core/words';
import { Icon } from './icons';

/** Runs of letters and digits from this length on are grouped; shorter ones are read as they are. */
const longCharacters = 12;

/** How many characters at each end of an address payers compare. */
const comparedCharacters = 8;

/** A value in groups of four. With `ends` the first and last eight characters stand out, the groups they touch whole. */
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

export type CopyRowProps = {
  name: string;
  /** What is copied. */
  value: string;
  /** What is read, where it is more than what is copied ('91.27 USDT'). */
  shown?: string;
  /** The one without which the rest is worth nothing. */
  decisive?: boolean;
  /** A coin's address: monospaced, its ends in ink. */
  address?: boolean;
  /** One line that is only ever copied. */
  opaque?: boolean;
  words: Translations;
};

/** One row of a `dl`. */
export function CopyRow({ name, value, shown, decisive, address, opaque, words }: CopyRowProps) {
  const isLong = address || (/^[0-9A-Za-z]+$/.test(value) && value.length >= longCharacters);
  const classes = ['value', decisive && 'decisive', address && 'address', opaque && 'opaque'].filter(Boolean).join(' ');
  return (
    <div className="copy-row">
      <dt>{name}</dt>
      <dd>
        <bdi className={classes} dir={isLong || opaque ? 'ltr' : undefined}>
          {isLong && !shown && !opaque ? <Groups value={value} ends={address} /> : (shown ?? value)}
        </bdi>
        <button type="button" className="copy" data-copy={value}>
          <span className="todo">
            <Icon name="copy" />
            {words.t('copy.button')} <span className="quiet">{name}</span>
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
