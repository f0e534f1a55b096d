// What the tests of the three engines do in a browser. Each driver implements it once; the tests know nothing else.

export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

/** A phone's screen. */
export const screen = { width: 390, height: 844 };

/** How long an element is awaited; a long wait costs nothing when tests pass. */
export const patience = 20_000;

export type Browser = {
  /** Opens an empty tab with its own cookies. */
  open(): Promise<Tab>;
  close(): Promise<unknown>;
};

/** A tab. `frame` is the selector of a frame in its page, also of another origin; without it the page itself is meant. */
export type Tab = {
  goto(url: string): Promise<unknown>;
  /** Waits for a field, and types a text in place of its value, key by key. */
  type(text: string, selector: string, frame?: string): Promise<unknown>;
  /** Waits for an element, and presses it. */
  press(selector: string, frame?: string): Promise<unknown>;
  /** Presses the Tab key, where the focus is. */
  tab(direction?: 'back'): Promise<unknown>;
  /** The value of an expression of JavaScript; undefined while the frame is absent or loads. */
  evaluate(expression: string, frame?: string): Promise<unknown>;
  /** A PNG of what the tab shows. */
  picture(): Promise<Uint8Array>;
  /** Errors of scripts and of the content security policy so far, in every document of the tab. */
  faults: string[];
  close(): Promise<unknown>;
};

/** Selects the value of a field, so that typing replaces it. */
export const selectAll = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).select()`;
