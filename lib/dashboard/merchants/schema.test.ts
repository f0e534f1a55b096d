import { describe, expect, it } from 'vitest';
import { merchantInput } from './schema';

const good = {
  name: 'Orme Ceramics',
  site: 'orme.example',
  supportEmail: 'help@orme.example',
  privacyUrl: 'https://orme.example/privacy',
  termsUrl: '',
  frameAncestors: ['https://orme.example'],
  appSchemes: ['orme'],
};

// Field, what is sent as JSON, and what is stored; after `!` why it is refused.
const table = `
  name           | " Orme "                        | "Orme"
  name           | "Żółw & Söhne"                  | "Żółw & Söhne"
  name           | ""                              | ! Write a name.
  name           | "   "                           | ! Write a name.
  name           | 7                               | ! Write a text.
  name           | "a\\u0000b"                     | ! Write one line of text without control characters.
  name           | "a\\nb"                         | ! Write one line of text without control characters.
  name           | "\\ud800"                       | ! Write one line of text without control characters.
  site           | ""                              | null
  site           | "Shop.Example"                  | "shop.example"
  site           | "shop.example:8443"             | "shop.example:8443"
  site           | "https://shop.example"          | ! Write the host alone, such as shop.example.
  site           | "shop.example/path"             | ! Write the host alone, such as shop.example.
  site           | "shop"                          | ! Write the host alone, such as shop.example.
  supportEmail   | ""                              | null
  supportEmail   | "a@b.example"                   | "a@b.example"
  supportEmail   | "a@b"                           | ! Write an address such as help@shop.example.
  supportEmail   | "a b@c.example"                 | ! Write an address such as help@shop.example.
  supportEmail   | "<a@b.example>"                 | ! Write an address such as help@shop.example.
  privacyUrl     | ""                              | null
  privacyUrl     | "http://shop.example/p?x=1"     | "http://shop.example/p?x=1"
  privacyUrl     | "javascript:alert(1)"           | ! Write a whole address, such as https://shop.example/privacy.
  privacyUrl     | "shop.example/privacy"          | ! Write a whole address, such as https://shop.example/privacy.
  termsUrl       | "https://me:x@shop.example/"    | ! Write a whole address, such as https://shop.example/privacy.
  appSchemes     | ["MyShop://","myshop","com.shop.app"] | ["myshop","com.shop.app"]
  appSchemes     | ["javascript"]                  | ! Write the scheme of your own app, such as myshop. Schemes of browsers and systems can't be listed.
  frameAncestors | []                              | []
  frameAncestors | ["https://A.example/"]          | ["https://a.example"]
  frameAncestors | ["https://a.example","https://a.example/"] | ["https://a.example"]
  frameAncestors | ["http://localhost:3000"]       | ["http://localhost:3000"]
  frameAncestors | ["https://a.example/shop"]      | ! Write an origin: https, the host and nothing behind it, such as https://shop.example.
  frameAncestors | ["*"]                           | ! Write an origin: https, the host and nothing behind it, such as https://shop.example.
  frameAncestors | ["https://a.example; img-src *"] | ! Write an origin: https, the host and nothing behind it, such as https://shop.example.
  frameAncestors | "https://a.example"             | ! Write a list of origins.
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.trim()) as [string, string, string]);

describe('the settings of a merchant', () => {
  it.each(rows)('%s: %s gives %s', (field, sent, expected) => {
    const parsed = merchantInput.safeParse({ ...good, [field]: JSON.parse(sent) });
    if (!expected.startsWith('! ')) {
      expect(parsed.data?.[field as keyof typeof good]).toEqual(JSON.parse(expected));
      return;
    }
    const [fault] = parsed.error?.issues ?? [];
    expect(fault && [fault.path[0], fault.message]).toEqual([field, expected.slice(2)]);
  });

  it('keeps lengths within what is stored', () => {
    const faultOf = (change: object) => merchantInput.safeParse({ ...good, ...change }).error?.issues[0]?.message;
    expect(faultOf({ name: 'x'.repeat(101) })).toBe('Write at most 100 characters.');
    const origins = Array.from({ length: 21 }, (_, place) => `https://s${place}.example`);
    expect(faultOf({ frameAncestors: origins })).toBe('Name at most 20 origins.');
  });
});
