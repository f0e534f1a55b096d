// Line drawings of 16 units for the dashboard, in the text's colour. A word stands beside each, or names its button.
const paths = {
  payments: 'M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.2-1.3 3.3 3.3',
  refund: 'M5.8 3 2.8 6l3 3M3 6h6.2a3.6 3.6 0 0 1 0 7.2H6.5',
  void: 'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM4 12l8-8',
  capture: 'M8 2.2v7.3M5 6.8l3 3 3-3M2.5 10.5v2.3c0 .4.3.7.7.7h9.6c.4 0 .7-.3.7-.7v-2.3',
  again: 'M13.3 8a5.3 5.3 0 1 1-1.6-3.8M13.4 2v2.8h-2.8',
  request: 'M8 2.5v8M4.8 7.6 8 10.8l3.2-3.2M3.5 13.5h9',
  provider: 'M2.5 6.2 8 2.8l5.5 3.4M3.5 13.2h9M4.5 6.5v5M8 6.5v5m3.5-5v5',
  callback:
    'M6.2 6.4 4 10.3M9.2 5.2a2.3 2.3 0 1 0-3 1.2M4 10a2.3 2.3 0 1 0 2.2 3M6.3 12.2h4.2M9 5l2 3.7m0 0a2.3 2.3 0 1 1-.5 3.5',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zm-5 5.6c.5-2.5 2.5-3.9 5-3.9s4.5 1.4 5 3.9',
  left: 'm10 4-4 4 4 4',
  right: 'm6 4 4 4-4 4',
  down: 'm4 6 4 4 4-4',
  cross: 'm4 4 8 8m0-8-8 8',
  out: 'M6.5 2.8H3.7c-.4 0-.7.3-.7.7v9c0 .4.3.7.7.7h2.8M10 5l3 3-3 3M13 8H6.5',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
} as const;

export type GlyphName = keyof typeof paths;

export function Glyph({ name, size = 16 }: { name: GlyphName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <path d={paths[name]} stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
