/**
 * Recurring payments: the list, and the page of one agreement with its charges. The id of the initial payment
 * identifies it.
 */

import { formatAmount } from '../../core/money';
import { cardExpiry } from '../../protocols';
import { listSubscriptions } from '../../recurring';
import type { DashboardRequest } from '../guard';
import { protocolNames } from '../labels';
import type { ChainPage, ChainRow, ListOf } from '../lists/contract';
import { pageSize, readPage } from '../lists/paging';
import { type ListRequest, readChoices, readCursors, readListParams } from '../lists/params';
import { cardLabel, factGroup, maskToken, payerName, paymentLine, visibleToken } from '../lists/rows';
import { chainStates, chargesOfChain, findListedChain, type ListedChain, listChains } from './chain-queries';
import { subscriptionRow } from './subscriptions';

/** A page of recurring agreements: `q`, `state`, `from`, `to`. */
export async function chainList({ query, scope, zone }: ListRequest): Promise<ListOf<ChainRow>> {
  const params = readListParams(query, zone);
  const filter = { ...params, merchantId: scope, states: readChoices(query, 'state', chainStates) };
  const page = await readPage(
    params,
    (place) => listChains(filter, place),
    ({ first, createdAt }) => ({ id: first.id, createdAt }),
  );
  return { ...page, rows: page.rows.map(rowOf) };
}

function rowOf({ token, first, schedule, ...chain }: ListedChain): ChainRow {
  return {
    id: first.id,
    masked: maskToken(token),
    amount: formatAmount(first.amountMinor, first.currency),
    currency: first.currency,
    state: chain.state,
    orderNumber: first.orderNumber,
    card: cardLabel(first.card),
    payer: payerName(first),
    charges: chain.charges,
    lastChargeAt: chain.lastChargeAt?.toISOString() ?? null,
    schedule: schedule && { ...schedule, dueAt: schedule.dueAt.toISOString() },
    merchantName: chain.merchantName,
    createdAt: chain.createdAt.toISOString(),
  };
}

/** The page of a recurring agreement; null if it does not exist for this user. */
export async function chainPage(
  id: string,
  { viewer, scope, query }: Pick<DashboardRequest, 'viewer' | 'scope' | 'query'>,
): Promise<ChainPage | null> {
  const chain = await findListedChain(id, scope);
  if (!chain) return null;
  const [later, subscriptions] = await Promise.all([
    readPage(
      readCursors(query),
      (place) => chargesOfChain(chain.token, place),
      (payment) => payment,
    ),
    listSubscriptions({ chainToken: chain.token }, { size: pageSize }),
  ]);
  const { first } = chain;
  return {
    ...rowOf(chain),
    token: visibleToken(viewer, chain.token),
    firstTransId: chain.firstTransId,
    description: first.description,
    stoppedAt: chain.stoppedAt?.toISOString() ?? null,
    first: paymentLine(first),
    later: { ...later, rows: later.rows.map(paymentLine) },
    subscriptions: subscriptions.rows.map(subscriptionRow),
    groups: [
      factGroup('Payer', [
        ['Name', first.payer.name ?? first.card?.holder],
        ['Email', first.payer.email, { mail: true }],
      ]),
      factGroup('Card', [
        ['Number', first.card && `${first.card.first6} •••• ${first.card.last4}`],
        ['Expires', first.card && cardExpiry(first.card)],
      ]),
      factGroup('Processing', [
        ['Merchant', chain.merchantName],
        ['Channel', `${protocolNames[first.protocol]}, ${first.operation}`],
      ]),
    ].filter(({ facts }) => facts.length > 0),
  };
}
