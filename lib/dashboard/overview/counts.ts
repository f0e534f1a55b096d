/** The numbers in the sidebar. */
import { now } from '../../db/clock';
import { type Attention, countAttention } from './attention-queries';

/** What calls for action among the rows of `scope`, or everybody's. */
export function actionCounts(scope: string | null): Promise<Attention> {
  return countAttention(scope, now());
}
