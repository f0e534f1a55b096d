// Data of the branding editor.
import type { z } from 'zod';
import type { Answer } from '../contract';
import type { brandingPage, brandingView } from './branding';
import type { brandingValues } from './values';

/** An uploaded logo, or one that the settings reference by URL. */
export type LogoView =
  | { kind: 'uploaded'; src: string; type: string; bytes: number; width: number; height: number }
  | { kind: 'address'; url: string };

/** The input of the form. An empty accent or radius means Florin's default. */
export type BrandingValues = z.output<typeof brandingValues>;

/** The values with the logo as text, so that its change is listed like every other. */
export type BrandingForm = BrandingValues & { logo: string };

export type BrandingView = Answer<typeof brandingView>;
export type BrandingPage = Answer<typeof brandingPage>;

/** What publishing does with the logo. */
export type LogoChange = 'keep' | 'remove' | { file: string };

/** The maximum size of a logo file in bytes. */
export const logoBytesMax = 200 * 1024;

/** States of the payment page that the preview shows. */
export const previewStates = ['form', 'declined', 'done'] as const;
export type PreviewState = (typeof previewStates)[number];
