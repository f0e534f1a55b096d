/** The addresses of the payment page's look. */

import type { GuardedRoute } from '../guard';
import { logoBytesMax } from './contract';
import { lookPage, publishAction } from './look';
import { lookPreview } from './preview';

/** A logo in Base64, and texts in every language. */
const bodyBytesMax = Math.ceil((logoBytesMax * 4) / 3) + 64 * 1024;

export const lookRoutes: GuardedRoute[] = [
  { method: 'GET', path: '/look', right: 'look.change', run: lookPage },
  { method: 'POST', path: '/look/:id', right: 'look.change', bodyBytesMax, run: publishAction },
  { method: 'GET', path: '/look/:id/preview', right: 'look.change', run: lookPreview },
];
