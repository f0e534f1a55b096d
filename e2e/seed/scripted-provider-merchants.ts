// Merchants of scripted providers (e2e/support/scripted-provider.ts): for each of five ports one with two accounts, one with a
// single account, one with a provider timeout of a minute, and one that refunds late approvals.
import type { SeededMerchant } from '../../prisma/seed/merchants.ts';
import { merchant } from './test-merchants.ts';

const firstPort = 21880;
const mapping = { callbackFields: ['extended_data'] };

/** An account at the provider on port `place`; all share the secret that signs notifications. */
function mid(place: number, letter: string, timeoutSeconds: number) {
  return { providerUrl: `http://127.0.0.1:${firstPort + place}/${letter}`, account: 'scripted', timeoutSeconds };
}

/** Numbers 160 to 179; e2e/support/merchants.ts names them. */
export const scriptedProviderMerchants: SeededMerchant[] = [0, 1, 2, 3, 4].flatMap((place) => {
  const number = 160 + 4 * place;
  return [
    merchant(number, `Scripted provider ${place}`, { mids: [mid(place, 'a', 2), mid(place, 'b', 2)], mapping }),
    merchant(number + 1, `Scripted provider ${place}, alone`, { mids: [mid(place, 'a', 2)], mapping }),
    merchant(number + 2, `Scripted provider ${place}, patient`, {
      mids: [mid(place, 'a', 60), mid(place, 'b', 60)],
      mapping,
    }),
    merchant(number + 3, `Scripted provider ${place}, refunding`, {
      mids: [{ ...mid(place, 'a', 2), lateSuccess: 'refund' }],
      mapping,
    }),
  ];
});
