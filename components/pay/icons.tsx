// The page's icons, 20 units square with a 1.5 unit line. Each is decoration beside text with the same meaning, so all
// are hidden from assistive technology.

const paths = {
  back: 'M16 10H4m5-5-5 5 5 5',
  down: 'm5.5 8 4.5 4.5L14.5 8',
  lock: 'M5 9h10v7.5H5zm2 0V6.5a3 3 0 0 1 6 0V9',
  error: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.7m0 2.5v.3',
  clock: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.2l2.6 2',
  tick: 'm4.5 10.5 3.7 3.7 7.3-8',
  cross: 'm5.5 5.5 9 9m0-9-9 9',
  globe: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M2.5 10h15M10 2.5c-5 5-5 10 0 15 5-5 5-10 0-15',
  florin:
    'M10 1.75a8.25 8.25 0 1 0 0 16.5 8.25 8.25 0 0 0 0-16.5M13 5.6c-1.9-.9-2.9.3-3.3 2.4l-.9 4.2c-.4 2-1.4 3-3 2.2M7 9.4h5',
  bank: 'M2.8 7.6 10 3.2l7.2 4.4zM2.8 16.8h14.4M5 10.2v4.2m3.3-4.2v4.2m3.4-4.2v4.2m3.3-4.2v4.2',
  wallet: 'M15 6.5V4H4.5A1.5 1.5 0 0 0 3 5.5v9A1.5 1.5 0 0 0 4.5 16H17V6.5H4.5M13.7 11.3v.2',
  app: 'M6 2.5h8v15H6zm3 12h2',
  code: 'M3.5 3.5h5v5h-5zm8 0h5v5h-5zm-8 8h5v5h-5zm8 0h2v2h-2zm3 3h2v2h-2zm2-3v.2m-5 4.8v.2',
  card: 'M2.75 4.75h14.5v10.5H2.75zm0 3.5h14.5M5.5 12.2h2.5',
  coin: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M7.8 6.5h3a1.7 1.7 0 0 1 0 3.4h-3zm0 3.4h3.4a1.8 1.8 0 0 1 0 3.6H7.8zM9.3 5.2v1.3m0 7v1.3m1.7-9.6v1.3m0 7v1.3',
  forward: 'm8 5.5 4.5 4.5L8 14.5',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11m4 9.5 3.8 3.8',
  save: 'M10 3v9m-3.5-3.2L10 12.3l3.5-3.5M4 16.5h12',
  renew: 'M16 5v4h-4m3.6 0a6 6 0 1 0 .2 3',
  calendar: 'M3 5h14v12H3zm0 4h14M6.5 3v3.5m7-3.5v3.5',
  copy: 'M7.5 7.5h8v8h-8zm-3 5h-.2v-8h8v.2',
  warn: 'M10 3 17.8 16.5H2.2zM10 8v4m0 2.2v.3',
  mail: 'M2.75 4.75h14.5v10.5H2.75zm0 .8L10 11l7.25-5.45',
  message: 'M3 4h14v10H9l-3.5 3v-3H3zm4 4h6m-6 3h4',
  window: 'M8 4H4v12h12v-4m-5-8h5v5m0-5-7 7',
} as const;

export type IconName = keyof typeof paths;

/** One icon in the text's colour. The style sheet mirrors `back` with the page. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className ? `g ${className}` : 'g'} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** The position of the security code: the back of a card, four digits on the front for American Express. */
export function SecurityCodeIcon() {
  return (
    <svg className="g code" viewBox="0 0 32 22" aria-hidden="true" focusable="false">
      <path d="M3.5 1.5h25a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2h-25a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2z" />
      <path className="bar" d="M1.5 6h29" />
      <path d="M20.5 12.5h4a2 2 0 0 1 0 4h-4a2 2 0 0 1 0-4z" />
    </svg>
  );
}
