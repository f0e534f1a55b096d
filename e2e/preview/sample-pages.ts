// The payer's pages with sample data: every state, in any language and region.
import { importWithPages } from '../../scripts/bundle.ts';

const { samples, sampleNow } = await importWithPages<typeof import('../../components/pay/state-samples.ts')>(
  'components/pay/state-samples.ts',
);
const { renderPage } =
  await importWithPages<typeof import('../../components/pay/document.tsx')>('components/pay/document.tsx');
const { pageHeaders } = await import('../../lib/payer/security-headers.ts');
const { addressForm } = await import('../../lib/payer/address-form.ts');
const { localeNamed, regionOfTag } = await import('../../lib/payer/region.ts');
const { translationsIn } = await import('../../lib/payer/regional-translations.ts');
const { readPayAssets } = await import('../../lib/http/browser-assets.ts');

export const sampleNames = Object.keys(samples);

export const sampleLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#2b2722"/><path d="M10 18h20c0 7-4 11-7 12v2h-6v-2c-3-1-7-5-7-12z" fill="#efe6d8"/><path d="M15.5 14c-1-2 1-2 0-5m4.5 5c-1-2 1-2 0-5m4.5 5c-1-2 1-2 0-5" stroke="#efe6d8" stroke-width="1.2" fill="none"/></svg>`;

/** A merchant's colours, radius, font and texts. */
type Theme = { texts?: object; accent?: string; background?: string; radius?: number; font?: string };

/** A sample's document and headers in the language of a tag ("es-MX"); null for an unknown name. */
export async function samplePage(name: string, tag: string, { texts, ...look }: Theme = {}) {
  const sample = samples[name];
  if (!sample) return null;
  const nonce = 'preview';
  const language = localeNamed(tag) ?? 'en';
  const region = regionOfTag(tag, language);
  const words = translationsIn(language, region);
  // The address is the region's, in the words of the language.
  const country = (sample.state === 'form' && sample.country && region) || 'US';
  const isAddress = sample.state === 'form' && sample.address;
  const addressed = isAddress ? { ...sample, country, address: addressForm(language, country) } : sample;
  const model =
    'merchant' in addressed ? { ...addressed, merchant: { ...addressed.merchant, ...look }, texts } : addressed;
  const html = await renderPage(model, { words, now: sampleNow, nonce, assets: readPayAssets() });
  return { html, headers: pageHeaders(model, { nonce, frameAncestors: [] }) };
}
