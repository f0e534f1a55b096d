import { describe, expect, it } from 'vitest';
import { appSchemeOf, isAppScheme } from './app-schemes.ts';

describe("an app's scheme", () => {
  it.each(['myshop', 'com.example.shop', 'shop-app', 'a1'])('%s is one', (text) => {
    expect(isAppScheme(text)).toBe(true);
  });

  const never = 'javascript data file vbscript blob about http https ftp intent mailto tel ms-msdt chrome-extension';
  it.each([...never.split(' '), '', 'x', 'My', 'my shop', 'myshop:', '1a', 'a'.repeat(41)])('%s is none', (text) => {
    expect(isAppScheme(text)).toBe(false);
  });
});

describe("an address with an app's scheme", () => {
  it.each([
    ['myshop://paid?order=1', 'myshop'],
    ['MyShop://paid', 'myshop'],
    ['com.example.shop:/paid', 'com.example.shop'],
  ])('%s', (address, scheme) => expect(appSchemeOf(address)).toBe(scheme));

  it.each([
    'javascript://x/%0aalert(1)',
    'JavaScript:/alert(1)',
    'data:/text/html,x',
    'file:///etc/passwd',
    'https://shop.example/',
    'myshop:paid',
    'myshop://a b',
    'myshop://a\\b',
    ' myshop://a',
    'java\tscript://x',
    'paid',
    '',
  ])('%j has none', (address) => expect(appSchemeOf(address)).toBeNull());
});
