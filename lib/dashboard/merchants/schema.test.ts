import { describe, expect, it } from 'vitest';
import { merchantInput } from './schema.ts';

const good = {
  name: 'Orme Ceramics',
  site: 'orme.example',
  supportEmail: 'help@orme.example',
  privacyUrl: 'https://orme.example/privacy',
  termsUrl: '',
  frameAncestors: ['https://orme.example'],
  appSchemes: ['orme'],
};

// Field, JSON input and stored value; after `!` the reason for the refusal.
const table = `
  name           | " Orme "                        | "Orme"
  name           | "Żółw & Söhne"                  | "Żółw & Söhne"
  name           | ""                              | ! Enter a name.
  name           | "   "                           | ! Enter a name.
  name           | 7                               | ! Enter text.
  name           | "a\\u0000b"                     | ! Enter one line of text without control or invisible characters.
  name           | "a\\nb"                         | ! Enter one line of text without control or invisible characters.
  name           | "a\\u202eb"                     | ! Enter one line of text without control or invisible characters.
  name           | "\\ud800"                       | ! Enter one line of text without control or invisible characters.
  site           | ""                              | null
  site           | "Shop.Example"                  | "shop.example"
  site           | "shop.example:8443"             | "shop.example:8443"
  site           | "https://shop.example"          | ! Enter a hostname such as shop.example.
  site           | "shop.example/path"             | ! Enter a hostname such as shop.example.
  site           | "shop"                          | ! Enter a hostname such as shop.example.
  supportEmail   | ""                              | null
  supportEmail   | "a@b.example"                   | "a@b.example"
  supportEmail   | "a@b"                           | ! Enter an email address such as help@shop.example.
  supportEmail   | "a b@c.example"                 | ! Enter an email address such as help@shop.example.
  supportEmail   | "<a@b.example>"                 | ! Enter an email address such as help@shop.example.
  privacyUrl     | ""                              | null
  privacyUrl     | "http://shop.example/p?x=1"     | "http://shop.example/p?x=1"
  privacyUrl     | "javascript:alert(1)"           | ! Enter a full URL, such as https://shop.example/privacy.
  privacyUrl     | "shop.example/privacy"          | ! Enter a full URL, such as https://shop.example/privacy.
  termsUrl       | "https://me:x@shop.example/"    | ! Enter a full URL, such as https://shop.example/privacy.
  appSchemes     | ["MyShop://","myshop","com.shop.app"] | ["myshop","com.shop.app"]
  appSchemes     | ["javascript"]                  | ! Enter the scheme of your own app, such as myshop. Schemes of browsers and systems cannot be listed.
  frameAncestors | []                              | []
  frameAncestors | ["https://A.example/"]          | ["https://a.example"]
  frameAncestors | ["https://a.example","https://a.example/"] | ["https://a.example"]
  frameAncestors | ["http://localhost:3000"]       | ["http://localhost:3000"]
  frameAncestors | ["https://a.example/shop"]      | ! Enter an origin without a path, such as https://shop.example.
  frameAncestors | ["*"]                           | ! Enter an origin without a path, such as https://shop.example.
  frameAncestors | ["https://a.example; img-src *"] | ! Enter an origin without a path, such as https://shop.example.
  frameAncestors | "https://a.example"             | ! Enter a list of origins.
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
    const [error] = parsed.error?.issues ?? [];
    expect(error && [error.path[0], error.message]).toEqual([field, expected.slice(2)]);
  });

  it('limits lengths to what is stored', () => {
    const faultOf = (change: object) => merchantInput.safeParse({ ...good, ...change }).error?.issues[0]?.message;
    expect(faultOf({ name: 'x'.repeat(101) })).toBe('Enter at most 100 characters.');
    const origins = Array.from({ length: 21 }, (_, place) => `https://s${place}.example`);
    expect(faultOf({ frameAncestors: origins })).toBe('Enter at most 20 origins.');
  });
});
