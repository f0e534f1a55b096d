/**
 * The typefaces of the payment page: families that operating systems bring along, because the page loads no font files.
 * Every list ends with the system's typeface, which has the letters that a family lacks.
 */

const rows = [
  ['humanist', 'Humanist', 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans"', 'sans-serif'],
  ['geometric', 'Geometric', 'Avenir, "Avenir Next", Montserrat, Corbel, "URW Gothic"', 'sans-serif'],
  ['grotesque', 'Grotesque', '"Helvetica Neue", Helvetica, Arial, "Nimbus Sans", "Liberation Sans"', 'sans-serif'],
  ['rounded', 'Rounded', 'ui-rounded, "SF Pro Rounded", Quicksand, Comfortaa, Nunito, Calibri', 'sans-serif'],
  ['serif', 'Serif', 'ui-serif, "Iowan Old Style", "Palatino Linotype", P052, "Noto Serif", Georgia', 'serif'],
  ['mono', 'Monospace', 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono"', 'monospace'],
] as const;

export type PageFont = (typeof rows)[number][0];

/** The choices besides the system's own typeface, in display order. `families` is the value of `font-family`. */
export const pageFonts: readonly { id: PageFont; name: string; families: string }[] = rows.map(
  // The generic family is before the system's typeface where that would change the kind: a serif stays a serif.
  ([id, name, families, generic]) => ({
    id,
    name,
    families: generic === 'sans-serif' ? `${families}, system-ui, ${generic}` : `${families}, ${generic}, system-ui`,
  }),
);

/** The value of `font-family`; null for the system's typeface, and for an id that this release does not know. */
export function fontFamilies(id: string | null | undefined): string | null {
  return pageFonts.find((font) => font.id === id)?.families ?? null;
}
