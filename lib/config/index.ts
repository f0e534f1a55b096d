// The settings of a deployment, read and checked once from the environment.
// Owns no tables.
// May import: core, methods, wallets.

export { type AddressRange, isInRanges } from './address-ranges.ts';
export {
  checkoutBaseUrl,
  dashboardBaseUrl,
  type Env,
  EnvError,
  env,
  linkBase,
  protocolBaseUrl,
  readEnv,
} from './config.ts';
export type { SyslogAddress } from './event-settings.ts';
export { type KmsAddress, readKmsAddress } from './kms-address.ts';
export { isLocal } from './local.ts';
export { productionWarnings } from './production.ts';
export { isOwnHost } from './web-addresses.ts';
