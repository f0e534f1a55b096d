// Menus and dialogs hold the page still by a style element of their own, which the content security policy lets in only
// with the nonce of this very document. Scripts carry it, and the library looks for it under this name.
if (typeof document !== 'undefined') {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce });
}

export {};
