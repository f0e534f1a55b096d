// Every action of the three protocols in one list, for those who look at requests instead of carrying them out: by the
// address or the name that stands in a request, with the row and the protocol by which the pipeline would take it.
import type { Protocol as ProtocolName } from '../../core/payment';
import { checkoutRows, pageRows, protocolOf } from '../checkout/actions';
import { apmActions, apmProtocol } from '../s2s-apm/actions';
import { cardActions, cardProtocol } from '../s2s-card/actions';
import type { Action, Protocol } from './handle';

export type RegisteredAction = {
  protocol: ProtocolName;
  /** `SALE`, or `/api/v1/session`: as the request log has it. */
  action: string;
  method: 'POST' | 'PUT';
  path: string;
  row: Action;
  definition: Protocol<unknown>;
};

// The list holds protocols of every body; whoever takes one out decodes with it first.
const eraseBodyType = <Body>(by: Protocol<Body>) => by as unknown as Protocol<unknown>;

const formActions = <Body>(path: string, by: Protocol<Body>, rows: Readonly<Record<string, Action>>) =>
  Object.entries(rows).map(
    ([action, row]): RegisteredAction => ({
      protocol: by.name,
      action,
      method: 'POST',
      path,
      row,
      definition: eraseBodyType(by),
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

/** The action of this name; undefined where the protocol has none. */
export function findRegisteredAction(protocol: ProtocolName, action: string): RegisteredAction | undefined {
  return actionRegistry.find((each) => each.protocol === protocol && each.action === action);
}
