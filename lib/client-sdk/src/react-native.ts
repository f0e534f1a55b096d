// The hosted page in an app. The app passes React and the WebView in, so that this package has no dependency on either
// and no version conflict.

import { type Outcome, type ReturnAddresses, readerOf } from './address.ts';
import { FlorinError, throwArgumentError } from './errors.ts';

/** The part of React that is used. */
export type ReactLike = {
  // biome-ignore lint/suspicious/noExplicitAny: React's own types would make every user of this package need them.
  createElement: (type: any, props: any) => any;
  useRef: <T>(initial: T) => { current: T };
};

export type NativePaymentViewProps = ReturnAddresses & {
  /** From fetchPaymentUrl. */
  redirectUrl: string;
  /** Called once for each redirectUrl, when the payer returns; the app then removes the view. */
  onOutcome: (outcome: Outcome) => void;
  /** Called if the page could not be loaded. */
  onError?: (error: FlorinError) => void;
  style?: unknown;
  /** Further properties of the WebView. Those that this component sets take precedence. */
  webViewProps?: Record<string, unknown>;
};

type LoadRequest = { url: string; isTopFrame?: boolean };

/**
 * Creates the component: `createPaymentView({ React, WebView })` with the WebView of react-native-webview. The return
 * is detected before its page loads, so for the app the success and cancel addresses need no page.
 */
export function createPaymentView<R extends ReactLike>({ React, WebView }: { React: R; WebView: unknown }) {
  // biome-ignore lint/correctness/noComponentHookFactories: an app calls it once, at module level.
  return function PaymentView(props: NativePaymentViewProps): ReturnType<R['createElement']> {
    const { redirectUrl, onError, style, webViewProps } = props;
    if (!/^https?:\/\//i.test(redirectUrl)) throwArgumentError('redirectUrl must be a web address.');
    const read = readerOf(props);
    const reportedUrl = React.useRef<string | null>(null);

    /** Whether the payer has returned; reports it the first time. */
    const isBack = (address: string): boolean => {
      const outcome = read(address);
      if (outcome && reportedUrl.current !== redirectUrl) {
        reportedUrl.current = redirectUrl;
        props.onOutcome(outcome);
      }
      return outcome !== null;
    };

    return React.createElement(WebView, {
      // Banks keep their own session in cookies of their own origin.
      thirdPartyCookiesEnabled: true,
      sharedCookiesEnabled: true,
      // The bank's frame starts as an empty document. Other schemes, those of banks' apps, are left to the system.
      originWhitelist: ['https://*', 'http://*', 'about:blank', 'about:srcdoc'],
      ...webViewProps,
      style,
      source: { uri: redirectUrl },
      setSupportMultipleWindows: false,
      onShouldStartLoadWithRequest: ({ url, isTopFrame }: LoadRequest) => isTopFrame === false || !isBack(url),
      // Android does not ask before following some redirects; this event reports their final address.
      onNavigationStateChange: ({ url }: LoadRequest) => void isBack(url),
      onError: () => {
        // Stopping the load of the shop's page is reported as an error as well.
        if (reportedUrl.current !== redirectUrl) onError?.(new FlorinError('network', 'The page could not be loaded.'));
      },
    });
  };
}
