// An authenticator app: codes of RFC 6238 from a key. Written separately for the tests, so that they do not check the
// server with its own code.
import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a step, which is the number of 30-second periods since 1970. */
export function totp(key: string, step: number): string {
  let bits = '';
  for (const letter of key.replace(/\s/g, '')) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0');
  const bytes = bits.match(/.{8}/g) ?? [];
  const secret = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(step, 4);
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** An authenticator that returns no code twice: it is at most one step ahead of its clock, which the server accepts. */
export function authenticator(key: string): { code(): Promise<string>; last(): string } {
  let used = Math.floor(Date.now() / 30_000) - 2;
  return {
    async code() {
      // The code of the step before is accepted too, but not once the current step has ended on the way.
      const isLate = Date.now() % 30_000 > 20_000;
      used = Math.max(used + 1, Math.floor(Date.now() / 30_000) - (isLate ? 0 : 1));
      while (used > Math.floor(Date.now() / 30_000) + 1) await new Promise((resolve) => setTimeout(resolve, 500));
      return totp(key, used);
    },
    last: () => totp(key, used),
  };
}
