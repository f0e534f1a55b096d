// Menus and dialogs add a style element to stop scrolling, which the content security policy allows only with this
// document's nonce. The library reads it under this name.
if (typeof document !== 'undefined') {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce });
}

export {};
