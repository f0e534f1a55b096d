// Line icons on a 16 unit grid, in the text's colour. Callers add a visible label or an accessible name.
const paths = {
  copy: 'M5.5 5.5V3.2c0-.4.3-.7.7-.7h6.6c.4 0 .7.3.7.7v6.6c0 .4-.3.7-.7.7h-2.3M3.2 5.5h6.6c.4 0 .7.3.7.7v6.6c0 .4-.3.7-.7.7H3.2c-.4 0-.7-.3-.7-.7V6.2c0-.4.3-.7.7-.7z',
  tick: 'm3.2 8.4 3.2 3.2 6.4-7',
  cross: 'm4 4 8 8m0-8-8 8',
  out: 'M3 13 12.5 3.5M5.5 3.2h7.3v7.3',
  in: 'M13 3 3.5 12.5M3.2 5.5v7.3h7.3',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zm-5 5.6c.5-2.5 2.5-3.9 5-3.9s4.5 1.4 5 3.9',
  down: 'm4 6 4 4 4-4',
  next: 'm6 4 4 4-4 4',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  ask: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.8v2.7h-2.7',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <path d={paths[name]} stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** The error icon: a filled octagon with a cross. */
export function ErrorIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      <path d="M4.3 0.8h5.4l3.5 3.5v5.4l-3.5 3.5H4.3L.8 9.7V4.3z" fill="currentColor" />
      <path d="m4.9 4.9 4.2 4.2m0-4.2L4.9 9.1" stroke="var(--bg)" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}
