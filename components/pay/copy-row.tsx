// A row of payment data with a copy button. Long values are grouped in fours by margins, so that text selected by hand
// has no spaces either.
import { Fragment } from 'react';
import type { Translations } from '../../lib/core/translations.ts';
import { Icon } from './icons.tsx';

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

export type CopyRowProps = {
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
