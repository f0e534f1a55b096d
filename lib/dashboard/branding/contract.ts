// What the editor of the payment page's look shows.
import type { PageTexts } from '../../core/page-texts';

/** A logo that was uploaded, or that the settings name by its address. */
export type LogoView =
  | { kind: 'uploaded'; src: string; type: string; bytes: number; width: number; height: number }
  | { kind: 'address'; url: string };

export type BrandingValues = {
  /** `#rrggbb`, or '' for Florin's own. */
  accent: string;
  /** Whole pixels from 0 to 14 as text, or '' for Florin's own. */
  radius: string;
  privacyUrl: string;
  termsUrl: string;
  supportEmail: string;
  texts: PageTexts;
};

/** The values with the logo in words, so that its change reads like every other. */
export type BrandingForm = BrandingValues & { logo: string };

export type BrandingView = {
  merchant: { id: string; name: string };
  version: number;
  values: BrandingValues;
  logo: LogoView | null;
};

export type BrandingPage = { merchants: { id: string; name: string }[]; look: BrandingView | null };

/** What becomes of the logo when a look is published. */
export type LogoChange = 'keep' | 'remove' | { file: string };

/** The most bytes of a logo's file. */
export const logoBytesMax = 200 * 1024;

/** States of the page that the preview shows. */
export const previewStates = ['form', 'declined', 'done'] as const;
export type PreviewState = (typeof previewStates)[number];
