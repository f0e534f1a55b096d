// The merchant's side of the hosted fields: adds a frame of the checkout's origin to each container and reports its
// events, never its content, to the page. One class, global `HostedFields`, with the interface that pages of this
// protocol family know and a modern one in addition.
import type {
  HostedFieldsEvents as Events,
  HostedFieldsFailure as FailureCode,
  HostedFieldFault as FieldError,
  HostedFieldName as FieldName,
  HostedFieldFrame as FrameName,
  HostedFieldChange,
  HostedFieldHandlers,
  HostedFieldOptions,
  HostedFieldStyle,
  HostedFieldsOptions,
  HostedFieldsResult,
  HostedFields as Published,
  WalletName,
  WalletOptions,
} from './fields/hosted-fields.d.ts';
import { type Connect, type FromFrame, fieldsIn, frameNames, type ToFrame, windowName } from './fields/wire.ts';
import { mountWallets } from './wallets/wallet-buttons.ts';

type Handler<Name extends keyof Events> = (detail: Events[Name]) => void;
type Mounted = { frame: HTMLIFrameElement; port: MessagePort | null; isReady: boolean };
/** `frame`: whose input is sent; that of the agreement belongs to a payment by wallet. */
type Pending = { turn: number; frame: FrameName; finish: (result: HostedFieldsResult) => void };

/** The frames have the origin of this script. Another element of that name may take the place of `currentScript`. */
const script =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : document.querySelector<HTMLScriptElement>('script[src*="/sdk/hosted-fields."],script[src*="/sdk/florin-card."]');
const origin = new URL(script?.src || location.href).origin;
/** The frame has a shorter timeout, so this one only applies to a frame that does not respond at all. */
const timeoutMilliseconds = 45_000;
const loadMilliseconds = 20_000;

// Letters only: a message without any digit certainly has no card data.
const randomWord = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => String.fromCharCode(97 + (byte >> 4), 97 + (byte & 15)))
    .join('');

export class HostedFields implements Published {
  cardOn: HostedFieldHandlers = {};
  expiryOn: HostedFieldHandlers = {};
  cvvOn: HostedFieldHandlers = {};
  onSubmitResult: ((data: HostedFieldsResult) => void) | null = null;

  #token = '';
  #handlers = new Map<keyof Events, Set<Handler<never>>>();
  #mounted = new Map<FrameName, Mounted>();
  #words: Events['ready'] = { labels: {}, message: '' };
  #leave: (() => void)[] = [];
  #pending: Pending | null = null;
  #turn = 0;

  /** Adds the frames to their containers. Throws a TypeError for invalid options. */
  init({ sessionToken, fields, style, language }: HostedFieldsOptions): this {
    if (typeof sessionToken !== 'string' || sessionToken === '') throw new TypeError('sessionToken is missing');
    const frames = frameNames.filter((name) => fields?.[name]);
    if (frames.length === 0) throw new TypeError('fields is empty');
    if (frames.includes('line') && frames.some((name) => name !== 'line' && fieldsIn(name).length > 0))
      throw new TypeError('fields.line contains the other fields');
    const places = frames.map((frame) => ({ frame, options: fields[frame] as HostedFieldOptions }));
    const containers = places.map(({ frame, options }) => containerOf(frame, options));
    if (new Set(containers).size < containers.length) throw new TypeError('two fields have one container');
    const plainStyle = cloneStyle(style);
    this.destroy();
    this.#token = sessionToken;
    this.#words = { labels: {}, message: '' };
    const channel = randomWord();
    for (const [at, { frame, options }] of places.entries()) {
      const connect: Connect = {
        florin: 'connect',
        channel,
        field: frame,
        fields: frames,
        ...(frame === 'agreement' && { token: sessionToken }),
        style: plainStyle,
        ...textOptions(options),
      };
      this.#mount(containers[at] as HTMLElement, connect, language);
    }
    const timer = setTimeout(() => {
      if (!this.#isReady()) this.#fail('network', 'The fields did not load');
    }, loadMilliseconds);
    this.#leave.push(() => clearTimeout(timer));
    return this;
  }

  /** Calls `handler` for every event of that name; the returned function unsubscribes. */
  on<Name extends keyof Events>(event: Name, handler: Handler<Name>): () => void {
    const all = this.#handlers.get(event) ?? new Set();
    this.#handlers.set(event, all.add(handler as Handler<never>));
    return () => all.delete(handler as Handler<never>);
  }

  focus(field: FieldName | 'agreement' = 'card'): void {
    const frame = field === 'agreement' ? field : this.#frameOf(field);
    this.#mounted.get(frame)?.frame.focus();
    this.#tell({ type: 'focus', field }, frame);
  }

  /** Clears one field, or all. */
  clear(field?: FieldName): void {
    if (field) this.#tell({ type: 'clear', field }, this.#frameOf(field));
    else this.#tell({ type: 'clear' });
  }

  setStyle(style: HostedFieldStyle): void {
    this.#tell({ type: 'style', style: cloneStyle(style) ?? {} });
  }

  setLabel(frame: FrameName, label: string): void {
    const mounted = this.#mounted.get(frame);
    if (mounted) mounted.frame.title = label || titleOf(frame);
    this.#tell({ type: 'label', label: String(label) }, frame);
  }

  /** Shows the faults of all fields. */
  report(): void {
    this.#tell({ type: 'report' });
  }

  /** Sends the input to the service, for the session's payment; the page gets the outcome, not the data. */
  submit(): Promise<HostedFieldsResult> {
    return this.#send(frameNames.find((name) => fieldsIn(name).length > 0 && this.#mounted.has(name)));
  }

  #send(frame: FrameName | undefined): Promise<HostedFieldsResult> {
    const isReady = frame === 'agreement' ? this.#mounted.get(frame)?.isReady : this.#isReady();
    if (!frame || !isReady) return Promise.resolve(failure('setup', 'The fields are not ready'));
    if (this.#pending) return Promise.resolve(failure('busy', 'A submit is in progress'));
    this.#turn += 1;
    const turn = this.#turn;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#ended(turn, failure('network', 'No response')), timeoutMilliseconds);
      const finish = (result: HostedFieldsResult) => {
        clearTimeout(timer);
        resolve(result);
      };
      this.#pending = { turn, frame, finish };
      this.#tell({ type: 'submit', token: this.#token, turn }, frame);
    });
  }

  /** Like `submit`, with the outcome through `onSubmitResult`; a call during another submit has no effect. */
  collectIframesData(): void {
    const isBusy = this.#pending !== null;
    void this.submit().then((result) => {
      // A submit that did not start is reported here; others report when they end.
      if (!isBusy && result.result === 'error' && result.code === 'setup') this.#emitResult(result);
    });
  }

  /**
   * Adds the buttons of the available wallets to a container and returns their names. A button opens the wallet's
   * sheet; `pay` makes the payment with its token, and the event `wallet` reports the response once the sheet is
   * closed. What the payer agrees to in the frame of the agreement is recorded before; without it nothing is paid.
   */
  async wallets({ sessionToken = this.#token, language, pay, ...place }: WalletOptions): Promise<WalletName[]> {
    const container = containerOf('wallets', place);
    try {
      return await mountWallets(
        container,
        { origin, token: sessionToken, language },
        {
          pay: async (payment) => ((await this.#isAgreed()) ? pay(payment) : null),
          done: (wallet, answer) => this.#emit('wallet', { wallet, answer }),
          failed: (label) => this.#fail('network', `${label}: no response`),
        },
      );
    } catch {
      this.#fail('network', 'The wallets did not load');
      return [];
    }
  }

  async #isAgreed(): Promise<boolean> {
    if (!this.#mounted.has('agreement')) return true;
    const isBusy = this.#pending !== null;
    const agreed = await this.#send('agreement');
    // What was sent is reported when it ends.
    if (agreed.result === 'error' && (isBusy || agreed.code === 'setup')) this.#fail(agreed.code, agreed.message);
    return agreed.result === 'success';
  }

  /** Removes the frames. */
  destroy(): void {
    for (const leave of this.#leave.splice(0)) leave();
    for (const { frame, port } of this.#mounted.values()) {
      port?.close();
      frame.remove();
    }
    this.#mounted.clear();
    const pending = this.#pending;
    this.#pending = null;
    pending?.finish(failure('setup', 'The fields were removed'));
  }

  #mount(container: HTMLElement, connect: Connect, language: string | undefined): void {
    const { field: name, channel } = connect;
    const frame = document.createElement('iframe');
    frame.name = windowName(channel, name);
    frame.title = connect.label || titleOf(name);
    frame.allow = "payment 'none'";
    frame.setAttribute('scrolling', 'no');
    // Properties instead of a style attribute, which the page's policy may forbid.
    Object.assign(frame.style, { border: '0', width: '100%', height: '100%', display: 'block', background: 'none' });
    // The agreement's words define its height.
    if (name === 'agreement') frame.style.height = '0';
    // Browsers draw a frame opaque if its colour scheme differs from its document's; this one must stay transparent.
    frame.style.colorScheme = 'light';
    frame.src = `${origin}/fields/${name}${language ? `?lang=${encodeURIComponent(language)}` : ''}`;
    const mounted: Mounted = { frame, port: null, isReady: false };
    this.#mounted.set(name, mounted);
    frame.addEventListener('load', () => this.#connect(mounted, connect));
    const labels = [...document.querySelectorAll('label')].filter(
      ({ htmlFor }) => htmlFor !== '' && htmlFor === container.id,
    );
    const focus = () => this.focus(fieldsIn(name)[0]);
    for (const label of labels) {
      label.addEventListener('click', focus);
      this.#leave.push(() => label.removeEventListener('click', focus));
    }
    container.replaceChildren(frame);
  }

  /** Sends a loaded frame its port. A frame that loads again is empty, and its submit in progress has failed. */
  #connect(mounted: Mounted, connect: Connect): void {
    const { field: frame } = connect;
    if (this.#mounted.get(frame) !== mounted) return;
    if (mounted.port) {
      mounted.port.close();
      mounted.isReady = false;
      const pending = this.#pending;
      if (pending) this.#ended(pending.turn, failure('setup', 'A frame was reloaded'));
      for (const field of fieldsIn(frame)) this.#changed({ field, valid: false, empty: true, brand: null });
    }
    const { port1, port2 } = new MessageChannel();
    mounted.port = port1;
    port1.onmessage = ({ data }) => this.#heard(mounted, data as FromFrame);
    mounted.frame.contentWindow?.postMessage(connect, origin, [port2]);
  }

  #isReady(): boolean {
    return this.#mounted.size > 0 && [...this.#mounted.values()].every(({ isReady }) => isReady);
  }

  /** The frame that contains a field. */
  #frameOf(field: FieldName): FrameName {
    return this.#mounted.has('line') ? 'line' : field;
  }

  #legacy(field: FieldName): HostedFieldHandlers {
    return { card: this.cardOn, expiry: this.expiryOn, cvv: this.cvvOn }[field] ?? {};
  }

  #heard(mounted: Mounted, message: FromFrame): void {
    switch (message?.type) {
      case 'ready':
        mounted.isReady = true;
        Object.assign(this.#words.labels, message.labels);
        this.#words.message ||= message.message;
        if (this.#isReady()) this.#emit('ready', this.#words);
        break;
      case 'focus':
      case 'blur':
        callSafely(this.#legacy(message.field)[message.type], undefined);
        this.#emit(message.type, { field: message.field });
        break;
      case 'enter':
        this.#emit('enter', { field: message.field });
        break;
      case 'change': {
        const { type: _type, ...change } = message;
        this.#changed(change);
        break;
      }
      case 'error':
        if (message.fault) this.#fail('validation', message.fault.message, [message.fault]);
        break;
      case 'agreement': {
        const { shown, saves, height } = message;
        mounted.frame.style.height = `${height}px`;
        this.#emit('agreement', { shown, saves });
        break;
      }
      case 'submit': {
        const { type: _type, turn, ...result } = message;
        this.#ended(turn, result);
        break;
      }
    }
  }

  #changed(change: HostedFieldChange): void {
    callSafely(this.#legacy(change.field).input, change);
    this.#emit('change', change);
  }

  /** Ends the submit with this number; a late response of an earlier submit is ignored. */
  #ended(turn: number, result: HostedFieldsResult): void {
    const pending = this.#pending;
    if (pending?.turn !== turn) return;
    this.#pending = null;
    pending.finish(result);
    if (pending.frame !== 'agreement') this.#emitResult(result);
    else if (result.result === 'error') this.#fail(result.code, result.message, result.faults);
  }

  #emitResult(result: HostedFieldsResult): void {
    callSafely(this.onSubmitResult, result);
    this.#emit('submit', result);
    if (result.result === 'error') this.#fail(result.code, result.message, result.faults);
  }

  #fail(type: FailureCode, message: string, fieldErrors: FieldError[] = []): void {
    this.#emit('error', { type, message, faults: fieldErrors });
  }

  #emit<Name extends keyof Events>(event: Name, detail: Events[Name]): void {
    for (const handler of [...(this.#handlers.get(event) ?? [])]) callSafely(handler as Handler<Name>, detail);
  }

  #tell(message: ToFrame, only?: FrameName): void {
    for (const [frame, { port }] of this.#mounted) if (!only || frame === only) port?.postMessage(message);
  }
}

function containerOf(
  field: FrameName | 'wallets',
  { id, element }: Pick<HostedFieldOptions, 'id' | 'element'>,
): HTMLElement {
  const found = element ?? document.getElementById((id ?? '').replace(/^#/, ''));
  if (!found) throw new TypeError(`${field === 'wallets' ? '' : 'fields.'}${field}: no element "${id}"`);
  return found;
}

/** Calls a handler of the page. Its exceptions are reported as the page's own and do not stop this script. */
function callSafely<Detail>(handler: ((detail: Detail) => void) | null | undefined, detail: Detail): void {
  try {
    handler?.(detail);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

/** A copy of the page's style that can be sent to a frame. */
function cloneStyle(style: HostedFieldStyle | undefined): HostedFieldStyle | undefined {
  return style && JSON.parse(JSON.stringify(style));
}

const titleOf = (frame: FrameName): string => (frame === 'line' ? 'card' : frame);

// Texts only: other values could not be sent to the frame.
function textOptions({ placeholder, label }: HostedFieldOptions): Pick<Connect, 'placeholder' | 'label'> {
  return { placeholder: placeholder && String(placeholder), label: label && String(label) };
}

function failure(code: FailureCode, message: string): HostedFieldsResult & { result: 'error' } {
  return { result: 'error', code, message, faults: [] };
}

(globalThis as unknown as { HostedFields: typeof HostedFields }).HostedFields = HostedFields;
