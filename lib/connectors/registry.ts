// Every connector by its id, as a merchant account (MID) names it. A provider that speaks the open provider contract
// needs no row of its own: it is an `http` account with its address; any other is one file and one row here.
import type { Connector } from './connector';
import { httpConnector } from './http';

const connectors: ReadonlyMap<string, Connector> = new Map(
  [httpConnector].map((connector) => [connector.id, connector]),
);

/** Every connector, for whoever sets up an account. */
export function connectorNames(): { id: string; name: string }[] {
  return [...connectors.values()].map(({ id, name }) => ({ id, name }));
}

/** The connector with this id; null for an id that no connector has. */
export function findConnector(id: string): Connector | null {
  return connectors.get(id) ?? null;
}
