// Data of the branding editor.
import type { PageTexts } from '../../core/page-texts';

/** An uploaded logo, or one that the settings reference by URL. */
export type LogoView =
  | { kind: 'uploaded'; src: string; type: string; bytes: number; width: number; height: number }
  | { kind: 'address'; url: string };

export type BrandingValues = {
  /** `#rrggbb`, or '' for Florin's default. */
  accent: string;
  /** Whole pixels from 0 to 14 as text, or '' for Florin's default. */
  radius: string;
  privacyUrl: string;
  termsUrl: string;
  supportEmail: string;
  texts: PageTexts;
};

/** The values with the logo as text, so that its change is listed like every other. */
export type BrandingForm = BrandingValues & { logo: string };

export type BrandingView = {
  merchant: { id: string; name: string };
  version: number;
  values: BrandingValues;
  logo: LogoView | null;
};

export type BrandingPage = { merchants: { id: string; name: string }[]; look: BrandingView | null };

/** What publishing does with the logo. */
export type LogoChange = 'keep' | 'remove' | { file: string };

/** The maximum size of a logo file in bytes. */
export const logoBytesMax = 200 * 1024;

/** States of the payment page that the preview shows. */
export const previewStates = ['form', 'declined', 'done'] as const;
export type PreviewState = (typeof previewStates)[number];
