/** URL schemes of merchants' own apps, which return addresses may use in addition to http and https (protocol.md 2). */

// Schemes that a browser or an operating system handles itself. Schemes that begin with ms- start Windows programs.
const reservedSchemes = new Set(
  'about blob cid content data file filesystem ftp gopher http https intent jar javascript ldap mailto mid resource search-ms shell sms smb ssh tel telnet vbscript view-source ws wss'.split(
    ' ',
  ),
);
const reservedBeginnings = /^(ms-|chrome|moz-|edge|opera|android-|x-apple|itms)/;

/** Whether a text can be an app's scheme: `myshop`, `com.example.shop`. 2 to 40 lower-case characters, no colon. */
export function isAppScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{1,39}$/.test(text) && !reservedSchemes.has(text) && !reservedBeginnings.test(text);
}

/** The app scheme of an address such as `myshop://paid?order=1`; null if it has no valid app scheme. */
export function appSchemeOf(address: string): string | null {
  // The URL parser drops or repairs blanks and control characters; the parsed address would differ from the stored
  // text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(address)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):\/./i.exec(address)?.[1]?.toLowerCase();
  return scheme !== undefined && isAppScheme(scheme) && URL.canParse(address) ? scheme : null;
}
