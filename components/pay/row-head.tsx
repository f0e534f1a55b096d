// The head of a row in the method list: the name, a line on what the payer will do, and marks that the page draws.

import type { ReactNode } from 'react';
import { brandById } from '../../lib/core/cards.ts';
import type { Translations } from '../../lib/core/translations.ts';
import type { FormPage, MethodRow, OtherMethod, SavedCard } from '../../lib/payer/contract.ts';
import { CardLogo } from './card-logos.tsx';
import { Icon } from './icons.tsx';

/** One row per saved card or method. */
export type Row = { key: string } & (
  | { saved: SavedCard; method?: undefined }
  | { saved?: undefined; method: MethodRow }
);

function SavedName({ card, words }: { card: SavedCard; words: Translations }) {
  const name = brandById(card.brand)?.name ?? card.brand;
  const text = card.expired ? 'pay.expired' : 'pay.expires';
  return (
    <span className="method">
      <bdi dir="ltr">
        {name} <span aria-hidden="true">••••</span> {card.last4}
      </bdi>
      {card.cardFields.includes('card_expiry') ? null : <small>{words.t(text, { expiry: card.expiry })}</small>}
    </span>
  );
}

/** Up to four card logos. */
export function CardLogos({ brands }: { brands: string[] }) {
  return (
    <span className="marks">
      {brands.slice(0, 4).map((brand) => (
        <CardLogo key={brand} brand={brand} label />
      ))}
    </span>
  );
}

function MethodName({ method, words }: { method: OtherMethod; words: Translations }) {
  return (
    <span className="method">
      <bdi>{method.name}</bdi>
      <small>{words.t(`way.${method.line}`)}</small>
    </span>
  );
}

/** The mark at the end of a row: the icon of the method's kind, or letters where others have the same icon. */
function MethodMark({ method: { kind, tile } }: { method: OtherMethod }) {
  return (
    <span className={tile ? `mark tile t${tile.tone}` : 'mark tile'} aria-hidden="true" dir="ltr">
      {tile ? tile.text : <Icon name={kind} />}
    </span>
  );
}

/** The name and the marks of a row. */
export function RowHead({ row, page, words }: { row: Row; page: FormPage; words: Translations }): ReactNode {
  if (row.saved) {
    return (
      <>
        <SavedName card={row.saved} words={words} />
        <CardLogo brand={row.saved.brand} />
      </>
    );
  }
  const { method } = row;
  if (method.card) {
    const isNew = page.saved.length > 0;
    return (
      <>
        <span className="method">{words.t(isNew ? 'pay.newCard' : 'pay.card')}</span>
        {isNew ? <Icon name="card" /> : <CardLogos brands={method.card.brands} />}
      </>
    );
  }
  return (
    <>
      <MethodName method={method} words={words} />
      <MethodMark method={method} />
    </>
  );
}
