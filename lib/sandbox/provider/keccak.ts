// Keccak-256 for Ethereum's address checksums. It differs from SHA3-256 (FIPS 202) in the padding, so node:crypto lacks
// it.

const mask = (1n << 64n) - 1n;
const rateBytes = 136;

// Rotations by lane, and the constants of the 24 rounds from their shift registers (FIPS 202, 3.2).
const rotations = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];
const constants = roundConstants();

function roundConstants(): bigint[] {
  const found: bigint[] = [];
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if (register & 1) constant |= 1n << BigInt((1 << bit) - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    found.push(constant);
  }
  return found;
}

const turn = (lane: bigint, by: number) => ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & mask;

function permute(lanes: bigint[]): void {
  const lane = (x: number, y: number) => lanes[(x % 5) + 5 * (y % 5)] as bigint;
  for (const constant of constants) {
    const columns = [0, 1, 2, 3, 4].map((x) => lane(x, 0) ^ lane(x, 1) ^ lane(x, 2) ^ lane(x, 3) ^ lane(x, 4));
    const column = (x: number) => columns[x % 5] as bigint;
    const moved = new Array<bigint>(25);
    for (let at = 0; at < 25; at += 1) {
      const x = at % 5;
      const y = (at - x) / 5;
      const mixed = (lanes[at] as bigint) ^ column(x + 4) ^ turn(column(x + 1), 1);
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = turn(mixed, rotations[at] as number);
    }
    for (let at = 0; at < 25; at += 1) {
      const x = at % 5;
      const row = at - x;
      const [own, next, last] = [moved[at], moved[row + ((x + 1) % 5)], moved[row + ((x + 2) % 5)]] as bigint[];
      lanes[at] = (own as bigint) ^ (~(next as bigint) & mask & (last as bigint));
    }
    lanes[0] = (lanes[0] as bigint) ^ constant;
  }
}

/** The Keccak-256 digest, 32 bytes. */
export function keccak256(message: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(message.length / rateBytes) + 1) * rateBytes);
  padded.set(message);
  padded[message.length] = (padded[message.length] as number) | 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80;
  const lanes = new Array<bigint>(25).fill(0n);
  for (let start = 0; start < padded.length; start += rateBytes) {
    for (let at = 0; at < rateBytes / 8; at += 1) {
      lanes[at] = (lanes[at] as bigint) ^ padded.readBigUInt64LE(start + 8 * at);
    }
    permute(lanes);
  }
  const digest = Buffer.alloc(32);
  for (let at = 0; at < 4; at += 1) digest.writeBigUInt64LE(lanes[at] as bigint, 8 * at);
  return digest;
}
