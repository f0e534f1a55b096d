import { afterEach, expect, it, vi } from 'vitest';
import { verifyNewPasskey } from './passkeys.ts';

// An attestation of the format android-key, valid until 2090, whose certificate names addresses of private networks.
const attestationObject = [
  'o2NmbXRrYW5kcm9pZC1rZXlnYXR0U3RtdKNjYWxnJmNzaWdYRgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ',
  'EBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQFjeDVjglkBuTCCAbUwggFaoAMCAQICAQIwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAxMBUjAgFw0yNjEx',
  'MjkwMDA1MTFaGA8yMDkwMDQxNjA3MjUxMVowDDEKMAgGA1UEAxMBTDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF8NQbJxOxRlwCSdAT9puy',
  'UPU8TFreeU602i0PSkaxzDFn0fRYiXR4StST2ROE3EXVuNENixizryU_fjvXM-bcGjgaowgacwRAYKKwYBBAHWeQIBEQQ2MDQCAQMKAQECAQMK',
  'AQEEIKsudfy7Nw-g5VBghGT6DQytk63L1K8mE3xkeVvexEF_BAAwADAAMF8GA1UdHwRYMFYwLqAsoCqGKGh0dHA6Ly8xNjkuMjU0LjE2OS4yNT',
  'QvbGF0ZXN0L21ldGEtZGF0YS8wJKAioCCGHmh0dHA6Ly8xMC4wLjAuNTo4MDgwL2FkbWluP3g9MTAKBggqhkjOPQQDAgNJADBGAiEA5kdSrhku',
  'uEZX-hhjArNYZ0A-6GjkwCh3_wkLL9VC7icCIQCaGsuBfk3EbdbxVrCHwgXO-gDzlOq8Amk1TZIDZokoyVkBDjCCAQowgbGgAwIBAgIBATAKBg',
  'gqhkjOPQQDAjAMMQowCAYDVQQDEwFSMCAXDTI2MTEyOTAwMDUxMVoYDzIwOTAwNDE2MDcyNTExWjAMMQowCAYDVQQDEwFSMFkwEwYHKoZIzj0C',
  'AQYIKoZIzj0DAQcDQgAEJudYeYxVA3XlJqBvf03GcVMTkJ82q4yZMpukJlfehMwXwaqitrLCM0xvu4NTEU13afzcTm75g0YeA2H_a8mwBaMCMA',
  'AwCgYIKoZIzj0EAwIDSAAwRQIgYQnlKhnjtGHVCuyAEnRPDi7B1AYy33dlMaqrpliuaQ8CIQCtKArZkW28aRqVbJlo0p5etxrqQeLtIn8AyItp',
  'NZwqFmhhdXRoRGF0YViUSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAkJCQkJCQkJCQkJCQ',
  'kJCQmlAQIDJiABIVggXw1BsnE7FGXAJJ0BP2m7JQ9TxMWt55TrTaLQ9KRrHMMiWCAWfR9FiJdHhK1JPZE4TcRdW40Q2LGLOvJT9-O9cz5twQ',
].join('');
const challenge = 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('fetches no addresses in certificates of a new passkey, whose attestation was not requested', async () => {
  const fetch = vi.fn(() => Promise.reject(new Error('no network')));
  vi.stubGlobal('fetch', fetch);
  const clientData = { type: 'webauthn.create', challenge, origin: 'http://localhost:3000' };
  const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString('base64url');
  const passkey = {
    ...({ id: 'CQkJCQkJCQkJCQkJCQkJCQ', rawId: 'CQkJCQkJCQkJCQkJCQkJCQ', type: 'public-key' } as const),
    response: { clientDataJSON, attestationObject, transports: [] },
    clientExtensionResults: {},
  };
  await expect(verifyNewPasskey(passkey, challenge)).rejects.toThrow('the attestation android-key was not requested');
  expect(fetch).not.toHaveBeenCalled();
});
