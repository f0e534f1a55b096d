// Apple Pay and Google Pay by the browser's own interfaces, without a wallet's script: whether the device can pay, and
// the sheet in which the payer agrees. A sheet that the payer closes leaves the page unchanged.
import type { WalletData } from '../../core/page-data.ts';

type GoogleArguments = NonNullable<WalletData['googlepay']>;

/** The members of Apple's interface (Apple Pay on the Web) used here; TypeScript has no types of it. */
type AppleSession = {
  onvalidatemerchant: (event: { validationURL: string }) => void;
  onpaymentauthorized: (event: { payment: { token: { paymentData: object } } }) => void;
  oncancel: () => void;
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(status: number): void;
};
type AppleKind = {
  new (version: number, request: object): AppleSession;
  canMakePayments(): boolean;
  supportsVersion(version: number): boolean;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
};

const version = 3;
const appleKind = (): AppleKind | undefined => (window as { ApplePaySession?: AppleKind }).ApplePaySession;

/** Opens a wallet's sheet; the promise resolves when the sheet is closed or the payment has a response. */
export type Open = (pay: (token: string) => Promise<boolean>) => Promise<void>;

/** Apple Pay's sheet for `request`. `validate` fetches Apple's opaque session from the address in the event. */
export function openApple(request: object, validate: (validationUrl: string) => Promise<unknown>): Open {
  return (pay) =>
    new Promise((done, fail) => {
      const kind = appleKind() as AppleKind;
      const session = new kind(version, request);
      let isPaying = false;
      session.onvalidatemerchant = async ({ validationURL }) => {
        try {
          session.completeMerchantValidation(await validate(validationURL));
        } catch {
          // Without a token the server answers with its own text that the wallet could not be reached.
          isPaying = true;
          session.abort();
          pay('').then(() => done(), fail);
        }
      };
      session.onpaymentauthorized = async ({ payment }) => {
        isPaying = true;
        try {
          const isTaken = await pay(JSON.stringify(payment.token.paymentData));
          session.completePayment(isTaken ? kind.STATUS_SUCCESS : kind.STATUS_FAILURE);
          done();
        } catch (error) {
          session.abort();
          fail(error);
        }
      };
      // Closing the sheet during the payment cancels nothing.
      session.oncancel = () => {
        if (!isPaying) done();
      };
      session.begin();
    });
}

type GoogleDetails = { paymentMethodData?: { tokenizationData?: { token?: string } } };

/** Google Pay's sheet, for the arguments of PaymentRequest. */
export function openGoogle({ methods, details }: GoogleArguments): Open {
  return async (pay) => {
    let response: PaymentResponse;
    try {
      response = await new PaymentRequest(methods, details).show();
    } catch (error) {
      if ((error as DOMException).name === 'AbortError') return;
      throw error;
    }
    try {
      const { paymentMethodData } = response.details as GoogleDetails;
      const isTaken = await pay(paymentMethodData?.tokenizationData?.token ?? '');
      await response.complete(isTaken ? 'success' : 'fail');
    } catch (error) {
      await response.complete('fail').catch(() => undefined);
      throw error;
    }
  };
}

/** Whether this browser supports Apple Pay. */
export function hasApple(): boolean {
  try {
    return Boolean(appleKind()?.supportsVersion(version) && appleKind()?.canMakePayments());
  } catch {
    // A frame without the permission.
    return false;
  }
}

/** Whether this browser's Google Pay can pay such a request. */
export async function hasGoogle({ methods, details }: GoogleArguments): Promise<boolean> {
  try {
    return await new PaymentRequest(methods, details).canMakePayment();
  } catch {
    // No such interface, or a frame without the permission.
    return false;
  }
}
