// The vocabulary: money, currencies, errors, states, signatures, cards, dates, languages, and the types of the money tables.
// Owns no tables. Every file is public and imported by its own path, so that browsers load only what they use.
// Imports no other room; does no input or output.
export {};
