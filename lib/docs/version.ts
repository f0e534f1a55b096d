// The version of Florin that a page describes.
import { fileText } from './source';

let version: string | undefined;

/** `0.2.0`, as package.json has it. */
export function florinVersion(): string {
  version ??= String(JSON.parse(fileText('package.json')).version);
  return version;
}
