// Reads the version of Florin.
import { fileText } from './page-source';

let version: string | undefined;

/** The version in package.json: `0.2.0`. */
export function florinVersion(): string {
  version ??= String(JSON.parse(fileText('package.json')).version);
  return version;
}
