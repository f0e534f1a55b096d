// The settings of a deployment, read and checked once from the environment.
// Owns no tables.
// May import: core, methods, wallets.
export { checkoutBaseUrl, protocolBaseUrl } from './addresses.ts';
export { type Env, EnvError, env, readEnv } from './config.ts';
