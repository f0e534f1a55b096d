// The hosted page in an app. React and the WebView are handed in by the app, so that this package depends on neither
// and cannot disagree with the app about versions.

import { type Outcome, type ReturnAddresses, readerOf } from './address';
import { FlorinError, throwArgumentError } from './errors';

/** As much of React as is needed. */
export type ReactLike = {
  // biome-ignore lint/suspicious/noExplicitAny: React's own types would make every user of this package need them.
  createElement: (type: any, props: any) => any;
  useRef: <T>(initial: T) => { current: T };
};

export type NativePaymentViewProps = ReturnAddresses & {
  /** From fetchPaymentUrl. */
  redirectUrl: string;
  /** Called once for each redirectUrl, when the payer is back; the app then takes the view away. */
  onOutcome: (outcome: Outcome) => void;
  /** The page could not be loaded. */
  onError?: (fault: FlorinError) => void;
  style?: unknown;
  /** Further settings of the WebView. Those that this component needs stay as they are. */
  webViewProps?: Record<string, unknown>;
};

type LoadRequest = { url: string; isTopFrame?: boolean };

/**
 * Makes the component: `createPaymentView({ React, WebView })` with the WebView of react-native-webview. The payer's
 * way back is caught before it is loaded, so success and cancel addresses need no page behind them for the app's sake.
 */
export function createPaymentView<R extends ReactLike>({ React, WebView }: { React: R; WebView: unknown }) {
  // biome-ignore lint/correctness/noComponentHookFactories: an app makes it once, beside its imports.
  return function PaymentView(props: NativePaymentViewProps): ReturnType<R['createElement']> {
    const { redirectUrl, onError, style, webViewProps } = props;
    if (!/^https?:\/\//i.test(redirectUrl)) throwArgumentError('redirectUrl is a web address.');
    const read = readerOf(props);
    const told = React.useRef<string | null>(null);

    /** Whether the payer is back; says so the first time. */
    const isBack = (address: string): boolean => {
      const outcome = read(address);
      if (outcome && told.current !== redirectUrl) {
        told.current = redirectUrl;
        props.onOutcome(outcome);
      }
      return outcome !== null;
    };

    return React.createElement(WebView, {
      // Banks keep their own sign-in in cookies of their own origin.
      thirdPartyCookiesEnabled: true,
      sharedCookiesEnabled: true,
      // The bank's frame begins as an empty document. Other schemes, those of banks' apps, are left to the system.
      originWhitelist: ['https://*', 'http://*', 'about:blank', 'about:srcdoc'],
      ...webViewProps,
      style,
      source: { uri: redirectUrl },
      setSupportMultipleWindows: false,
      onShouldStartLoadWithRequest: ({ url, isTopFrame }: LoadRequest) => isTopFrame === false || !isBack(url),
      // Android does not ask before it follows some redirects; this tells where they have led.
      onNavigationStateChange: ({ url }: LoadRequest) => void isBack(url),
      onError: () => {
        // Stopping the load of the shop's page is reported as an error as well.
        if (told.current !== redirectUrl) onError?.(new FlorinError('network', 'The page could not be loaded.'));
      },
    });
  };
}
