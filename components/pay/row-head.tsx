// The content of a closed row of the method list: its name, a second line, and a logo or an icon at its end.
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

function MethodName({ method }: { method: OtherMethod }) {
  return (
    <span className="method">
      <bdi>{method.name}</bdi>
      {method.note ? <small>{method.note}</small> : null}
    </span>
  );
}

/** A row that is a link: the icon is in the place of the radio. */
export function LinkHead({ method }: { method: OtherMethod }) {
  return (
    <>
      <Icon name={method.kind} />
      <MethodName method={method} />
      <Icon name="forward" className="mirrored" />
    </>
  );
}

/** A row that opens a form. */
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
      <MethodName method={method} />
      <Icon name={method.kind} />
    </>
  );
}
