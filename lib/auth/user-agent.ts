/** The browser and operating system of a User-Agent, for the list of sessions. */

const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Real values are far shorter; a limit keeps the patterns fast. */
const textMax = 512;

/** Such as `Firefox 132, Linux`; `Unknown browser` if neither is recognised. */
export function deviceOf(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, textMax);
  const browser = browsers.find(([form]) => form.test(text));
  const version = browser?.[0].exec(text)?.[1];
  const system = systems.find(([form]) => form.test(text))?.[1];
  const parts = [browser && `${browser[1]} ${version}`, system].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : 'Unknown browser';
}
