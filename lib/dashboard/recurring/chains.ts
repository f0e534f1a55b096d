/** The page of a recurring agreement with its charges. The id of the initial payment identifies it. */

import { toPayment } from '../../payments';
import { cardExpiry } from '../../protocols';
import { listSubscriptions } from '../../recurring';
import type { DashboardRequest } from '../guard';
import { protocolNames } from '../labels';
import type { ChainPage } from '../lists/contract';
import { pageSize } from '../lists/paging';
import { paymentLines } from '../lists/payment-lines';
import { factGroup, paymentLine, visibleToken } from '../lists/rows';
import { chainRow, findChain } from './chain-list';
import { subscriptionRow } from './subscriptions';

/** The page of a recurring agreement; null if it does not exist for this user. */
export async function chainPage(
  id: string,
  { viewer, scope, query }: Pick<DashboardRequest, 'viewer' | 'scope' | 'query'>,
): Promise<ChainPage | null> {
  const chain = await findChain(id, scope);
  if (!chain) return null;
  const { token, firstTransId, stoppedAt, merchantName } = chain;
  const [later, subscriptions] = await Promise.all([
    paymentLines(query, ({ add, where }) =>
      where(`p.recurring_token = ${add(token)}::text and p.recurring_first_id is not null`),
    ),
    listSubscriptions({ chainToken: token }, { size: pageSize }),
  ]);
  const first = toPayment(chain);
  const { card, payer } = first;
  return {
    ...chainRow(chain),
    token: visibleToken(viewer, token),
    firstTransId,
    description: first.description,
    stoppedAt: stoppedAt?.toISOString() ?? null,
    first: paymentLine(first),
    later,
    subscriptions: subscriptions.rows.map(subscriptionRow),
    groups: [
      factGroup('Payer', [
        ['Name', payer.name ?? card?.holder],
        ['Email', payer.email, { mail: true }],
      ]),
      factGroup('Card', [
        ['Number', card && `${card.first6} •••• ${card.last4}`],
        ['Expires', card && cardExpiry(card)],
      ]),
      factGroup('Processing', [
        ['Merchant', merchantName],
        ['Channel', `${protocolNames[first.protocol]}, ${first.operation}`],
      ]),
    ].filter(({ facts }) => facts.length > 0),
  };
}
