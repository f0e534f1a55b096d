// Logos of the card schemes, 36 by 24, defined once per page and used by reference. Two schemes have their circles; the
// others are drawn as their name on their colour, which stays sharp and small.
import { brandById, brands } from '../../lib/core/cards.ts';

type Plate = { text: string; fill: string; ink: string; size: number; italic?: boolean };

const white = '#fff';
const plates: Record<string, Plate> = {
  visa: { text: 'VISA', fill: white, ink: '#1434cb', size: 11.5, italic: true },
  amex: { text: 'AMEX', fill: '#006fcf', ink: white, size: 9.5 },
  discover: { text: 'DISCOVER', fill: white, ink: '#b34700', size: 6 },
  diners: { text: 'DINERS', fill: white, ink: '#0079be', size: 7.5 },
  jcb: { text: 'JCB', fill: white, ink: '#0b4ea2', size: 11 },
  unionpay: { text: 'UnionPay', fill: '#00596b', ink: white, size: 6.8 },
  mir: { text: 'МИР', fill: white, ink: '#0f754e', size: 11 },
  troy: { text: 'troy', fill: white, ink: '#0a6c74', size: 12 },
  elo: { text: 'elo', fill: '#1b1a17', ink: white, size: 12 },
  hipercard: { text: 'HIPER', fill: '#b3131b', ink: white, size: 8, italic: true },
  hiper: { text: 'hiper', fill: '#c2410c', ink: white, size: 9 },
  naranja: { text: 'NX', fill: '#c2410c', ink: white, size: 11 },
  verve: { text: 'verve', fill: white, ink: '#00425f', size: 10, italic: true },
  rupay: { text: 'RuPay', fill: white, ink: '#1f3a93', size: 9, italic: true },
  dinacard: { text: 'Dina', fill: white, ink: '#0f4c81', size: 10 },
  dankort: { text: 'DK', fill: white, ink: '#c8102e', size: 12 },
  uzcard: { text: 'UZCARD', fill: white, ink: '#1e4e9c', size: 7 },
  humo: { text: 'humo', fill: white, ink: '#8a5a00', size: 9.5 },
  belkart: { text: 'BELKART', fill: white, ink: '#00723f', size: 6.5 },
  uatp: { text: 'UATP', fill: white, ink: '#0b3d91', size: 9.5 },
};

const circles: Record<string, [left: string, middle: string, right: string]> = {
  mastercard: ['#eb001b', '#ff5f00', '#f79e1b'],
  maestro: ['#0099df', '#6c6bbd', '#ed0006'],
};

function Drawing({ brand }: { brand: string }) {
  const colours = circles[brand];
  if (colours) {
    return (
      <>
        <circle cx="14.5" cy="12" r="6.5" fill={colours[0]} />
        <circle cx="21.5" cy="12" r="6.5" fill={colours[2]} />
        <path d="M18 6.523a6.5 6.5 0 0 1 0 10.954 6.5 6.5 0 0 1 0-10.954" fill={colours[1]} />
      </>
    );
  }
  const plate = plates[brand] ?? {
    text: (brandById(brand)?.name ?? brand).slice(0, 6),
    fill: white,
    ink: '#1b1a17',
    size: 8,
  };
  return (
    <text
      x="18"
      y={12 + plate.size * 0.36}
      fill={plate.ink}
      fontSize={plate.size}
      fontWeight="800"
      fontStyle={plate.italic ? 'italic' : undefined}
      textAnchor="middle"
    >
      {plate.text}
    </text>
  );
}

/** The definitions that `CardLogo` refers to: once per page, for every brand that the page may show. */
export function CardLogoSheet({ brands }: { brands: readonly string[] }) {
  return (
    <svg width="0" height="0" className="sheet-of-marks" aria-hidden="true" focusable="false">
      {[...new Set(brands)].map((brand) => (
        <symbol key={brand} id={`mark-${brand}`} viewBox="0 0 36 24">
          <rect
            x=".5"
            y=".5"
            width="35"
            height="23"
            rx="3.5"
            fill={plates[brand]?.fill ?? white}
            stroke="#1b1a17"
            strokeOpacity=".2"
          />
          <Drawing brand={brand} />
        </symbol>
      ))}
    </svg>
  );
}

let everyLogo: string | undefined;

/** The definitions of every logo as HTML, and of a plain card as `none`. */
export async function renderCardLogos(): Promise<string> {
  const { renderToStaticMarkup } = await import('react-dom/server');
  everyLogo ??= renderToStaticMarkup(
    <>
      <CardLogoSheet brands={brands.map(({ id }) => id)} />
      <svg width="0" height="0" aria-hidden="true" focusable="false">
        <symbol id="mark-none" viewBox="0 0 36 24">
          <rect x="1" y="1" width="34" height="22" rx="3.5" fill="none" stroke="currentColor" strokeOpacity=".55" />
          <path d="M1 6.5h34v4H1z" fill="currentColor" fillOpacity=".55" />
          <path d="M5 16.5h9" fill="none" stroke="currentColor" strokeOpacity=".55" strokeWidth="2" />
        </symbol>
      </svg>
    </>,
  );
  return everyLogo;
}

/** One logo. `label` names it for assistive technology if no text beside it does. */
export function CardLogo({ brand, label }: { brand: string; label?: boolean }) {
  const named = label ? { role: 'img', 'aria-label': brandById(brand)?.name ?? brand } : { 'aria-hidden': true };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by its label, or hidden
    <svg {...named} className="mark" viewBox="0 0 36 24" data-brand={brand} focusable="false">
      <use href={`#mark-${brand}`} />
    </svg>
  );
}
