// The search in a long method list.

import { countryNames } from '../../lib/core/countries.ts';
import type { FormPage } from '../../lib/payer/contract.ts';
import { Icon } from './icons.tsx';
import type { Row } from './row-head.tsx';
import type { PartProps } from './shell.tsx';

type Context = PartProps<FormPage>;

/** The words by which the search finds a row: its name and line, and the names of the method's countries. */
export function searchWords({ method }: Row, { words }: Context): string {
  if (!method || method.card) return words.t('pay.card');
  const { name, line, countries = [] } = method;
  const all = countries.length > 0 ? countryNames(words.code) : [];
  const places = all.filter(({ code }) => countries.includes(code));
  return [name, words.t(`way.${line}`), ...places.map((place) => place.name)].join(' ');
}

/** The search field: a form, which the script replaces by a search while typing. */
export function Finder({ page, words, isEmpty }: Context & { isEmpty: boolean }) {
  const { pathname, searchParams } = new URL(page.pageUrl, 'http://page');
  return (
    <form className="find" method="get" action={`${pathname}#more`}>
      {[...searchParams].map(([name, value]) =>
        name === 'method' ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="field">
        <label htmlFor="find">
          <span>{words.t('pay.find')}</span>
        </label>
        <div className="box">
          <input
            id="find"
            name="find"
            type="search"
            defaultValue={page.find}
            {...{ autoComplete: 'off', spellCheck: false, dir: 'auto', 'aria-describedby': 'found' }}
          />
          <button type="submit" aria-label={words.t('pay.find')}>
            <Icon name="search" />
          </button>
        </div>
      </div>
      <p id="found" aria-live="polite" data-none={words.t('pay.none')}>
        {isEmpty ? words.t('pay.none') : null}
      </p>
    </form>
  );
}
