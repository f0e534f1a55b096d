// The catalogue of payment methods: rows of data, their parameters and formats, QR payloads.
// Owns no tables. Every file is public and imported by its own path, so that browsers load only what they use.
// May import: core.
export {};
