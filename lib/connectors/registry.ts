// The connectors by id, which a MID refers to. A provider with the open provider contract needs no entry: its MIDs use
// `http` with its URL. Any other provider is one file and one entry here.
import type { Connector } from './connector.ts';
import { httpConnector } from './http.ts';

const connectors: ReadonlyMap<string, Connector> = new Map(
  [httpConnector].map((connector) => [connector.id, connector]),
);

/** Lists the connectors for the settings of a MID. */
export function connectorNames(): { id: string; name: string }[] {
  return [...connectors.values()].map(({ id, name }) => ({ id, name }));
}

/** Returns the connector with this id; null for an unknown id. */
export function findConnector(id: string): Connector | null {
  return connectors.get(id) ?? null;
}
