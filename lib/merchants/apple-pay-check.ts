/** Tries a wallet's settings on Apple itself, as a payer's page would. */

import { env } from '../config';
import { applePaySession } from '../connectors';
import { type AppleSettings, deployedEnvironment } from './wallet-settings';

const gateways = {
  test: 'https://apple-pay-gateway-cert.apple.com',
  production: 'https://apple-pay-gateway.apple.com',
} as const;

/** Whether Apple gives a session to these settings for a page at `host`; false also where Apple does not answer. */
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
