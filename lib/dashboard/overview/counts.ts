/** The counts in the sidebar. */
import { now } from '../../db/clock';
import { type Attention, countAttention } from './attention-queries';

/** The alerts of `scope`, or of all merchants. */
export function actionCounts(scope: string | null): Promise<Attention> {
  return countAttention(scope, now());
}
