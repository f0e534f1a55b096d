// Merchants of fault-injecting providers (e2e/support/adversary.ts): at each of four ports one with two MIDs, one with
// a single MID, and one whose provider may take a minute to respond.
import { merchant, type TestMerchant } from './test-merchants';

const firstPort = 21880;
const mapping = { callbackFields: ['extended_data'] };

/** A MID at the provider on port `place`; all of them share the secret that signs notifications. */
function mid(place: number, letter: string, timeoutSeconds: number) {
  return { providerUrl: `http://127.0.0.1:${firstPort + place}/${letter}`, account: 'world', timeoutSeconds };
}

/** Numbers 160 to 174; e2e/support/merchants.ts names them. */
export const worldMerchants: TestMerchant[] = [0, 1, 2, 3].flatMap((place) => {
  const number = 160 + 4 * place;
  return [
    merchant(number, `World ${place}`, { mids: [mid(place, 'a', 2), mid(place, 'b', 2)], mapping }),
    merchant(number + 1, `World ${place}, alone`, { mids: [mid(place, 'a', 2)], mapping }),
    merchant(number + 2, `World ${place}, patient`, { mids: [mid(place, 'a', 60), mid(place, 'b', 60)], mapping }),
  ];
});
