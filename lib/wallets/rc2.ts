// RC2 (RFC 2268), decryption in CBC mode. Keychain Access still encrypts the certificates of P12 files with it, and
// OpenSSL no longer includes it. Certificates are public, so the weak cipher does no harm.

const blockBytes = 8;

// The permutation of RFC 2268, section 2.
const pi = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);

// The rotation of each word in a mixing round, by position.
const rotations = [1, 2, 3, 5] as const;

/** Decrypts whole blocks without removing the padding. The effective key length is that of the key. */
export function decryptRc2(key: Uint8Array, iv: Uint8Array, sealed: Uint8Array): Buffer {
  const words = expand(key);
  const decrypted = Buffer.alloc(sealed.length);
  let before: Uint8Array = iv;
  for (let at = 0; at + blockBytes <= sealed.length; at += blockBytes) {
    const block = Buffer.from(sealed.subarray(at, at + blockBytes));
    const plain = decryptBlock(block, words);
    for (let place = 0; place < blockBytes; place += 1) {
      decrypted[at + place] = (plain[place] as number) ^ (before[place] as number);
    }
    before = block;
  }
  return decrypted;
}

function expand(key: Uint8Array): Uint16Array {
  const bytes = Buffer.alloc(128);
  bytes.set(key);
  for (let at = key.length; at < 128; at += 1) {
    bytes[at] = pi[((bytes[at - 1] as number) + (bytes[at - key.length] as number)) & 0xff] as number;
  }
  const first = 128 - key.length;
  bytes[first] = pi[bytes[first] as number] as number;
  for (let at = first - 1; at >= 0; at -= 1) {
    bytes[at] = pi[(bytes[at + 1] as number) ^ (bytes[at + key.length] as number)] as number;
  }
  return Uint16Array.from({ length: 64 }, (_, place) => bytes.readUInt16LE(2 * place));
}

// Sixteen mixing rounds in reverse, with a mashing round after the fifth and the eleventh.
function decryptBlock(block: Buffer, key: Uint16Array): Buffer {
  const r = Uint16Array.from({ length: 4 }, (_, place) => block.readUInt16LE(2 * place));
  const word = (place: number) => r[place & 3] as number;
  for (let round = 15; round >= 0; round -= 1) {
    for (let place = 3; place >= 0; place -= 1) {
      const turn = rotations[place] as number;
      const turned = (word(place) >>> turn) | (word(place) << (16 - turn));
      const mixed = (word(place + 3) & word(place + 2)) + (~word(place + 3) & word(place + 1));
      r[place] = turned - (key[4 * round + place] as number) - mixed;
    }
    if (round !== 11 && round !== 5) continue;
    for (let place = 3; place >= 0; place -= 1) r[place] = word(place) - (key[word(place + 3) & 63] as number);
  }
  const plain = Buffer.alloc(blockBytes);
  for (let place = 0; place < 4; place += 1) plain.writeUInt16LE(word(place), 2 * place);
  return plain;
}
