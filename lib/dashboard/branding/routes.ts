/** Routes of the payment page's branding. */

import { type GuardedRoute, route } from '../guard';
import { brandingPage, brandingView, publishAction } from './branding';
import { logoBytesMax } from './contract';
import { brandingPreview } from './preview';

/** Room for a logo in Base64 and texts in every language. */
const bodyBytesMax = Math.ceil((logoBytesMax * 4) / 3) + 64 * 1024;

export const brandingRoutes: GuardedRoute[] = [
  route('GET /look', 'branding.change', brandingPage),
  route('GET /look/:id', 'branding.change', brandingView),
  route('POST /look/:id', 'branding.change', publishAction, { bodyBytesMax }),
  route('GET /look/:id/preview', 'branding.change', brandingPreview),
];
