import * as React from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Outcome } from './address.ts';
import type { FlorinError } from './errors.ts';
import { createPaymentView, type NativePaymentViewProps } from './react-native.ts';

type WebViewProps = {
  source: { uri: string };
  setSupportMultipleWindows: boolean;
  thirdPartyCookiesEnabled: boolean;
  originWhitelist: string[];
  userAgent?: string;
  onShouldStartLoadWithRequest: (request: { url: string; isTopFrame?: boolean }) => boolean;
  onNavigationStateChange: (state: { url: string }) => void;
  onError: () => void;
};

const query = 'payment_id=p1&trans_id=t1&order_id=o1&hash=h1';
const back = `https://shop.example/ok?${query}`;

const rendered: WebViewProps[] = [];

/** A WebView that only records its properties. */
function WebView(props: WebViewProps) {
  rendered.push(props);
  return React.createElement('webview', { src: props.source.uri });
}

/** Renders the component over it. */
function render(changes: Partial<NativePaymentViewProps> = {}) {
  const outcomes: Outcome[] = [];
  const errors: FlorinError[] = [];
  const PaymentView = createPaymentView({ React, WebView });
  const markup = renderToStaticMarkup(
    React.createElement(PaymentView, {
      redirectUrl: 'https://pay.example/pay/x',
      successUrl: 'https://shop.example/ok',
      cancelUrl: 'https://shop.example/no',
      onOutcome: (outcome) => outcomes.push(outcome),
      onError: (error) => errors.push(error),
      ...changes,
    }),
  );
  return { markup, outcomes, faults: errors, view: rendered.at(-1) as WebViewProps };
}

test('the WebView shows the hosted page, in one window and with the cookies that banks need', () => {
  const { markup, view } = render({ webViewProps: { userAgent: 'app', setSupportMultipleWindows: true, source: {} } });
  expect(markup).toBe('<webview src="https://pay.example/pay/x"></webview>');
  expect(view).toMatchObject({ thirdPartyCookiesEnabled: true, setSupportMultipleWindows: false, userAgent: 'app' });
  expect(view.originWhitelist).toContain('about:blank');
});

test('the return is reported once and not loaded; other pages load', () => {
  const { view, outcomes } = render();
  expect(view.onShouldStartLoadWithRequest({ url: 'https://pay.example/pay/x', isTopFrame: true })).toBe(true);
  expect(view.onShouldStartLoadWithRequest({ url: 'https://bank.example/3ds' })).toBe(true);
  expect(outcomes).toEqual([]);
  expect(view.onShouldStartLoadWithRequest({ url: back, isTopFrame: true })).toBe(false);
  view.onNavigationStateChange({ url: back });
  expect(view.onShouldStartLoadWithRequest({ url: back })).toBe(false);
  expect(outcomes).toMatchObject([{ result: 'success', paymentId: 'p1', transId: 't1', orderId: 'o1', hash: 'h1' }]);
});

test('without a request event the new address reports the return', () => {
  const { view, outcomes } = render();
  view.onNavigationStateChange({ url: 'about:blank' });
  view.onNavigationStateChange({ url: `https://shop.example/no?${query}` });
  expect(outcomes).toMatchObject([{ result: 'cancel' }]);
});

test('a frame inside the page is not a return', () => {
  const { view, outcomes } = render();
  expect(view.onShouldStartLoadWithRequest({ url: back, isTopFrame: false })).toBe(true);
  expect(outcomes).toEqual([]);
});

test('a failed load is reported, but not the intended stop', () => {
  const { view, faults } = render();
  view.onError();
  expect(faults).toMatchObject([{ code: 'network' }]);
  view.onShouldStartLoadWithRequest({ url: back });
  view.onError();
  expect(faults).toHaveLength(1);
});

test('a script is not a page address', () => {
  expect(() => render({ redirectUrl: 'javascript:alert(1)' })).toThrow(expect.objectContaining({ code: 'argument' }));
});
