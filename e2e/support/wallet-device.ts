// A payer's device with Apple Pay and Google Pay: replaces the browser's own interfaces, returns one token per press,
// and records the page's requests and the outcomes it reports. A test server plays Apple.
import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';

/** The results of the next presses in order: a token, or null if the payer closes the sheet. */
export type Device = {
  apple?: (string | null)[];
  google?: (string | null)[];
  /** Whether the device reports that it can pay. */
  able?: boolean;
  /** The validation address that Apple's interface passes to the page. */
  validationURL?: string;
};

/** The page's wallet requests, and the outcomes that it reported. */
export type Sheet = { wallet: string; request: unknown; session?: unknown; told?: unknown };

/** The address that replaces Apple's in the server under test (APPLE_PAY_GATEWAY). */
const gatewayPort = 28417;
export const appleAddress = `http://127.0.0.1:${gatewayPort}/paymentservices/startSession`;

/** Listens on the gateway's port once it is free: the server under test has one, and tests of other files use it too. */
async function listenWhenFree(server: Server): Promise<void> {
  for (;;) {
    const isListening = await new Promise<boolean>((done, fail) => {
      server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
      server.listen(gatewayPort, '127.0.0.1', () => done(true));
    });
    if (isListening) return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** Starts the server that plays Apple: it answers every request with a session that quotes it. */
export async function startApple() {
  const asked: Record<string, unknown>[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    asked.push({ path: request.url, ...body });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ merchantSessionIdentifier: 'SSH', domainName: body.initiativeContext }));
  });
  await listenWhenFree(server);
  return {
    asked,
    /** Sets the status of the next answers. */
    answerWith(code: number) {
      status = code;
    },
    close: () => new Promise((done) => server.close(done)),
  };
}

/** Installs a device in the page's browser. Call it before the first navigation. */
export async function giveDevice(page: Page, device: Device): Promise<void> {
  await page.addInitScript(installDevice, {
    able: true,
    apple: [],
    google: [],
    validationURL: appleAddress,
    ...device,
  });
}

/** The sheets that this document opened. */
export function sheetsOf(page: Page): Promise<Sheet[]> {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem('sheets') ?? '[]'));
}

// Runs in the browser without its module scope. Its state survives a navigation, because a payment leads to another
// page.
function installDevice({ able, apple, google, validationURL }: Required<Device>): void {
  if (window.top !== window.self) return;
  const read = (name: string) => JSON.parse(sessionStorage.getItem(name) ?? '[]');
  const note = (sheet: object) => {
    const sheets = [...read('sheets'), sheet];
    sessionStorage.setItem('sheets', JSON.stringify(sheets));
  };
  const report = (more: object) => {
    const sheets = read('sheets');
    sheets.push({ ...sheets.pop(), ...more });
    sessionStorage.setItem('sheets', JSON.stringify(sheets));
  };
  const pressed = (wallet: string) => read('sheets').filter((sheet: { wallet: string }) => sheet.wallet === wallet);
  const next = (wallet: string, tokens: (string | null)[]) => tokens[pressed(wallet).length] ?? null;

  class FakeApple {
    static readonly STATUS_SUCCESS = 0;
    static readonly STATUS_FAILURE = 1;
    static canMakePayments = () => able;
    static supportsVersion = (version: number) => version <= 3;
    onvalidatemerchant = (_event: object) => {};
    onpaymentauthorized = (_event: object) => {};
    oncancel = (_event: object) => {};
    token: string | null;
    constructor(version: number, request: object) {
      this.token = next('applepay', apple);
      note({ wallet: 'applepay', request: { version, ...request } });
    }
    begin() {
      if (this.token === null) setTimeout(() => this.oncancel({}), 50);
      else setTimeout(() => this.onvalidatemerchant({ validationURL }), 10);
    }
    abort() {
      report({ told: 'aborted' });
    }
    completeMerchantValidation(session: object) {
      report({ session });
      const token = JSON.parse(this.token ?? '{}');
      setTimeout(() => this.onpaymentauthorized({ payment: { token } }), 10);
    }
    completePayment(status: number) {
      report({ told: status });
    }
  }

  class FakeRequest {
    methods: object[];
    constructor(methods: object[], details: object) {
      this.methods = [...methods, details];
    }
    canMakePayment = async () => able;
    async show() {
      const token = next('googlepay', google);
      note({ wallet: 'googlepay', request: this.methods });
      if (token === null) throw new DOMException('closed', 'AbortError');
      return {
        details: { paymentMethodData: { tokenizationData: { token } } },
        complete: async (told: string) => report({ told }),
      };
    }
  }
  Object.assign(window, { ApplePaySession: FakeApple, PaymentRequest: FakeRequest });
}
