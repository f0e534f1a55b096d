/** Tests a wallet's settings with Apple, as a payer's page would use them. */

import { env } from '../config/index.ts';
import { applePaySession } from '../connectors/index.ts';
import { type AppleSettings, deployedEnvironment } from './wallet-settings.ts';

const gateways = {
  test: 'https://apple-pay-gateway-cert.apple.com',
  production: 'https://apple-pay-gateway.apple.com',
} as const;

/** Whether Apple creates a session with these settings for a page at `host`; false also if Apple does not respond. */
export async function isAcceptedByApple(settings: AppleSettings, host: string): Promise<boolean> {
  const { merchantIdentity, merchantIdentifier, shopName } = settings;
  if (!merchantIdentity) return false;
  const gateway = env.applePayGateway ?? gateways[deployedEnvironment()];
  const session = await applePaySession(`${gateway}/paymentservices/startSession`, merchantIdentity, {
    merchantIdentifier,
    displayName: shopName,
    initiative: 'web',
    initiativeContext: host,
  });
  return session !== null;
}
