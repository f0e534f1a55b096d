import { describe, expect, test } from 'vitest';
import { configurableNames, mappingProtocols, moreRows, payerRows } from '../../core/mapping-options.ts';
import { optionalFields } from '../../protocols/shared/wire-fields.ts';
import { changeSchema } from './schema.ts';

// Protocol, setting, JSON input and stored value; `!` and a sentence if it is refused.
const table = `
  checkout | enabled                | false                  | false
  checkout | enabled                | "yes"                  | ! Choose on or off.
  s2s_card | digest                 | "sha256"               | "sha256"
  s2s_card | digest                 | "sha1"                 | ! Choose MD5 or SHA-256.
  s2s_card | requiredPayerFields    | ["payer_zip","payer_country"] | ["payer_country","payer_zip"]
  s2s_card | requiredPayerFields    | ["payer_email"]        | ! payer_email cannot be chosen here.
  checkout | requiredPayerFields    | ["payer_email"]        | ["payer_email"]
  checkout | requiredPayerFields    | ["payer_ip"]           | ! payer_ip cannot be chosen here.
  s2s_apm  | requiredPayerFields    | ["payer_ip"]           | ! payer_ip cannot be chosen here.
  s2s_card | callbackFields         | ["eci","brand","brand"] | ["brand","eci"]
  s2s_card | callbackFields         | ["card"]               | ! card cannot be chosen here.
  s2s_apm  | callbackFields         | ["eci"]                | ! eci cannot be chosen here.
  checkout | statusFields           | ["card","card_expiration_date"] | ["card","card_expiration_date"]
  checkout | statusFields           | ["RRN"]                | ! RRN cannot be chosen here.
  checkout | statusFields           | "card"                 | ! Enter the fields as a list.
  checkout | orderIdReuse           | "always"               | "always"
  checkout | orderIdReuse           | true                   | ! Choose when an order ID can be used again.
  checkout | maximumDeclines        | 3                      | 3
  checkout | maximumDeclines        | null                   | null
  checkout | maximumDeclines        | 0                      | ! Enter a whole number from 1 to 99.
  checkout | maximumDeclines        | 2.5                    | ! Enter a whole number from 1 to 99.
  s2s_card | maximumDeclines        | 3                      | ! S2S CARD has no such setting.
  checkout | defaultLanguage        | "zh-TW"                | "zh-TW"
  checkout | defaultLanguage        | null                   | null
  checkout | defaultLanguage        | "es"                   | ! Choose one of the 21 languages.
  checkout | redirectParameters     | true                   | true
  s2s_apm  | redirectParameters     | true                   | ! S2S APM has no such setting.
  checkout | offerSavingCards       | "on"                   | ! Choose on or off.
  s2s_card | offerSavingCards       | true                   | ! S2S CARD has no such setting.
  checkout | pendingUrl             | "https://a.example/x"  | "https://a.example/x"
  checkout | pendingUrl             | ""                     | null
  checkout | defaultNotificationUrl | " https://a.example/x " | "https://a.example/x"
  checkout | defaultNotificationUrl | ""                     | null
  checkout | defaultNotificationUrl | "a.example"            | ! Enter a full URL such as https://shop.example/callbacks, without spaces, user name or password.
  checkout | defaultNotificationUrl | "https://me@a.example" | ! Enter a full URL such as https://shop.example/callbacks, without spaces, user name or password.
  checkout | ipAllowlist            | ["10.0.0.1",""]        | ["10.0.0.1"]
  checkout | ipAllowlist            | ["","10.0.0.256"]      | ! Line 2: 256 is too large. Each part of an IPv4 address goes up to 255.
  s2s_apm  | signedRequests         | true                   | true
  s2s_card | openPayouts            | true                   | true
  checkout | openPayouts            | null                   | ! Choose on or off.
  checkout | signedRequests         | "on"                   | ! Choose on or off.
  s2s_card | scheduleRetries        | 0                      | 0
  s2s_card | scheduleRetries        | 16                     | ! Enter a whole number from 0 to 15.
  s2s_card | scheduleRetryHours     | 169                    | ! Enter a whole number from 1 to 168.
  s2s_card | missedSlots            | "all"                  | "all"
  checkout | missedSlots            | "some"                 | ! Choose which missed charges are made.
  s2s_apm  | missedSlots            | "one"                  | ! S2S APM has no such setting.
  s2s_apm  | scheduleRetries        | 1                      | ! S2S APM has no such setting.
  s2s_apm  | cascadeLimit           | 1                      | 1
  s2s_apm  | cascadeLimit           | "1"                    | ! Enter a whole number from 1 to 10.
  checkout | dailyLimitMinor        | null                   | null
  checkout | dailyLimitMinor        | ""                     | null
  checkout | weeklyLimitMinor       | "0"                    | ! A limit is above 0. Leave it empty for none.
  checkout | weeklyLimitMinor       | "1,000"                | ! Enter digits only: the limit in minor units.
  checkout | weeklyLimitMinor       | "-1"                   | ! Enter digits only: the limit in minor units.
  checkout | weeklyLimitMinor       | "9223372036854775808"  | ! A limit goes up to 9223372036854775807.
`;

const rows = table
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()) as [never, string, string, string]);

describe('a change of a mapping', () => {
  test.each(rows)('%s: %s %s', (protocol, setting, sent, wanted) => {
    const read = changeSchema(protocol).safeParse({ [setting]: JSON.parse(sent) });
    const result = read.success
      ? JSON.stringify((read.data as Record<string, unknown>)[setting])
      : `! ${read.error.issues.map(({ path, message }) => (path[0] === setting ? message : `at ${path}`)).join(' ')}`;
    expect(result).toBe(wanted);
  });

  test('keeps a limit as a whole number of any size', () => {
    const read = changeSchema('checkout').parse({ dailyLimitMinor: '9223372036854775807' });
    expect(read).toEqual({ dailyLimitMinor: 9223372036854775807n });
  });

  test('reports a setting that does not exist', () => {
    expect(changeSchema('checkout').safeParse({ sha256: true }).error?.issues[0]?.message).toBe(
      'This setting does not exist.',
    );
  });
});

test('every field of the matrix is one that callbacks and status responses can return', () => {
  for (const protocol of mappingProtocols) {
    const result = [...configurableNames(protocol, 'callback'), ...configurableNames(protocol, 'status')];
    expect(result.filter((name) => !Object.hasOwn(optionalFields, name))).toEqual([]);
  }
  const offered = [...payerRows('s2s_card'), ...moreRows('s2s_card')].flatMap(({ names }) => names);
  expect([...offered].sort()).toEqual(Object.keys(optionalFields).sort());
});
