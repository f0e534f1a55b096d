// Lists every action of the three protocols for code that inspects requests instead of executing them. Each entry has
// the path or action name of a request, its row and its protocol definition.
import type { Protocol as ProtocolName } from '../../core/payment.ts';
import { checkoutRows, pageRows, protocolOf } from '../checkout/actions.ts';
import { apmActions, apmProtocol } from '../s2s-apm/actions.ts';
import { cardActions, cardProtocol } from '../s2s-card/actions.ts';
import type { Action, Protocol } from './handle.ts';

export type RegisteredAction = {
  protocol: ProtocolName;
  /** `SALE` or `/api/v1/session`, as in the request log. */
  action: string;
  method: 'POST' | 'PUT';
  path: string;
  row: Action;
  definition: Protocol<unknown>;
};

// The list mixes protocols with different body types; a caller always decodes with the entry's own protocol first.
const eraseBodyType = <Body>(protocol: Protocol<Body>) => protocol as unknown as Protocol<unknown>;

const formActions = <Body>(path: string, protocol: Protocol<Body>, rows: Readonly<Record<string, Action>>) =>
  Object.entries(rows).map(
    ([action, row]): RegisteredAction => ({
      protocol: protocol.name,
      action,
      method: 'POST',
      path,
      row,
      definition: eraseBodyType(protocol),
    }),
  );

/** Every action, protocol by protocol. */
export const actionRegistry: readonly RegisteredAction[] = [
  ...[...checkoutRows, ...pageRows].map(
    ({ method, path, action }): RegisteredAction => ({
      protocol: 'checkout',
      action: path,
      method,
      path,
      row: action,
      definition: eraseBodyType(protocolOf(action)),
    }),
  ),
  ...formActions('/s2s/card/post', cardProtocol, cardActions),
  ...formActions('/s2s/apm/post', apmProtocol, apmActions),
];

/** Returns the action of this name; undefined if the protocol has none. */
export function findRegisteredAction(protocol: ProtocolName, action: string): RegisteredAction | undefined {
  return actionRegistry.find((each) => each.protocol === protocol && each.action === action);
}
