/** Routes of the payment page's branding. */

import type { GuardedRoute } from '../guard';
import { brandingPage, brandingView, publishAction } from './branding';
import { logoBytesMax } from './contract';
import { brandingPreview } from './preview';

/** Room for a logo in Base64 and texts in every language. */
const bodyBytesMax = Math.ceil((logoBytesMax * 4) / 3) + 64 * 1024;

export const brandingRoutes: GuardedRoute[] = [
  { method: 'GET', path: '/look', right: 'branding.change', run: brandingPage },
  { method: 'GET', path: '/look/:id', right: 'branding.change', run: brandingView },
  { method: 'POST', path: '/look/:id', right: 'branding.change', bodyBytesMax, run: publishAction },
  { method: 'GET', path: '/look/:id/preview', right: 'branding.change', run: brandingPreview },
];
