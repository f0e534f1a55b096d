// Data of the branding editor.
import type { z } from 'zod';
import type { Answer } from '../guard.ts';
import type { brandingPage, brandingValues, brandingView } from './branding.ts';
import type { themeNames } from './theme-names.ts';

export type { LogoView } from './branding.ts';
export * from './options.ts';

/** The names of a theme; both are empty for a merchant's own branding. */
export type ThemeNames = z.output<typeof themeNames>;

/** The input of the form. An empty colour, font or radius means Florin's default. */
export type BrandingValues = z.output<typeof brandingValues> & ThemeNames;

/** The values with the logo as text, so that its change is listed like every other. */
export type BrandingForm = BrandingValues & { logo: string };

export type BrandingView = Answer<typeof brandingView>;
export type BrandingPage = Answer<typeof brandingPage>;

/** What publishing does with the logo. */
export type LogoChange = 'keep' | 'remove' | { file: string };
